// An index of an older form is made anew when a worker starts.
import { expect, test } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { documentVersion } from '#domain/search/documents/version.ts';
import { Database } from '#store/connection/database.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { endRenewal, renewOldIndex } from '#store/search/document-version.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase, withoutTemplate } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

test('an index of an older form is renewed once, whoever asks; an empty one needs no renewal', async () => {
  await using server = await createDatabase();
  await using database = new Database({ url: server.url, poolSize: 4 });
  const asOld = () => database.transaction((tx) => tx.run(sql`UPDATE search_form SET form = 1`));
  await asOld();
  expect(await renewOldIndex(database)).toBeNull();
  const times = {
    create_time: '2026-01-02T03:04:05Z',
    system_mtime: '2026-01-02T03:04:05Z',
    user_mtime: '2026-01-02T03:04:05Z',
  };
  await indexDocuments(
    database,
    toSearchDocuments('subject', { uri: '/subjects/1', jsonmodel_type: 'subject', title: 'Maps', terms: [], ...times }),
    1,
  );
  expect(await renewOldIndex(database)).toBeNull();
  await asOld();
  const asked = await Promise.all([1, 2, 3].map(() => renewOldIndex(database)));
  expect(asked.filter((job) => job !== null)).toHaveLength(1);
  expect(await database.reader.any(sql.type(AnyRow)`SELECT type, payload::json->>'kinds' AS kinds FROM job`)).toEqual([
    { type: 'reindex', kinds: null },
  ]);
  expect(await database.reader.any(sql.type(AnyRow)`SELECT form FROM search_form`)).toEqual([
    { form: documentVersion },
  ]);
  // It is renewed by another where that one has failed, once again; one that was canceled was meant to end.
  const endAll = (status: string) => database.transaction((tx) => tx.run(sql`UPDATE job SET status = ${status}`));
  await endAll('canceled');
  expect(await renewOldIndex(database)).toBeNull();
  await endAll('failed');
  const again = await Promise.all([1, 2, 3].map(() => renewOldIndex(database)));
  expect(again.filter((job) => job !== null)).toHaveLength(1);
  await database.transaction((tx) => endRenewal(tx, Math.max(...again.map((job) => job ?? 0))));
  await endAll('failed');
  expect(await renewOldIndex(database)).toBeNull();
});

test('a reindexing that an upgrade finds under way keeps what it had not come to, and nobody else does', async () => {
  await using server = await withoutTemplate();
  const migrations = new URL('../../../../db/migrations', import.meta.url);
  await migrate(server.url, migrations, '0024');
  await using database = new Database({ url: server.url, poolSize: 2 });
  await database.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO reindex_fan (lane, way, kind) VALUES (1, 'kind', 'accession'), (1, 'sources', 'accession'), (1, 'kind', 'subject'), (1, 'kind', 'event')`,
    );
    await tx.run(sql`INSERT INTO reindex_run (job_id, total, last_fan) VALUES (4, 9, 1), (7, 9, 3)`);
  });
  await migrate(server.url, migrations);
  expect(await database.reader.any(sql.type(AnyRow)`SELECT way, kind, job_id FROM reindex_fan ORDER BY n`)).toEqual([
    { way: 'kind', kind: 'accession', job_id: 4 },
    { way: 'sources', kind: 'accession', job_id: null },
    { way: 'kind', kind: 'subject', job_id: 7 },
    { way: 'kind', kind: 'event', job_id: null },
  ]);
});
