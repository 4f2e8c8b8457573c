// Following the feed for harvesters: what it costs does not depend on how much a change concerns, and small changes do not wait for large ones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { appendChange } from '#store/change-log/append.ts';
import { Database } from '#store/connection/database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { ensureFollower, followChunk } from '#store/change-log/followers.ts';
import { applyOaiEntries, oaiFollower, workOffOai } from '#store/oai/follow.ts';
import { readOaiItem, readOaiPage, readOaiRange } from '#store/oai/pages.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { AnyRow } from '#test/support/rows.ts';
import { NumberRow, column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
import { createRoot } from '#store/trees/root.ts';
import { counting } from '#test/support/count-statements.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';

const repoId = 900;
// More than two batches, of a thousand each.
const many = 2100;
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 1 });
  // Tables stay as they were last analysed: empty, or with few rows. That is where plans went wrong.
  await database.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL session_replication_role = replica`);
    await tx.run(sql`ALTER TABLE record_archival_object SET (autovacuum_enabled = false)`);
    await tx.run(sql`ALTER TABLE tree_node SET (autovacuum_enabled = false)`);
    await tx.run(sql`ALTER TABLE oai_item SET (autovacuum_enabled = false)`);
    await tx.run(
      sql`INSERT INTO record (kind, id, publish, label, body) VALUES ('repository', ${repoId}, true, 'R', '{"jsonmodel_type":"repository","repo_code":"R"}')`,
    );
  });
  await ensureFollower(database, oaiFollower, 'now');
  await plant(1, 0, 10);
  await plant(2, 100, many);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** An unpublished resource with a series in which all others are, with ids from `first` + 1. */
async function plant(rootId: number, first: number, count: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO record (kind, id, repo_id, publish, label, body) VALUES ('resource', ${rootId}, ${repoId}, false, 'Papers', '{"jsonmodel_type":"resource","title":"Papers","publish":false}')`,
    );
    await tx.run(
      sql`INSERT INTO record (kind, id, repo_id, publish, label, body) SELECT 'archival_object', ${first}::int + i, ${repoId}, false, 'Part', '{"jsonmodel_type":"archival_object","title":"Part","level":"file","publish":false}' FROM generate_series(1, ${count}::int) AS i`,
    );
    const tree = treeUnder(kindNamed('archival_object'), repoId, rootId);
    await createRoot(tx, tree);
    await bulkLoadTree(
      tx,
      tree,
      sql.fragment`SELECT ${first}::int + i AS id, ${rootId}::int AS root_id, CASE WHEN i > 1 THEN ${first}::int + 1 END AS parent_id, i AS position, i AS seq, false AS visible, 'file' AS level FROM generate_series(1, ${count}::int) AS i`,
      { keepsPositions: true },
    );
    await appendChange(tx, {
      kind: 'archival_object',
      ids: Array.from({ length: count }, (_, n) => first + n + 1),
      repoId,
      op: 'create',
      actor: null,
    });
  });
}

const publish = (id: number, isPublic: boolean): Promise<number> =>
  database.transaction((tx) =>
    publishRecord(tx, {
      kind: kindNamed('resource'),
      id,
      repoId,
      publish: isPublic,
      seesSuppressed: true,
      actor: 'admin',
    }),
  );

/** Follows to the end; gives the most statements of a chunk of the feed, of a batch, and the number of batches. */
async function follow(): Promise<{ readonly chunk: number; readonly batch: number; readonly batches: number }> {
  const most = { chunk: 0, batch: 0, batches: 0 };
  await sequenceChanges(database);
  const watched = {
    reader: database.reader,
    transaction: <T>(work: (tx: Transaction) => Promise<T>, options = {}): Promise<T> =>
      database.transaction(async (tx) => {
        const counted = counting(tx);
        const value = await work(counted.tx);
        most.batch = Math.max(most.batch, counted.count());
        return value;
      }, options),
  };
  const apply: typeof applyOaiEntries = async (entries, tx) => {
    const counted = counting(tx);
    await applyOaiEntries(entries, counted.tx);
    most.chunk = Math.max(most.chunk, counted.count());
  };
  while ((await followChunk(database, oaiFollower, apply)) > 0) continue;
  while (await workOffOai(watched)) most.batches += 1;
  return most;
}

const counts = (): Promise<{ readonly shown: number; readonly deleted: number }> =>
  database.reader.one(sql.type(z.strictObject({ shown: column.int, deleted: column.int }))`
    SELECT count(*) FILTER (WHERE NOT deleted) AS shown, count(*) FILTER (WHERE deleted) AS deleted FROM oai_item WHERE kind = 'archival_object' AND id > 100`);

const lastNumber = async (): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT coalesce(max(n), 0)::int AS n FROM oai_item`)).n;

const Prepared = z.strictObject({ text: column.text, custom: column.int, generic: column.int });

describe('following a change', () => {
  it('of one record after the other plans its statements once', async () => {
    for (let round = 0; round < 8; round++) {
      await publish(1, round % 2 === 0);
      await follow();
    }
    // As an autovacuum may do at this moment, to which one page is cheaper than its index.
    await database.transaction((tx) => tx.run(sql`ANALYZE oai_item`));
    // Of the one connection that there is.
    const statements = await database.reader.any(sql.type(Prepared)`
      SELECT statement AS text, custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements WHERE statement LIKE '%INSERT INTO oai_item%'`);
    expect(statements.length).toBeGreaterThan(1);
    for (const { text, custom, generic } of statements) expect([custom, generic > 0], text).toEqual([0, true]);
  });

  it('of thousands takes as many statements for each chunk and batch as one of ten', async () => {
    await follow();
    await publish(1, true);
    const small = await follow();
    expect(small.batches, 'little is followed at once').toBe(0);
    await publish(2, true);
    const large = await follow();
    expect(await counts()).toEqual({ shown: many, deleted: 0 });
    expect(
      [large.chunk <= small.chunk + 2, large.batch <= small.chunk + 4, large.batches >= 3],
      JSON.stringify({ small, large }),
    ).toEqual([true, true, true]);
    await publish(2, false);
    const hidden = await follow();
    expect(await counts()).toEqual({ shown: 0, deleted: many });
    expect([hidden.chunk <= large.chunk, hidden.batch <= large.batch], JSON.stringify({ hidden, large })).toEqual([
      true,
      true,
    ]);
  });

  it('reads no table from end to end', async () => {
    const scans = async (): Promise<unknown> => {
      await database.reader.any(sql.type(AnyRow)`SELECT pg_stat_force_next_flush()`);
      return database.reader.any(sql.type(AnyRow)`
        SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname IN ('record_archival_object', 'tree_node', 'link', 'oai_item', 'revision') ORDER BY relname`);
    };
    await publish(2, true);
    await sequenceChanges(database);
    const before = await scans();
    expect(before).toHaveLength(5);
    await follow();
    expect(await scans()).toEqual(before);
    await publish(2, false);
    await sequenceChanges(database);
    const again = await scans();
    await follow();
    const { upTo } = await readOaiRange(database.reader, { from: null, until: null });
    await readOaiPage(
      database.reader,
      { after: upTo - 500, upTo },
      { kinds: ['resource', 'archival_object'], selection: {}, limit: 25 },
    );
    expect(await scans()).toEqual(again);
  });

  it('of one record does not wait for those of a large change before it', async () => {
    await publish(2, true);
    await database.transaction(async (tx) =>
      appendChange(tx, { kind: 'archival_object', id: 2, lockVersion: 1, repoId, op: 'update', actor: null }),
    );
    const before = (
      await database.reader.one(sql.type(NumberRow)`
        SELECT n FROM oai_item WHERE kind = 'archival_object' AND id = 2`)
    ).n;
    await sequenceChanges(database);
    while ((await followChunk(database, oaiFollower, applyOaiEntries)) > 0) continue;
    expect(
      (
        await database.reader.one(sql.type(NumberRow)`
        SELECT n FROM oai_item WHERE kind = 'archival_object' AND id = 2`)
      ).n,
    ).toBeGreaterThan(before);
    // What is due still is told as the records are.
    expect(await counts()).toEqual({ shown: 0, deleted: many });
    expect((await readOaiItem(database.reader, { kind: 'archival_object', id: 500, repoId }))?.deleted).toBe(false);
    await follow();
    expect(await counts()).toEqual({ shown: many, deleted: 0 });
  });

  it('writes each item of a tree that appears once, though all stand below one of them', async () => {
    const count = 1100;
    await plant(3, 10_000, count);
    await follow();
    const before = await lastNumber();
    await publish(3, true);
    await follow();
    expect(await lastNumber()).toBe(before + count + 1);
  });

  it('walks up from nothing that harvesters neither see nor have seen', async () => {
    const lookups = async (): Promise<number> => {
      await database.reader.any(sql.type(AnyRow)`SELECT pg_stat_force_next_flush()`);
      const { n } = await database.reader.one(sql.type(NumberRow)`
        SELECT idx_scan::int AS n FROM pg_stat_user_tables WHERE relname = 'tree_node'`);
      return n;
    };
    await plant(4, 20_000, 1100);
    await sequenceChanges(database);
    const before = await lookups();
    await follow();
    expect((await lookups()) - before).toBeLessThan(100);
    // The same, once they are to be seen.
    await publish(4, true);
    await sequenceChanges(database);
    const seen = await lookups();
    await follow();
    expect((await lookups()) - seen).toBeGreaterThan(1100);
  });

  it('of a repository that takes another name dates all of its items anew', async () => {
    const take = async (name: string, op: 'create' | 'update'): Promise<void> => {
      const body = JSON.stringify({ jsonmodel_type: 'repository', repo_code: 'R', name });
      await database.transaction(async (tx) => {
        await tx.run(sql`UPDATE record SET body = ${body}::json WHERE kind = 'repository' AND id = ${repoId}`);
        await appendChange(tx, { kind: 'repository', id: repoId, repoId: null, op, actor: null, lockVersion: 1 });
      });
      await follow();
    };
    await take('Archive', 'create');
    const before = await lastNumber();
    await take('Archives', 'update');
    const dated = await database.reader.one(sql.type(z.strictObject({ shown: column.int, anew: column.int }))`
      SELECT count(*) AS shown, count(*) FILTER (WHERE n > ${before}) AS anew FROM oai_item WHERE NOT deleted`);
    expect(dated.shown).toBeGreaterThan(many);
    expect(dated.anew).toBe(dated.shown);
  });
});
