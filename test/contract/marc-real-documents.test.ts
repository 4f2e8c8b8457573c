// Every MARCXML record of the real-data folder through the readers and as import jobs: all text of every field is in a record or in the
// report, the records are accepted, and each type of import ends well. The folder is not part of the repository; without it this file skips.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { kinds } from '#domain/kinds/index.ts';
import { prepare } from '#domain/rules/prepare.ts';
import { handler } from '../../apps/worker/jobs/import-format.ts';
import type { Worker } from '../../apps/worker/run.ts';
import type { Importer } from '../support/batch.ts';
import { openImporter } from '../support/batch.ts';
import { runImportJob } from '../support/import-job.ts';
import { readFormat } from '../support/import-reading.ts';
import { testContext } from '../support/make/prepare-context.ts';
import { readArchive, realDataFolder, type ArchiveFile } from '../support/real-data.ts';
import type { Connected } from '../support/worker.ts';
import { connect, startTestWorker } from '../support/worker.ts';

const folder = realDataFolder();
const files: readonly ArchiveFile[] = folder === undefined ? [] : readArchive(folder, 'marcxml.tar.gz');
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

const essence = (text: string): string => text.replace(/&(?:amp|lt|gt|quot);/g, '').replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** All texts of the subfields, read without the code under test. */
function subfieldTexts(file: ArchiveFile): readonly string[] {
  const text = new TextDecoder().decode(file.bytes);
  return [...text.matchAll(/<(?:\w+:)?subfield code="[^02-9]"[^>]*>([^<]*)</g)].map((match) => match[1] ?? '');
}

describe.skipIf(folder === undefined)('real MARCXML records', () => {
  test('are there', () => expect(files).toHaveLength(60));

  test.each(files.map((file) => [file.name, file] as const))('%s gives a resource that is accepted, and loses nothing unsaid', async (_name, file) => {
    const { records, report, of } = await readFormat('marcxml', file.bytes, about);
    expect(of('resource')).toHaveLength(1);
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
    collect(report.dropped.map((part) => part.text));
    const haystack = strings.join('\0');
    // A report shows the first 200 characters of what was left out.
    expect(subfieldTexts(file).filter((text) => !haystack.includes(essence(text).slice(0, 120)))).toEqual([]);
  });

  test.each(['marcxml', 'marcxml_accession', 'marcxml_subjects_and_agents'])('all go in as one %s job', async (importType) => {
    const repository = await importer.create('repository', { repo_code: importType, name: importType });
    const ended = await runImportJob(connected, repository.id, files.map((file) => file.bytes), { import_type: importType });
    expect(ended.failure, ended.log.slice(-2000)).toBeNull();
    const created = (ended.value as { created: { [kind: string]: number } }).created;
    expect({ resource: created['resource'] ?? 0, accession: created['accession'] ?? 0 }).toEqual({ resource: importType === 'marcxml' ? 60 : 0, accession: importType === 'marcxml_accession' ? 60 : 0 });
    console.info(importType, JSON.stringify(ended.value));
  });
});
