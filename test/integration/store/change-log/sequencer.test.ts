// What is removed of the log of changes once it is in the feed.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pruneChanges } from '#store/change-log/sequencer.ts';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';

const Kind = z.strictObject({ kind: column.text });

test('all changes that were published over an hour ago are removed at once, however many they are, and no others', async () => {
  await using server = await createDatabase();
  await using database = new Database({ url: server.url, poolSize: 2 });
  // Of a transaction before all others, so that they are published whatever is open; the last one of one that is still to come.
  await database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM change`);
    await tx.run(sql`INSERT INTO change (xid, kind, id, op, at)
      SELECT '3'::xid8, 'old', n, 'update', now() - interval '61 minutes' FROM generate_series(1, 20001) n`);
    await tx.run(sql`INSERT INTO change (xid, kind, id, op, at) VALUES
      ('3'::xid8, 'young', 1, 'update', now() - interval '59 minutes'), ((1::bigint << 40)::text::xid8, 'unpublished', 1, 'update', now() - interval '2 hours')`);
  });
  expect(await pruneChanges(database)).toBe(20_001);
  expect(await database.reader.any(sql.type(Kind)`SELECT kind FROM change ORDER BY seq`)).toEqual([
    { kind: 'young' },
    { kind: 'unpublished' },
  ]);
  expect(await pruneChanges(database)).toBe(0);
});
