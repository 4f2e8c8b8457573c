// A backup and its restore: everything comes back, at one moment, while writers go on; and what is no whole backup is refused.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { writeBackup } from '#store/backup/backup.ts';
import type { BackupSummary } from '#store/backup/backup.ts';
import { appendChange } from '#store/change-log/append.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { restoreBackup, RestoreUnfinished } from '#store/backup/restore.ts';
import { beginRebuild } from '#store/search/postgres/rebuild.ts';
import { foldCounts, sizeOfScopes } from '#store/search/postgres/facet-counts.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { NumberRow, column, IdRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { backedUp } from '#test/support/backed-up.ts';
import { createDatabase, withoutTemplate } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { holding } from '#test/support/held-table.ts';
import { beside } from '#test/support/lock-waits.ts';
import { openNetwork, targetOf } from '#test/support/network.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { runSql } from '#test/support/run-sql.ts';

const migrations = new URL('../../../../db/migrations/', import.meta.url);
/** Rows whose text is like the marks of the script, and long ones, which do not fit into a chunk. */
const titles = [
  '\\.',
  '\n\\.\n',
  'tab\tand \\ and \r\n',
  'COPY record (id) FROM stdin;',
  "x'); DROP TABLE record; --",
  '💧'.repeat(200_000),
];

let origin: TestDatabase;
let connected: Connected;
let whole: Buffer;
beforeAll(async () => {
  origin = await createDatabase();
  connected = connect(origin.url, 6);
  const { database } = connected;
  await database.transaction(async (tx) => ensureKinds(tx, kinds.values()));
  await write(titles);
  await database.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO blob (id, file_name, media_type, size_bytes, complete) VALUES ('6b0b8a0e-0000-4000-8000-000000000001', 'a', 'b', 4, true)`,
    );
    await tx.run(sql`INSERT INTO blob_chunk VALUES ('6b0b8a0e-0000-4000-8000-000000000001', 0, '\\x000a5c2e'::bytea)`);
  });
  // What a trigger counts of documents must not be counted anew by a restore.
  await indexDocuments(
    database,
    [...toSearchDocuments('subject', subject(1)), ...toSearchDocuments('subject', subject(2))],
    1,
  );
  await foldCounts(database);
  await indexDocuments(database, toSearchDocuments('subject', subject(3)), 1);
  await sequenceChanges(database);
  whole = (await backedUp(origin.url)).file;
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await origin.drop();
});

const subject = (id: number): JsonObject => ({
  uri: `/subjects/${id}`,
  jsonmodel_type: 'subject',
  title: 'Maps',
  terms: [],
  create_time: '2026-01-02T03:04:05Z',
  system_mtime: '2026-01-02T03:04:05Z',
  user_mtime: '2026-01-02T03:04:05Z',
});

/** Components with these titles, each with its change, in one transaction. */
async function write(texts: readonly string[]): Promise<void> {
  await connected.database.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO record (kind, id, repo_id, label, publish, body)
      SELECT 'subject', nextval('subject_id_seq'), 1, title, false, json_build_object('title', title) FROM unnest(${sql.array(texts, 'text')}) AS title`);
    await appendChange(tx, { kind: 'subject', id: 1, repoId: null, op: 'create', actor: 'ann', lockVersion: 0 });
  });
}

const restore = async (url: string, file: Buffer, by = migrations): Promise<BackupSummary> =>
  restoreBackup({ url, source: Readable.from([file]), migrations: by, kinds: [...kinds.values()] });

/** The script without what a restore is meant to change: the log and its numbers, numbers of transactions, and the moment. */
function comparable(file: Buffer): readonly string[] {
  const sections = gunzipSync(file)
    .toString('utf8')
    .split(/^(?=COPY |SELECT )/m)
    .slice(1);
  return sections
    .filter((section) => !/^(COPY (change|feed|sequencer|search_hiding) |SELECT setval\('change_seq)/.test(section))
    .map((section) => (section.startsWith('COPY search_hidden ') ? section.replace(/\d+(?=\t[^\t]*$)/gm, '') : section))
    .map((section) => section.replace(/^-- end .*/m, ''));
}

describe('restore', () => {
  test('gives back every row and sequence, and numbers new changes far beyond those that clients saw', async () => {
    await using empty = await withoutTemplate();
    expect(await restore(empty.url, whole)).toMatchObject({ rows: expect.any(Number) });
    expect(comparable((await backedUp(empty.url)).file)).toEqual(comparable(whole));
    await using restored = connect(empty.url, 2);
    const { n: last } = await connected.database.reader.one(sql.type(NumberRow)`SELECT n FROM sequencer`);
    await restored.database.transaction(async (tx) =>
      appendChange(tx, { kind: 'subject', id: 9, repoId: null, op: 'create', actor: null, lockVersion: 0 }),
    );
    await sequenceChanges(restored.database);
    const feed = await restored.database.reader.any(sql.type(z.strictObject({ n: column.int, id: column.int }))`
      SELECT n, id FROM feed ORDER BY n`);
    expect(feed.at(-1)).toMatchObject({ id: 9 });
    expect(feed.at(-1)?.n).toBeGreaterThanOrEqual(last + 1_000_000);
    await indexDocuments(restored.database, toSearchDocuments('subject', subject(4)), 1);
    expect(
      await restored.database.reader.one(sql.type(AnyRow)`
      SELECT ${sizeOfScopes({ condition: sql.fragment`true`, hidden: null })} AS documents`),
    ).toEqual({
      documents: 4,
    });
    expect(await restored.database.write(sql.type(IdRow)`SELECT nextval('subject_id_seq') AS id`)).toEqual([
      { id: titles.length + 1 },
    ]);
  });

  // One database for all of them: each finds it as empty as the one before left it.
  let refusing: TestDatabase;
  beforeAll(async () => {
    refusing = await withoutTemplate();
  });
  afterAll(() => refusing.drop());

  test.each([
    ['cut off in the middle', (file: Buffer) => file.subarray(0, file.length / 2), /damaged|not whole/],
    [
      'without its end',
      (file: Buffer) =>
        gzipSync(
          gunzipSync(file)
            .toString('utf8')
            .replace(/^-- end .*\n/m, ''),
        ),
      /its end is missing/,
    ],
    [
      'with a row too few',
      (file: Buffer) =>
        gzipSync(
          gunzipSync(file)
            .toString('utf8')
            .replace(/^(COPY blob_chunk .*\n).*\n/m, '$1'),
        ),
      /of table blob_chunk 0 rows are there and 1 should be/,
    ],
    [
      'with other statements',
      (file: Buffer) =>
        gzipSync(
          gunzipSync(file)
            .toString('utf8')
            .replace(/^SELECT setval.*$/m, 'DROP TABLE record;'),
        ),
      /does not understand/,
    ],
    [
      'of a newer version',
      (file: Buffer) =>
        gzipSync(
          gunzipSync(file)
            .toString('utf8')
            .replace('"migrations":[', '"migrations":[{"name":"9999_later.sql","sha256":""},'),
        ),
      /9999_later\.sql/,
    ],
    [
      'with a row that is none',
      (file: Buffer) =>
        gzipSync(
          gunzipSync(file)
            .toString('utf8')
            .replace(/^(COPY blob_chunk .*\n).*\n/m, '$1nothing\n'),
        ),
      /The file is damaged or not a backup of Muniment \(/,
    ],
    ['that is another file', () => Buffer.from('{}'), /not a backup/],
  ])('refuses a file %s and leaves the database empty', async (_what, damage, words) => {
    await expect(restore(refusing.url, damage(whole))).rejects.toThrow(words);
  });

  test('takes the whole file where it refused another', async () => {
    await expect(restore(refusing.url, Buffer.from('{}'))).rejects.toThrow('not a backup');
    await restore(refusing.url, whole);
    await expect(restore(refusing.url, whole)).rejects.toThrow('The database is not empty');
  });

  test('says where to restore to where one of a later version has failed before', async () => {
    await using empty = await withoutTemplate();
    await expect(restore(empty.url, gzipSync(gunzipSync(whole).subarray(0, -10)))).rejects.toThrow(/whole|damaged|end/);
    const older = gunzipSync(whole)
      .toString('latin1')
      .replace(/,\s*\{"name" ?: ?"[^"]*", ?"sha256" ?: ?"[^"]*"\}\]/, ']');
    await expect(restore(empty.url, gzipSync(Buffer.from(older, 'latin1')))).rejects.toThrow(
      /tables of a later version than the backup.*new data folder/,
    );
  });

  test('leaves alone what is brought in at this moment by somebody else', async () => {
    await using empty = await withoutTemplate();
    await expect(restore(empty.url, gzipSync(gunzipSync(whole).subarray(0, -10)))).rejects.toThrow(/whole|damaged|end/);
    await using starting = connect(empty.url, 3);
    const { database } = starting;
    const insert = sql`INSERT INTO record (kind, id, repo_id, label, publish, body) VALUES ('subject', 1, 1, 'first', false, '{}')`;
    const refused = await beside(
      database,
      (tx) => tx.run(insert),
      () => restore(empty.url, whole).catch(String),
    );
    expect(refused).toContain('The database is not empty');
    expect(await database.reader.any(sql.type(AnyRow)`SELECT label FROM record`)).toEqual([{ label: 'first' }]);
  });

  test.each([
    ['without the function that an index of archival objects is over', '0063_hidden_by_walking.sql'],
    ['without parts of revisions', '0061_revisions_proved.sql'],
    ['without files elsewhere', '0056_merges_in_steps.sql'],
  ])('gives tables of an earlier version, %s, what has come since', async (_what, until) => {
    await using old = await withoutTemplate();
    await migrate(old.url, migrations, until);
    await runSql(
      old.url,
      `CREATE TABLE record_archival_object PARTITION OF record FOR VALUES IN ('archival_object');
      INSERT INTO record (kind, id, repo_id, label, publish, body) VALUES ('archival_object', 1, 1, 'first', false, '{"ref_id":"a"}')`,
    );
    const { file } = await backedUp(old.url);
    await using empty = await withoutTemplate();
    await restore(empty.url, file);
    await using restored = connect(empty.url, 2);
    expect(
      await restored.database.reader.one(sql.type(AnyRow)`
        SELECT (SELECT label FROM record) AS label, (SELECT indisvalid FROM pg_index WHERE indexrelid = 'record_archival_object_instances_idx'::regclass) AS indexed`),
    ).toEqual({ label: 'first', indexed: true });
  });

  test('says that the data is in where what comes behind it fails', async () => {
    await using empty = await withoutTemplate();
    const folder = mkdtempSync(join(tmpdir(), 'muniment-migrations-'));
    cpSync(migrations, folder, { recursive: true });
    writeFileSync(join(folder, '9999_broken.sql'), 'SELECT 1 / 0;');
    const failed = await restore(empty.url, whole, pathToFileURL(`${folder}/`)).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RestoreUnfinished);
    expect(String(failed)).toMatch(/division by zero/);
    await using restored = connect(empty.url, 2);
    expect(await restored.database.reader.any(sql.type(AnyRow)`SELECT FROM record WHERE label = '\\.'`)).toHaveLength(
      1,
    );
    rmSync(folder, { recursive: true });
  });

  test('refuses a database that holds records', async () => {
    await expect(restore(origin.url, whole)).rejects.toThrow('The database is not empty');
  });
});

describe('backup', () => {
  test('is of one moment while writers go on, and its sequences are not behind its rows', async () => {
    let isOver = false;
    const writers = Array.from({ length: 3 }, async () => {
      while (!isOver) await write(['one', 'two']);
    });
    const { file } = await backedUp(origin.url);
    isOver = true;
    await Promise.all(writers);
    await using empty = await withoutTemplate();
    await restore(empty.url, file);
    await using restored = connect(empty.url, 2);
    // Each transaction wrote two records and one change.
    const counts = await restored.database.reader.one(sql.type(
      z.strictObject({ odd: column.int, behind: column.bool }),
    )`
      SELECT (SELECT count(*) FROM record WHERE kind = 'subject' AND label IN ('one', 'two')) - 2 * ((SELECT count(*) FROM feed WHERE actor = 'ann') - 1) AS odd,
        (SELECT max(id) FROM record WHERE kind = 'subject') > (SELECT last_value FROM subject_id_seq) AS behind`);
    expect(counts).toEqual({ odd: 0, behind: false });
  });

  test('has the search index as it is, and nothing of one that is made beside it', async () => {
    await using own = await createDatabase();
    await using generatedValues = connect(own.url, 4);
    await indexDocuments(generatedValues.database, toSearchDocuments('subject', subject(1)), 1);
    await generatedValues.database.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO reindex_due (lane, kind, id) VALUES (0, 'subject', 1), (2, 'subject', 1)`);
      await beginRebuild(tx, 1);
    });
    const { file } = await backedUp(own.url);
    await using empty = await withoutTemplate();
    await restore(empty.url, file);
    await using restored = connect(empty.url, 2);
    expect(
      await restored.database.reader.one(sql.type(AnyRow)`
        SELECT (SELECT count(*)::int FROM search_doc) AS documents, (SELECT count(*)::int FROM search_build) AS builds, ARRAY(SELECT lane::int FROM reindex_due) AS due`),
    ).toEqual({ documents: 1, builds: 0, due: [0] });
  });

  test('holds the tables that may be replaced before it looks at anything', async () => {
    const locks = () =>
      connected.database.reader.any(sql.type(AnyRow)`
      SELECT c.relname AS table FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_stat_activity a USING (pid)
      WHERE a.application_name = 'muniment backup' AND l.granted AND c.relname IN ('search_doc', 'search_body') ORDER BY 1`);
    await holding(connected.database, { table: 'migration', against: 'all' }, async (isMet) => {
      const made = backedUp(origin.url);
      await isMet();
      expect(await locks()).toEqual([{ table: 'search_body' }, { table: 'search_doc' }]);
      return { made };
    }).then(({ made }) => made);
    expect(await locks()).toEqual([]);
  });

  test('fails where its file cannot be written', async () => {
    const full = new PassThrough();
    void pipeline(full, new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) })).catch(
      () => undefined,
    );
    await expect(writeBackup(origin.url, full)).rejects.toThrow();
  });

  test('fails, and does not end the process, where the connection breaks in the middle', async () => {
    await using network = await openNetwork(targetOf(origin.url));
    const url = `postgresql://${new URL(origin.url).username}@127.0.0.1:${network.port}${new URL(origin.url).pathname}`;
    await holding(connected.database, { table: 'migration', against: 'all' }, async (isMet) => {
      const made = backedUp(url);
      await isMet();
      network.cut();
      await expect(made).rejects.toThrow('terminated');
    });
  });
});
