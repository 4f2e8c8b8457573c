// Every EAC-CPF 2010 document of the real-data folder through the reader and as import jobs: all text is in a record or in the report, the
// records are accepted, and a second import makes nothing twice (EAC-CPF 2.0 has a file of its own). The folder is not part of the repository;
// without it this file skips.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { essence, textsOf } from '../support/eac-texts.ts';
import type { ImportJobs } from '../support/import-job.ts';
import { openImportJobs } from '../support/import-job.ts';
import { readFormat } from '../support/import-reading.ts';
import { readArchive, realDataFolder } from '../support/real-data.ts';
import type { ArchiveFile } from '../support/real-data.ts';
import { isListed, isReported, joinedName, refusedRecords, stringsOf } from '../support/records-of-documents.ts';

const folder = realDataFolder();
const files: readonly ArchiveFile[] = folder === undefined ? [] : readArchive(folder, 'eac.tar.gz');
const about = { isEnumerationValue: isListed };

let imports: ImportJobs;

const isVersion2 = (file: ArchiveFile): boolean =>
  new TextDecoder().decode(file.bytes.subarray(0, 2000)).includes('/eac/v2');
const version1 = files.filter((file) => !isVersion2(file));

// Codes of closed lists: their words are values here.
const coded = /^(entityType|maintenanceStatus|publicationStatus|eventType|agentType|abbreviation)@/;

describe.skipIf(folder === undefined)('real EAC-CPF documents', () => {
  beforeAll(async () => {
    imports = await openImportJobs();
  });
  afterAll(() => imports[Symbol.asyncDispose]());

  test('are there', () => expect([files.length, version1.length]).toEqual([45, 41]));

  test.each(version1.map((file) => [file.name, file] as const))(
    '%s gives an agent that is accepted, and loses nothing unsaid',
    async (_name, file) => {
      const { records, report } = await readFormat('eac_xml', file.bytes, about);
      const hasAgent = /<entityType>(?:person|family|corporateBody)</.test(new TextDecoder().decode(file.bytes));
      expect(records.some((record) => record.jsonmodel_type.startsWith('agent_'))).toBe(hasAgent);
      // Some documents are of laws and artefacts: nothing is made of them, and the report says so.
      if (!hasAgent)
        return expect([records, report.dropped.at(-1)?.reason]).toEqual([
          [],
          'neither a person, a family nor a corporate body',
        ]);
      expect(refusedRecords(records)).toEqual([]);
      const haystack = stringsOf(records, joinedName).map(essence).join('\0');
      const lost = (await textsOf(file)).filter(
        ({ text, path }) =>
          !coded.test(path.at(-1) ?? '') && !haystack.includes(essence(text)) && !isReported(path, report.dropped),
      );
      expect(lost.map(({ text, path }) => [path.slice(-3).join('/'), text.trim().slice(0, 80)])).toEqual([]);
    },
  );

  test('all go in as one job, and a second job makes nothing twice', async () => {
    const sources = version1.map((file) => file.bytes);
    const first = await imports.runJob(sources, { import_type: 'eac_xml', import_events: '1' });
    expect(first.failure, first.log.slice(-3000)).toBeNull();
    console.info('eac_xml', JSON.stringify(first.value));
    const again = await imports.runJob(sources, { import_type: 'eac_xml', import_events: '1' });
    expect(again.failure, again.log.slice(-3000)).toBeNull();
    expect((again.value as { created: unknown }).created).toEqual({});
  });
});
