// Merging an agent with 100,000 links: against the bare UPDATE of the same link rows, and against that with the bare rewriting of the refs
// in the same bodies, without which no record would show the merge. Undoing it; and what a reader meets meanwhile.
import { kinds } from '#domain/kinds/index.ts';
import { toMergeRecords } from '#domain/merges/merges.ts';
import { Database } from '#store/connection/database.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { mergeRecords } from '#store/merges/merge.ts';
import { undoMerge } from '#store/merges/undo.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { generatedValues } from '../../apps/generated-values.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';

const links = 100_000;
const rounds = 3;
const longMs = 600_000;
const uri = (id: number): string => `/agents/people/${id}`;

/** Measures on a PostgreSQL of its own with its usual durability, made and removed here. Takes about two minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await migrate(url, new URL('../../db/migrations', import.meta.url));
    await using database = new Database({ url, poolSize: 4 });
    await database.transaction((tx) => ensureKinds(tx, kinds.values()));
    await plant(database);
    // Awaited here: the pool would be closed before the first number else.
    return await measure(database);
  });
}

/** Two agents, and archival objects with bodies of some 2 KB that name the first as creator. */
async function plant(database: Database): Promise<void> {
  await database.transaction(
    async (tx) => {
      await tx.run(
        sql`INSERT INTO record (kind, id, label, publish, body) SELECT 'agent_person', i, 'Agent ' || i, true, '{"jsonmodel_type":"agent_person","names":[]}'::json FROM generate_series(1, 2) i`,
      );
      const note = 'What is known of the material and of how it came to be where it is. '.repeat(24);
      await tx.run(sql`
      INSERT INTO record (kind, id, repo_id, label, publish, body)
      SELECT 'archival_object', i, 2, 'Object ' || i, true, ('{"jsonmodel_type":"archival_object","title":"Object ' || i || '","level":"file","notes":[{"content":["' || ${note} || '"]}],"linked_agents":[{"ref":"' || ${uri(1)} || '","role":"creator","terms":[]}],"subjects":[],"instances":[]}')::json
      FROM generate_series(1, ${links}::int) i`);
      await tx.run(
        sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role) SELECT 'archival_object', i, 0, 'linked_agents', 'agent_person', 1, 2, 'creator' FROM generate_series(1, ${links}::int) i`,
      );
    },
    { statementTimeoutMs: longMs },
  );
  await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE) record, link`);
}

async function measure(database: Database): Promise<readonly BenchRow[]> {
  const enumerations = await EnumerationCache.load(database.reader);
  const times = { bare: [] as number[], bodies: [] as number[], merge: [] as number[], undo: [] as number[] };
  const waits: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    // The same rows, there and back, so that all sides find the tables alike.
    for (const [from, to] of [
      [1, 2],
      [2, 1],
    ] as const)
      times.bare.push(
        await timed(() => database.transaction((tx) => tx.run(bareLinks(from, to)), { statementTimeoutMs: longMs })),
      );
    for (const [from, to] of [
      [1, 2],
      [2, 1],
    ] as const) {
      times.bodies.push(
        await timed(() =>
          database.transaction(
            async (tx) => {
              await tx.run(bareLinks(from, to));
              await tx.run(sql`UPDATE record r SET body = replace(r.body::text, ${`"ref":"${uri(from)}"`}, ${`"ref":"${uri(to)}"`})::json, system_mtime = now() FROM link l
          WHERE l.target_kind = 'agent_person' AND l.target_id = ${to} AND r.kind = l.source_kind AND r.id = l.source_id`);
            },
            { statementTimeoutMs: longMs },
          ),
        ),
      );
    }
    const merge = {
      id: round,
      what: 'agent' as const,
      records: toMergeRecords('agent', uri(2), [uri(1)], null),
      actor: 'bench',
      agentUri: null,
      selections: null,
    };
    const reading = new AbortController();
    const reader = readOn(database, reading.signal, waits);
    times.merge.push(
      await timed(() =>
        database.transaction(
          (tx) => mergeRecords(tx, merge, { at: '2026-01-01T00:00:00Z', generatedValues, enumerations }),
          {
            statementTimeoutMs: longMs,
          },
        ),
      ),
    );
    reading.abort();
    await reader;
    times.undo.push(
      await timed(() => database.transaction((tx) => undoMerge(tx, round, 'bench'), { statementTimeoutMs: longMs })),
    );
    await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE) record, link, merge_link, unique_key`);
  }
  const [bare, bodies, merged, undone] = [
    medianOf(times.bare),
    medianOf(times.bodies),
    medianOf(times.merge),
    medianOf(times.undo),
  ];
  const longest = Math.max(...waits);
  return [
    {
      name: `merge of an agent with ${links} links against the bare UPDATE of the link rows`,
      value: rounded(merged),
      unit: 'ms',
      baseline: rounded(bare),
      ratio: rounded(merged / bare),
    },
    {
      name: 'the same against the UPDATE of link rows and bodies',
      value: rounded(merged),
      unit: 'ms',
      baseline: rounded(bodies),
      ratio: rounded(merged / bodies),
      target: 3,
      pass: merged / bodies <= 3,
    },
    {
      name: 'undo of it, against the same',
      value: rounded(undone),
      unit: 'ms',
      baseline: rounded(bodies),
      ratio: rounded(undone / bodies),
      target: 3,
      pass: undone / bodies <= 3,
    },
    {
      name: 'longest of the reads of a linked record during the merges',
      value: rounded(longest),
      unit: 'ms',
      target: 1000,
      pass: longest <= 1000,
    },
  ];
}

const bareLinks = (from: number, to: number) =>
  sql`UPDATE link SET target_id = ${to} WHERE target_kind = 'agent_person' AND target_id = ${from}`;

async function readOn(database: Database, signal: AbortSignal, waits: number[]): Promise<void> {
  while (!signal.aborted) {
    waits.push(
      await timed(() =>
        database.reader.one(sql.type(AnyRow)`
          SELECT body FROM record WHERE kind = 'archival_object' AND id = ${1 + ((waits.length * 7919) % links)}`),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

if (import.meta.main) console.table(await run());
