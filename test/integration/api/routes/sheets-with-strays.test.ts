// Import sheets with cells that no record has a place for: the log of the job names each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { runJob } from '#test/support/api-jobs.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
});
afterAll(() => api[Symbol.asyncDispose]());

test('cells that mean nothing without another one, or stand below no heading, are named in the log', async () => {
  const repoId = await api.repository('STRAYS');
  const content = [
    'accession_title,accession_number_1,,accession_processed,accession_processed_date,accession_cataloged_note,lang_material_script,agent_type,agent_name_rest_of_name,agent_contact_telephone_ext',
    'Letters,7,Nobody reads this,,1/2/2020,Seen by the cataloguer,Latn,agent_person,Susan,12',
    'Maps,8,,true,2021,,,agent_person,,',
  ].join('\n');
  const ended = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type: 'accession_csv', filenames: ['a.csv'] },
    { file: { name: 'a.csv', content } },
  );
  expect(ended.status, ended.log).toBe('completed');
  expect(ended.log.match(/line \d+, .*/g)).toEqual([
    'line 2, lang_material_script: the row has no lang_material_language: Latn',
    'line 2, agent_name_rest_of_name: the row has no agent_name_primary_name: Susan',
    'line 2, agent_contact_telephone_ext: the row has no agent_name_primary_name: 12',
    'line 2, accession_cataloged_note: the row has no accession_cataloged: Seen by the cataloguer',
    'line 2, accession_processed_date: the row has no accession_processed: 1/2/2020',
    'line 2, C: a column without a heading; it is ignored: Nobody reads this',
  ]);
});
