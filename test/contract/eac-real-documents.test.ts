// Every EAC-CPF document of the real-data folder through the reader and as import jobs: all text is in a record or in the report, the
// records are accepted, a second import makes nothing twice, and EAC-CPF 2.0 is refused. The folder is not part of the repository; without it this file skips.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { DroppedPart } from '#domain/formats/ead/report.ts';
import { decodeXml } from '#domain/formats/xml/encoding.ts';
import { createXmlReader } from '#domain/formats/xml/reader.ts';
import { kinds } from '#domain/kinds/index.ts';
import { prepare } from '#domain/rules/prepare.ts';
import { handler } from '../../apps/worker/jobs/import-format.ts';
import type { Worker } from '../../apps/worker/run.ts';
import type { Importer } from '../support/batch.ts';
import { openImporter } from '../support/batch.ts';
import { runImportJob } from '../support/import-job.ts';
import { readFormat } from '../support/import-reading.ts';
import { testContext } from '../support/make/prepare-context.ts';
import { inChunks, readArchive, realDataFolder, type ArchiveFile } from '../support/real-data.ts';
import type { Connected } from '../support/worker.ts';
import { connect, startTestWorker } from '../support/worker.ts';

const folder = realDataFolder();
const files: readonly ArchiveFile[] = folder === undefined ? [] : readArchive(folder, 'eac.tar.gz');
const importing = testContext({ acceptTemporary: true, createEnumerationValues: true });
const about = { isEnumerationValue: (list: string, value: string): boolean => importing.enumerations.get(list)?.has(value) ?? false };

let importer: Importer;
let connected: Connected;
let worker: Worker;
beforeAll(async () => {
  if (folder === undefined) return;
  importer = await openImporter();
  connected = connect(importer.database.settings.url);
  worker = await startTestWorker(connected, { handlers: [handler], threads: importer.threads });
});
afterAll(async () => {
  if (folder === undefined) return;
  await worker.stop();
  await connected[Symbol.asyncDispose]();
  await importer[Symbol.asyncDispose]();
});

const isVersion2 = (file: ArchiveFile): boolean => new TextDecoder().decode(file.bytes.subarray(0, 2000)).includes('/eac/v2');
const version1 = files.filter((file) => !isVersion2(file));

const essence = (text: string): string => text.replace(/&(?:amp;)*(?:amp|lt|gt|quot);/g, '').replace(/<[^>]*>/g, '').replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** Every text of the document with the elements it stands in, read without the mapping under test. */
async function textsOf(file: ArchiveFile): Promise<readonly { readonly text: string; readonly path: readonly string[] }[]> {
  const texts: { text: string; path: readonly string[] }[] = [];
  const path: string[] = [];
  const reader = createXmlReader({
    open: (tag) => void path.push(`${tag.name}@${tag.line}`),
    text: (text) => {
      if (essence(text) !== '') texts.push({ text, path: [...path] });
    },
    close: () => void path.pop(),
  });
  for await (const text of decodeXml(inChunks(file.bytes))) reader.feed(text);
  reader.end();
  return texts;
}

// Codes of closed lists: their words are values here.
const coded = /^(entityType|maintenanceStatus|publicationStatus|eventType|agentType|abbreviation)@/;
const isReported = (path: readonly string[], dropped: readonly DroppedPart[]): boolean => dropped.some((part) => path.includes(`${part.element}@${part.line}`));

describe.skipIf(folder === undefined)('real EAC-CPF documents', () => {
  test('are there', () => expect([files.length, version1.length]).toEqual([45, 41]));

  test.each(version1.map((file) => [file.name, file] as const))('%s gives an agent that is accepted, and loses nothing unsaid', async (_name, file) => {
    const { records, report } = await readFormat('eac_xml', file.bytes, about);
    const hasAgent = /<entityType>(?:person|family|corporateBody)</.test(new TextDecoder().decode(file.bytes));
    expect(records.some((record) => record.jsonmodel_type.startsWith('agent_'))).toBe(hasAgent);
    // Some documents are of laws and artefacts: nothing is made of them, and the report says so.
    if (!hasAgent) return expect([records, report.dropped.at(-1)?.reason]).toEqual([[], 'neither a person, a family nor a corporate body']);
    const refused: unknown[] = [];
    for (const record of records) {
      const kind = kinds.get(record.jsonmodel_type);
      if (kind === undefined) throw new TypeError(`no kind ${record.jsonmodel_type}`);
      try {
        prepare(kind, record, importing);
      } catch (error) {
        refused.push([record.jsonmodel_type, record['title'], error instanceof Failure ? error.error : error]);
      }
    }
    expect(refused).toEqual([]);
    const strings: string[] = [];
    const collect = (value: unknown): void => {
      if (typeof value === 'string') strings.push(essence(value));
      else if (Array.isArray(value)) value.forEach(collect);
      else if (typeof value === 'object' && value !== null) {
        if ('primary_name' in value && 'rest_of_name' in value) strings.push(essence(`${String(value.primary_name)}${String(value.rest_of_name)}`));
        Object.values(value).forEach(collect);
      }
    };
    collect(records);
    const haystack = strings.join('\0');
    const lost = (await textsOf(file)).filter(({ text, path }) => !coded.test(path.at(-1) ?? '') && !haystack.includes(essence(text)) && !isReported(path, report.dropped));
    expect(lost.map(({ text, path }) => [path.slice(-3).join('/'), text.trim().slice(0, 80)])).toEqual([]);
  });

  test('all go in as one job, and a second job makes nothing twice', async () => {
    const sources = version1.map((file) => file.bytes);
    const first = await runImportJob(connected, importer.repoId, sources, { import_type: 'eac_xml', import_events: '1' });
    expect(first.failure, first.log.slice(-3000)).toBeNull();
    console.info('eac_xml', JSON.stringify(first.value));
    const again = await runImportJob(connected, importer.repoId, sources, { import_type: 'eac_xml', import_events: '1' });
    expect(again.failure, again.log.slice(-3000)).toBeNull();
    expect((again.value as { created: unknown }).created).toEqual({});
  });

  test.each(files.filter(isVersion2).map((file) => [file.name, file] as const))('%s is EAC-CPF 2.0: the job says so and makes nothing', async (_name, file) => {
    const ended = await runImportJob(connected, importer.repoId, [file.bytes], { import_type: 'eac_xml' });
    expect(ended.failure).toMatchObject({ code: 'import_failed' });
    expect(ended.log).toMatch(/EAC-CPF 2\.0/);
    expect(ended.records).toEqual([]);
  });
});
