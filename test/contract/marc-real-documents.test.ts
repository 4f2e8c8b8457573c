// Every MARCXML record of the real-data folder through the readers and as import jobs: all text of every field is in a record or in the
// report, the records are accepted, and each type of import ends well. The folder is not part of the repository; without it this file skips.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportJobs } from '../support/import-job.ts';
import { openImportJobs, runImportJob } from '../support/import-job.ts';
import { readFormat } from '../support/import-reading.ts';
import { readArchive, realDataFolder } from '../support/real-data.ts';
import type { ArchiveFile } from '../support/real-data.ts';
import { isListed, joinedName, refusedRecords, stringsOf } from '../support/records-of-documents.ts';

const folder = realDataFolder();
const files: readonly ArchiveFile[] = folder === undefined ? [] : readArchive(folder, 'marcxml.tar.gz');
const about = { isEnumerationValue: isListed };

let imports: ImportJobs;

const essence = (text: string): string =>
  text
    .replace(/&(?:amp|lt|gt|quot);/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();

/** All texts of the subfields, read without the code under test. */
function subfieldTexts(file: ArchiveFile): readonly string[] {
  const text = new TextDecoder().decode(file.bytes);
  return [...text.matchAll(/<(?:\w+:)?subfield code="[^02-9]"[^>]*>([^<]*)</g)].map((match) => match[1] ?? '');
}

describe.skipIf(folder === undefined)('real MARCXML records', () => {
  beforeAll(async () => {
    imports = await openImportJobs();
  });
  afterAll(() => imports[Symbol.asyncDispose]());

  test('are there', () => expect(files).toHaveLength(60));

  test.each(files.map((file) => [file.name, file] as const))(
    '%s gives a resource that is accepted, and loses nothing unsaid',
    async (_name, file) => {
      const { records, report, of } = await readFormat('marcxml', file.bytes, about);
      expect(of('resource')).toHaveLength(1);
      expect(refusedRecords(records)).toEqual([]);
      const haystack = stringsOf([records, report.dropped.map((part) => part.text)], joinedName)
        .map(essence)
        .join('\0');
      // A report shows the first 200 characters of what was left out.
      expect(subfieldTexts(file).filter((text) => !haystack.includes(essence(text).slice(0, 120)))).toEqual([]);
    },
  );

  test.each(['marcxml', 'marcxml_accession', 'marcxml_subjects_and_agents'])(
    'all go in as one %s job',
    async (importType) => {
      const repository = await imports.create('repository', { repo_code: importType, name: importType });
      const ended = await runImportJob(
        imports.connected,
        repository.id,
        files.map((file) => file.bytes),
        { import_type: importType },
      );
      expect(ended.failure, ended.log.slice(-2000)).toBeNull();
      const created = (ended.value as { created: { [kind: string]: number } }).created;
      expect({ resource: created['resource'] ?? 0, accession: created['accession'] ?? 0 }).toEqual({
        resource: importType === 'marcxml' ? 60 : 0,
        accession: importType === 'marcxml_accession' ? 60 : 0,
      });
      console.info(importType, JSON.stringify(ended.value));
    },
  );
});
