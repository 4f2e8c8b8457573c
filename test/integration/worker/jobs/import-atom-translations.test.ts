// Sheets of AtoM that say the same in several languages: a row for each culture, of which one is a record.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sheet } from '#test/support/atom-sheet.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository('CULTURES');
});
afterAll(() => api[Symbol.asyncDispose]());

const imported = (import_type: string, content: string): Promise<EndedJob> =>
  runJob(
    api,
    repoId,
    { jsonmodel_type: 'import_job', import_type, filenames: ['a.csv'] },
    { file: { name: 'a.csv', content } },
  );

test.each([
  ['by their legacyId', '7'],
  ['by their number', ''],
])('translations of accessions are known %s, and told', async (_how, legacyId) => {
  const accessionNumber = `2001/${legacyId}`;
  const ended = await imported(
    'atom_accession_csv',
    sheet([
      { accessionNumber, legacyId, title: 'Letters', culture: 'en', donorName: `Gift ${legacyId} of Ann` },
      { accessionNumber, legacyId, title: 'Lettres', culture: 'fr', donorName: `Don ${legacyId} de Ann` },
      { accessionNumber: `${accessionNumber}b`, legacyId: '', title: 'Maps', culture: 'en', donorName: '' },
    ]),
  );
  expect(ended.status, ended.log).toBe('completed');
  const titles = await Promise.all(
    ended.records.filter((uri) => uri.includes('/accessions/')).map(async (uri) => (await api.get(uri)).json['title']),
  );
  expect(titles.toSorted()).toEqual(['Letters', 'Maps']);
  expect(ended.records.filter((uri) => uri.startsWith('/agents/'))).toHaveLength(1);
  expect(ended.log).toContain(
    'line 3, culture: a translation; a record has one language, and that of line 2 is kept: fr: Lettres',
  );
});

test('translations of authority records make no second agent, and are told', async () => {
  const typeOfEntity = 'Corporate body';
  const ended = await imported(
    'atom_authority_csv',
    sheet([
      { legacyId: '9', typeOfEntity, authorizedFormOfName: 'Harbour Office', culture: 'en' },
      { legacyId: '9', typeOfEntity, authorizedFormOfName: 'Bureau du port', culture: 'fr' },
      { legacyId: '10', typeOfEntity, authorizedFormOfName: 'Harbour Police', culture: 'en' },
    ]),
  );
  expect(ended.status, ended.log).toBe('completed');
  const names = await Promise.all(
    ended.records.filter((uri) => uri.startsWith('/agents/')).map(async (uri) => (await api.get(uri)).json['title']),
  );
  expect(names.toSorted()).toEqual(['Harbour Office', 'Harbour Police']);
  expect(ended.log).toContain(
    'line 3, culture: a translation; a record has one language, and that of line 2 is kept: fr: Bureau du port',
  );
});
