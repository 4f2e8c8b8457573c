// What a load over an earlier one finds here: records that lines replace, those that the source has deleted, and those that both sides have written.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '#store/connection/database.ts';
import { copyAddresses, createLoadStage, replaceLoadedRecords } from '#store/loading/stage.ts';
import { deleteGone, findReplaced, hasLoads, liftTrees, readWrittenTwice, takeOutOld } from '#store/loading/update.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const lines = (...rows: readonly (readonly (string | number)[])[]): readonly Uint8Array[] => [
  Buffer.from(rows.map((row) => `${row.join('\t')}\n`).join('')),
];
const none = String.raw`\N`;

it('takes out what lines replace, deletes what is gone, and tells what was made here', async () => {
  await database.transaction(async (tx) => {
    expect(await hasLoads(tx)).toBe(false);
    await tx.run(sql`
      INSERT INTO record (kind, id, label, body) SELECT 'subject', n, 'S' || n, '{"jsonmodel_type":"subject"}'::json FROM generate_series(901, 904) n`);
    // The last one was made here.
    await tx.run(
      sql`INSERT INTO loaded (kind, id, at) SELECT 'subject', n, now() - interval '1 hour' FROM generate_series(901, 903) n`,
    );
    await tx.run(sql`
      INSERT INTO revision (kind, id, lock_version, op, label, suppressed, user_mtime, body) VALUES ('subject', 902, 0, 'update', 'S', false, now(), '{}'), ('subject', 901, 0, 'load', 'S', false, now(), '{}')`);
    await createLoadStage(tx);
    await copyAddresses(
      tx,
      lines(
        ['subject', 901, none, 0, '/subjects/901', none],
        ['subject', 902, none, 1, '/subjects/902', none],
        ['subject', 904, none, 2, '/subjects/904', none],
        ['subject', 905, none, 3, '/subjects/905', none],
      ),
      lines(['/subjects/903', 'subject', 903, none], ['/subjects/999', 'subject', 999, none]),
    );
    await findReplaced(tx);
    expect(await readWrittenTwice(tx, 10)).toEqual([
      { uri: '/subjects/902', label: 'S902', made: false, deleted: false },
      { uri: '/subjects/904', label: 'S904', made: true, deleted: false },
    ]);
    await takeOutOld(tx, 'admin');
    await liftTrees(tx);
    expect(await deleteGone(tx, 'admin')).toEqual([]);
    const rows = sql.type(NumberRow)`SELECT count(*)::int AS n FROM record WHERE kind = 'subject' AND id > 900`;
    // Their rows stay for what the lines say: nobody who waits for one is told that there is none.
    expect((await tx.one(rows)).n).toBe(3);
    const time = '2026-01-01T00:00:00Z';
    await replaceLoadedRecords(
      tx,
      'subject',
      lines(
        ...[901, 902, 904, 905].map((id) => [
          'subject',
          id,
          none,
          5,
          't',
          'f',
          `New ${id}`,
          none,
          none,
          time,
          time,
          time,
          '{}',
        ]),
      ),
    );
    const left = sql.type(
      NumberRow,
    )`SELECT count(*)::int AS n FROM record WHERE kind = 'subject' AND id > 900 AND label NOT LIKE 'New %'`;
    expect((await tx.one(left)).n).toBe(0);
    expect((await tx.one(rows)).n).toBe(4);
    const kept = sql.type(
      NumberRow,
    )`SELECT count(*)::int AS n FROM revision WHERE kind = 'subject' AND op = 'load' AND actor = 'admin'`;
    expect((await tx.one(kept)).n).toBe(3);
  });
});
