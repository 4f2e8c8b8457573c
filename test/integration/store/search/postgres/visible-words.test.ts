// What a caller may see as words of the index: the documents of full records of each kind that the condition of visibility lets through have them, whoever asks.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indexedKinds } from '#domain/search/declared.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { word } from '#domain/search/query/tsquery.ts';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { Visibility } from '#store/search/port.ts';
import { toVisibleCondition } from '#store/search/postgres/conditions.ts';
import { toVisibleText, toVisibleWords } from '#store/search/postgres/visible-words.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { harbourRecords, resolvedReplyOf } from '#test/support/harbour.ts';
import { nothingHidden } from '#test/support/index-contents.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { publicUser, staff } from '#test/support/searched-documents.ts';
import { z } from 'zod';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 2 });
  const documents = harbourRecords
    .filter(({ kind }) => indexedKinds.has(kind.name))
    .flatMap((record) => toSearchDocuments(record.kind.name, resolvedReplyOf(record), { isRepositoryPublished: true }));
  await indexDocuments(database, documents, 1);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const IdsRow = z.strictObject({ seen: column.texts, found: column.texts });

/** Documents that a caller may see, and those of them that have the words. */
const seenBy = (visibility: Visibility) => {
  const visible = toVisibleCondition(visibility, nothingHidden);
  return database.reader.one(sql.type(IdsRow)`
    SELECT ARRAY(SELECT d.id FROM search_doc d WHERE ${visible} ORDER BY d.id, d.audience) AS seen,
      ARRAY(SELECT d.id FROM search_doc d WHERE ${visible} AND ${toVisibleWords(visibility)} ORDER BY d.id, d.audience) AS found`);
};

it.each<[string, Visibility]>([
  ['staff', staff],
  ['staff of one repository', { ...staff, repositories: [2] }],
  ['staff of a repository that has nothing', { ...staff, repositories: [9] }],
  ['who may see no repository', { ...staff, repositories: [] }],
  ['the public', publicUser],
  ['the public of one repository', { ...publicUser, repositories: [2] }],
])('are had by all that is seen by %s', async (_, visibility) => {
  const { seen, found } = await seenBy(visibility);
  expect(seen.length).toBeGreaterThan(5);
  expect(found).toEqual(seen);
});

it('are had by nothing that is not published, nor of another repository', async () => {
  const withWords = async (visibility: Visibility): Promise<readonly string[]> => {
    const { ids } = await database.reader.one(
      sql.type(z.strictObject({ ids: column.texts }))`
        SELECT ARRAY(SELECT d.id FROM search_doc d WHERE ${toVisibleWords(visibility)} ORDER BY d.id) AS ids`,
    );
    return ids;
  };
  const [all, open, none] = await Promise.all([
    withWords(staff),
    withWords(publicUser),
    withWords({ ...staff, repositories: [9] }),
  ]);
  expect(open.length).toBeLessThan(all.length);
  expect(none.length).toBeLessThan(all.length);
  expect(none.filter((id) => id.startsWith('/repositories/2/'))).toEqual([]);
  expect(await withWords({ ...staff, repositories: Array.from({ length: 51 }, (_, n) => n + 100) })).toEqual(all);
});

it('stand beside the words that are asked for', () => {
  expect(toVisibleText([word('maps')], staff)).toBe("'maps'");
  expect(toVisibleText([word('maps')], { ...staff, repositories: [2] })).toBe(
    "('maps' & ('x=repository=/repositories/2' | 'x=repository=global'))",
  );
});
