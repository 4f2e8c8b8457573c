// An index of an older form is made anew when a worker starts.
import { expect, test } from 'vitest';
import { toSearchDocuments } from '#domain/search/document.ts';
import { indexForm } from '#domain/search/form.ts';
import { Database } from '#store/database.ts';
import { renewOldIndex } from '#store/search/form.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { sql } from '#store/sql.ts';
import { createDatabase } from '#test/support/database.ts';

test('an index of an older form is renewed once, whoever asks; an empty one needs no renewal', async () => {
  await using server = await createDatabase();
  await using database = new Database({ url: server.url, poolSize: 4 });
  const asOld = () => database.transaction((tx) => tx.run(sql`UPDATE search_form SET form = 1`));
  await asOld();
  expect(await renewOldIndex(database)).toBeNull();
  const times = { create_time: '2026-01-02T03:04:05Z', system_mtime: '2026-01-02T03:04:05Z', user_mtime: '2026-01-02T03:04:05Z' };
  await postgresSearch(database).index(toSearchDocuments('subject', { uri: '/subjects/1', jsonmodel_type: 'subject', title: 'Maps', terms: [], ...times }), 1);
  expect(await renewOldIndex(database)).toBeNull();
  await asOld();
  const asked = await Promise.all([1, 2, 3].map(() => renewOldIndex(database)));
  expect(asked.filter((job) => job !== null)).toHaveLength(1);
  expect(await database.reader.any(sql`SELECT type, payload::json->>'kinds' AS kinds FROM job`)).toEqual([{ type: 'reindex', kinds: null }]);
  expect(await database.reader.any(sql`SELECT form FROM search_form`)).toEqual([{ form: indexForm }]);
});
