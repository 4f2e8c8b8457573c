// The collection of Typesense: its fields, and the document of a row of search_doc.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { collectionFields, documentIdsOf, schemaDigest, toTypesenseDocument } from '#store/search/typesense/schema.ts';
import type { MirroredRow } from '#store/search/typesense/schema.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

it('has a field for each way to find, order, count and answer documents', async () => {
  await expectKept(keptText(collectionFields(), 1), 'typesense/collection-fields.json');
});

it('is another one as soon as a field is', () => {
  const whole = createHash('sha256').update(JSON.stringify(collectionFields())).digest('hex');
  expect(schemaDigest()).toMatch(/^[0-9a-f]{12}$/);
  expect(whole.startsWith(schemaDigest())).toBe(true);
});

const row: MirroredRow = {
  id: '/repositories/2/resources/1',
  uri: '/repositories/2/resources/1',
  kind: 'resource',
  record_id: 1,
  repo_id: 2,
  audience: 1,
  published: true,
  suppressed: false,
  factor: 1.5,
  len: 12,
  title_sort: 'harbour board',
  identifier_sort: 'ms0001',
  create_time: 1_700_000_000_000,
  user_mtime: 1_700_000_000_001,
  system_mtime: 1_700_000_000_002,
  sorts: { level: 'fonds', year_sort: 1868, finding_aid: '' },
  tsv: `'harbour':1B,3 'board':2B 'k=ms1' 't=harbour':1B 't=board':2B 'x=level=fonds'`,
  stored: JSON.stringify({
    title: 'Harbour Board',
    repository: '/repositories/2',
    used_within_repository: ['/repositories/3', 'global', '/repositories/2', 4],
  }),
  values: [
    ['level', 7],
    ['subjects', 8],
    ['subjects', 9],
  ],
};

it('takes a row as a document: tokens, sort keys by their type, numbers of values, places each once', async () => {
  await expectKept(keptText(toTypesenseDocument(row), 1), 'typesense/document.json');
});

it('leaves out what a row has no value for', async () => {
  const bare: MirroredRow = {
    ...row,
    id: '/subjects/3',
    uri: '/subjects/3',
    kind: 'subject',
    record_id: 3,
    repo_id: null,
    published: false,
    title_sort: null,
    identifier_sort: '',
    create_time: null,
    user_mtime: null,
    system_mtime: null,
    sorts: {},
    tsv: '',
    stored: '{"repository":"global"}',
    values: [],
  };
  await expectKept(keptText(toTypesenseDocument(bare), 1), 'typesense/bare-document.json');
});

it("keeps the public's own document of a record beside the one of everybody else", () => {
  const { first, second } = documentIdsOf({ kind: 'resource', id: 1 });
  const idOf = (audience: number): unknown => toTypesenseDocument({ ...row, audience })['id'];
  expect([idOf(0), idOf(1), idOf(2)]).toEqual([first, first, second]);
  expect(first).not.toBe(second);
  // `1` and `11` of two kinds are not to be told apart by where the number begins.
  expect(documentIdsOf({ kind: 'resource', id: 11 }).first).not.toBe(first);
});
