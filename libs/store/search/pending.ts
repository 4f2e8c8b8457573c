// What is still to be indexed: pending records (table `reindex_due`), from the feed and as dependents of others (`reindex_fan`); taken from
// there by claim.ts (docs/decisions/0009, which has the words).
// Of those who make records pending only `fillLane` and `enqueueChanges` may wait for others on a key, and they hold nothing that others wait for: so no deadlocks.
import { z } from 'zod';
import { allKinds } from '#domain/kinds/index.ts';
import { indexedKinds, kindsWhere } from '#domain/search/declared.ts';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import type { FeedEntry } from '../change-log/followers.ts';
import { CountRow, column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment } from '../connection/sql.ts';
import { RecordKey, keyTable } from '../records/record-key.ts';

/** Lane 0: records changed by themselves and what hangs on them closely. Lane 1: imports, the rest of what is linked, reindexing. Lane 2: an index made beside the live one (postgres/rebuild.ts). */
export type Lane = 0 | 1 | 2;

/** Records to be made pending, as something that they show has changed. `sources`: those that link to the record; `below`: what is in its tree under it; `repository`: all in it. */
export type Dependents =
  | { readonly way: 'ids'; readonly lane: Lane; readonly kind: string; readonly ids: readonly number[] }
  | {
      readonly way: 'sources' | 'below' | 'repository';
      readonly kind: string;
      readonly id: number;
      readonly repoId: number | null;
    };

// What a fill takes at most. Those of lanes 1 and 2 are shared by several loops, five batches; single changes stand behind one of lane 0.
const bulkAtOnce = 5000;
const atOnce: { readonly [lane in Lane]: number } = { 0: 1000, 1: bulkAtOnce, 2: bulkAtOnce };
// How far rows of ids are looked through for the different ones among them: in a few milliseconds, or in less than a second where most are the same again and again.
type Window = { readonly ids: number; readonly rows: number };
const narrowest: Window = { ids: 10_000, rows: 200 };
const widest: Window = { ids: 1_000_000, rows: 10_000 };

/** The name of the follower that feeds the index. */
export const indexFollower = 'search';

/** Makes the records of feed entries pending: single ones at once in lane 0, the rows of a batch as they are, to be carried out later. */
export async function enqueueChanges(tx: Transaction, entries: readonly FeedEntry[]): Promise<void> {
  const wanted = entries.filter((entry) => indexedKinds.has(entry.kind));
  const single = wanted.flatMap((entry) => (entry.id === null ? [] : [{ kind: entry.kind, id: entry.id }]));
  const batches = wanted.flatMap((entry): Dependents[] =>
    entry.ids === null ? [] : [{ way: 'ids', lane: 1, kind: entry.kind, ids: entry.ids }],
  );
  await appendDependents(tx, batches);
  await enqueue(tx, 0, single);
}

/** Makes records pending in a lane; one that is pending already stays where it is. Waits for a batch that holds the same record. */
export async function enqueue(tx: Transaction, lane: Lane, records: readonly RecordKey[]): Promise<void> {
  if (records.length === 0) return;
  await tx.run(sql`
    INSERT INTO reindex_due (lane, kind, id) SELECT DISTINCT ${lane}::smallint, kind, id
    FROM ${keyTable(records)} AS u (kind, id) ORDER BY kind, id ON CONFLICT DO NOTHING`);
}

/** Notes dependents, which become pending step by step. Waits for nobody. */
export async function appendDependents(tx: Transaction, all: readonly Dependents[]): Promise<void> {
  if (all.length === 0) return;
  const named = all.flatMap((row) => (row.way === 'ids' ? [[row.lane, row.kind, `{${row.ids.join(',')}}`]] : []));
  const hanging = all.flatMap((row) =>
    row.way === 'ids'
      ? []
      : [
          [
            row.way,
            row.kind,
            row.id,
            row.repoId,
            nodeCodes[rootNodes[row.kind] ?? row.kind] ?? 0,
            row.kind in rootNodes,
          ],
        ],
  );
  if (named.length > 0) {
    await tx.run(sql`
      INSERT INTO reindex_fan (lane, way, kind, ids) SELECT lane, 'ids', kind, ids::int[] FROM ${sql.unnest(named, ['int2', 'text', 'text'])} AS u (lane, kind, ids)`);
  }
  if (hanging.length === 0) return;
  // Most records of an import or of a hidden tree have nothing that hangs on them.
  await tx.run(sql`
    WITH u AS MATERIALIZED (SELECT * FROM ${sql.unnest(hanging, ['text', 'text', 'int4', 'int4', 'int2', 'bool'])} AS u (way, kind, id, repo_id, code, is_root)),
    root AS (SELECT u.id, u.code, t.root_id FROM u JOIN tree_node t ON t.repo_id = u.repo_id AND t.kind = u.code AND t.id = u.id WHERE u.way = 'below' AND NOT u.is_root),
    found AS (
      SELECT * FROM u WHERE CASE u.way
        WHEN 'sources' THEN EXISTS (SELECT FROM link l WHERE l.target_kind = u.kind AND l.target_id = u.id)
        WHEN 'below' THEN EXISTS (SELECT FROM tree_bucket b WHERE b.repo_id = u.repo_id AND b.kind = u.code AND b.n > 0
          AND CASE WHEN u.is_root THEN b.root_id = u.id ELSE b.root_id = (SELECT r.root_id FROM root r WHERE r.id = u.id AND r.code = u.code) AND b.list_id = u.id END)
        ELSE true END
    )
    INSERT INTO reindex_fan (lane, way, kind, id, repo_id, ids)
    SELECT 1, way, kind, CASE WHEN count(*) = 1 THEN min(id) ELSE 0 END, repo_id, CASE WHEN count(*) = 1 THEN '{}' ELSE array_agg(id ORDER BY id) END
    FROM (SELECT DISTINCT way, kind, id, repo_id, CASE WHEN is_root OR way = 'repository' THEN id END AS own FROM found) AS f GROUP BY way, kind, repo_id, own`);
}

/** The jobs that clients see, as records are named. */
export const shownJobs = sql.fragment`(SELECT 'job' AS kind, id, repo_id FROM job WHERE visible AND repo_id IS NOT NULL) AS r`;

/** Makes everything of these kinds, in a repository (null: everywhere), pending in lane 1 (or 2), until `jobId` is canceled. Gives the number of records. */
export async function enqueueAll(
  tx: Transaction,
  kinds: readonly string[],
  repoId: number | null,
  { jobId = null, lane = 1 }: { readonly jobId?: number | null; readonly lane?: 1 | 2 } = {},
): Promise<number> {
  const inRepository = repoId === null ? sql.fragment`` : sql.fragment`AND repo_id = ${repoId}`;
  const list = kinds.filter((kind) => indexedKinds.has(kind));
  const { count } = await tx.one(sql.type(CountRow)`
    SELECT (SELECT count(*) FROM record WHERE kind = ANY(${sql.array(list, 'text')}) ${inRepository}) + (SELECT count(*) FROM ${shownJobs} WHERE kind = ANY(${sql.array(list, 'text')}) ${inRepository}) AS count`);
  await tx.run(
    sql`INSERT INTO reindex_fan (lane, way, kind, repo_id, job_id) SELECT ${lane}::int2, 'kind', kind, ${repoId}::int, ${jobId}::int FROM unnest(${sql.array(list, 'text')}) AS k (kind)`,
  );
  return count;
}

const WaitsRow = z.strictObject({ waits: column.bool });

/**
 * Whether records are pending in these lanes, or dependents that will be: what a loop asks before it takes any, as most bells ring for nothing of its own. In the order of
 * (lane, n), which is that of one index alone: no other plan comes to look through the records of an import for one of lane 0.
 */
export async function isWaiting(reader: Reader, lanes: { readonly from: Lane; readonly to: Lane }): Promise<boolean> {
  const firstOf = (table: 'reindex_due' | 'reindex_fan'): Fragment => sql.fragment`EXISTS (
      SELECT FROM (SELECT lane FROM ${sql.identifier([table])} WHERE (lane, n) >= (${lanes.from}::smallint, 0) ORDER BY lane, n LIMIT 1) AS k WHERE k.lane <= ${lanes.to})`;
  const { waits } = await reader.one(sql.type(WaitsRow)`
    SELECT ${firstOf('reindex_due')} OR ${firstOf('reindex_fan')} AS waits`);
  return waits;
}

// What hangs on so many records is found by one step.
const idsPerFan = 1000;

const DependentsRow = z.strictObject({
  n: column.int,
  way: z.enum(['ids', 'sources', 'below', 'repository', 'kind']),
  kind: column.text,
  id: column.int,
  repo_id: column.maybeInt,
  ids: column.ints,
  after_kind: column.text,
  after_id: column.int,
  job_id: column.maybeInt,
  is_canceled: column.bool,
  /** Since when, as PostgreSQL writes it: to the microsecond, which our own times do not have. */
  at: column.text,
});
type DependentsRow = z.infer<typeof DependentsRow>;

/** Carries out the next step of the oldest dependents of a lane: at most some `atOnce` records become pending. Gives whether there was one. */
export async function fillLane(database: Database, lane: Lane): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.run(sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`);
    const first = await tx.maybeOne(sql.type(DependentsRow)`
      SELECT n, way, kind, id, repo_id, ids, after_kind, after_id, job_id, at::text AS at, EXISTS (SELECT FROM job WHERE job.id = job_id AND cancel_requested IS NOT NULL) AS is_canceled
      FROM reindex_fan WHERE lane = ${lane} ORDER BY lane, n LIMIT 1 FOR UPDATE SKIP LOCKED`);
    if (first === null) return false;
    if (first.is_canceled) await tx.run(sql`DELETE FROM reindex_fan WHERE n = ${first.n}`);
    else if (first.way === 'ids') await moveIds(tx, lane, first.kind);
    else await carryOn(tx, lane, first);
    return true;
  });
}

const LookedAtRow = z.strictObject({ rows: column.int, ids: column.int, different: column.int });

/**
 * How far to look for records of a kind: as far as there are any, where most of the first are the same. The batches of an import of a million name the same thousand
 * headings a thousand times, and each that is indexed reads all that links to it.
 */
async function windowOf(tx: Transaction, rowsOfKind: Fragment, enough: number): Promise<Window> {
  const seen = await tx.one(sql.type(LookedAtRow)`
    SELECT count(DISTINCT n) AS rows, count(*) AS ids, count(DISTINCT id) AS different
    FROM (SELECT n, ids, sum(cardinality(ids)) OVER (ORDER BY n) - cardinality(ids) AS before FROM reindex_fan WHERE ${rowsOfKind} ORDER BY n LIMIT ${narrowest.rows}) AS s,
      unnest(ids) AS id WHERE before < ${narrowest.ids}`);
  const isAll = seen.rows < narrowest.rows && seen.ids < narrowest.ids;
  return isAll || seen.different * 2 >= enough ? narrowest : widest;
}

/**
 * Rows of ids become pending. Many small rows become one step, so that a heading which a hundred batches name is indexed once: they are
 * taken until they name so many different records. Rows of an import, full of records of their own, go as many ids at a time.
 */
async function moveIds(tx: Transaction, lane: Lane, kind: string): Promise<void> {
  // Single changes name few, and nobody is to wait for them. Of much a kind is taken at a time: headings, of which there are few, are not to go with each portion of
  // the containers, of which there are many.
  const rowsOfKind = sql.fragment`lane = ${lane} AND way = 'ids' ${lane === 0 ? sql.fragment`` : sql.fragment`AND kind = ${kind}`}`;
  const window = lane === 0 ? narrowest : await windowOf(tx, rowsOfKind, atOnce[lane]);
  await tx.run(sql`
    WITH next AS (SELECT n, kind, ids, at, cardinality(ids) AS size FROM reindex_fan WHERE ${rowsOfKind} ORDER BY n LIMIT ${window.rows} FOR UPDATE SKIP LOCKED),
    sized AS (SELECT n, kind, ids, at, sum(size) OVER (ORDER BY n) - size AS before FROM next),
    named AS (SELECT kind, id, min(n) AS n, min(at) AS at FROM sized, unnest(ids) AS id WHERE before < ${window.ids} GROUP BY kind, id),
    fresh AS (SELECT s.n, count(m.id) AS size FROM sized s LEFT JOIN named m ON m.n = s.n WHERE s.before < ${window.ids} GROUP BY s.n),
    counted AS (SELECT n, sum(size) OVER (ORDER BY n) - size AS before FROM fresh),
    taken AS (DELETE FROM reindex_fan f USING counted c WHERE f.n = c.n AND c.before < ${atOnce[lane]} RETURNING f.n)
    INSERT INTO reindex_due (lane, kind, id, at) SELECT ${lane}::smallint, kind, id, at FROM named WHERE n IN (SELECT n FROM taken) ORDER BY kind, id ON CONFLICT DO NOTHING`);
}

async function carryOn(tx: Transaction, lane: Lane, row: DependentsRow): Promise<void> {
  // Whoever starts a row does the work of all that wait to start the same; sets are hardly ever equal.
  if (row.after_kind === '' && row.after_id === 0 && row.ids.length === 0) {
    await tx.run(sql`
      DELETE FROM reindex_fan WHERE n = ANY(ARRAY(SELECT n FROM reindex_fan WHERE lane = ${lane} AND way = ${row.way} AND kind = ${row.kind} AND id = ${row.id}
        AND repo_id IS NOT DISTINCT FROM ${row.repo_id}::int AND job_id IS NOT DISTINCT FROM ${row.job_id}::int AND after_kind = '' AND after_id = 0 AND ids = '{}' AND n > ${row.n} FOR UPDATE SKIP LOCKED))`);
  }
  // More than a record is found by several links; the key tells them apart.
  const last = await tx.maybeOne(sql.type(RecordKey)`
    WITH next AS MATERIALIZED (${stepOf(row)}), made AS (
      INSERT INTO reindex_due (lane, kind, id, at) SELECT DISTINCT ${lane}::smallint, kind, id, coalesce(${row.job_id === null ? row.at : null}::timestamptz, now()) FROM (SELECT kind, id FROM next ${furtherOf(row)}) AS wanted
      WHERE kind = ANY(${sql.array([...indexedKinds], 'text')}) ORDER BY kind, id ON CONFLICT DO NOTHING
    ) SELECT kind, id FROM next ORDER BY kind DESC, id DESC OFFSET 0 LIMIT (SELECT CASE WHEN count(*) = ${bulkAtOnce} THEN 1 ELSE 0 END FROM next)`);
  if (last === null) await tx.run(sql`DELETE FROM reindex_fan WHERE n = ${row.n}`);
  else await tx.run(sql`UPDATE reindex_fan SET after_kind = ${last.kind}, after_id = ${last.id} WHERE n = ${row.n}`);
  if (row.way === 'below' && nodeCodes[row.kind] !== undefined) await spreadBelow(tx, row);
}

// Numbers of trees by the kind of their nodes, and these by the kind of their roots.
const nodeCodes: { readonly [kind: string]: number } = Object.fromEntries(
  allKinds.flatMap(({ name, tree }) => (tree === undefined ? [] : [[name, tree.code]])),
);
const rootNodes: { readonly [kind: string]: string } = Object.fromEntries(
  allKinds.flatMap(({ name, tree }) => (tree === undefined ? [] : [[tree.root, name]])),
);
/** Kinds whose documents tell of the trees that those stand in which link to them: containers, digital objects. */
const tellingOfTrees = sql.array([...kindsWhere(({ showsUse }) => showsUse === 'trees')], 'text');
/** Kinds whose documents tell of the trees that those stand in to which they link: assessments. */
const linkingToTrees = sql.array([...kindsWhere(({ showsTreesOfLinked }) => showsTreesOfLinked === true)], 'text');

const idsOf = ({ id, ids }: DependentsRow): Fragment =>
  sql.fragment`${sql.array(ids.length === 0 ? [id] : [...ids], 'int4')}`;

/** The next records of a row of dependents, in order of kind and id. */
function stepOf(row: DependentsRow): Fragment {
  switch (row.way) {
    case 'sources':
      return sql.fragment`SELECT DISTINCT source_kind AS kind, source_id AS id FROM link WHERE target_kind = ${row.kind} AND target_id = ANY(${idsOf(row)})
        AND (source_kind, source_id) > (${row.after_kind}, ${row.after_id}::int) ORDER BY 1, 2 LIMIT ${bulkAtOnce}`;
    case 'below': {
      const node = rootNodes[row.kind];
      const inTree = sql.fragment`SELECT ${node ?? row.kind}::text AS kind, t.id FROM tree_node t WHERE t.repo_id = ${row.repo_id} AND t.kind = ${nodeCodes[node ?? row.kind] ?? 0}`;
      const part =
        node === undefined
          ? sql.fragment`(t.root_id, t.list_id) IN (SELECT m.root_id, m.id FROM tree_node m WHERE m.repo_id = ${row.repo_id} AND m.kind = ${nodeCodes[row.kind] ?? 0} AND m.id = ANY(${idsOf(row)}))`
          : sql.fragment`t.root_id = ${row.id}`;
      return sql.fragment`${inTree} AND ${part} AND t.id > ${row.after_id} ORDER BY t.id LIMIT ${bulkAtOnce}`;
    }
    default:
      // One kind after another, by record_repo_idx or the primary key.
      return sql.fragment`SELECT r.kind, r.id FROM ${row.kind === 'job' ? shownJobs : sql.fragment`record r`} WHERE ${row.way === 'kind' ? sql.fragment`r.kind = ${row.kind}` : sql.fragment`r.kind = ANY(${sql.array([...indexedKinds], 'text')})`}
        ${row.repo_id === null ? sql.fragment`` : sql.fragment`AND r.repo_id = ${row.repo_id}`} AND (r.kind, r.id) > (${row.after_kind}, ${row.after_id}::int) ORDER BY 1, 2 LIMIT ${bulkAtOnce}`;
  }
}

/** What a step makes pending besides. */
function furtherOf(row: DependentsRow): Fragment {
  return row.way === 'below'
    ? sql.fragment`UNION ALL SELECT l.target_kind, l.target_id FROM next JOIN link l ON l.source_kind = next.kind AND l.source_id = next.id WHERE l.target_kind = ANY(${tellingOfTrees})
      UNION ALL SELECT l.source_kind, l.source_id FROM next JOIN link l ON l.target_kind = next.kind AND l.target_id = next.id WHERE l.source_kind = ANY(${linkingToTrees})`
    : sql.fragment``;
}

/** Children of nodes that have children of their own become dependents in turn. */
async function spreadBelow(tx: Transaction, row: DependentsRow): Promise<void> {
  if (row.after_id !== 0) return;
  const code = nodeCodes[row.kind] ?? 0;
  await tx.run(sql`
    INSERT INTO reindex_fan (lane, way, kind, repo_id, ids, at) SELECT 1, 'below', ${row.kind}, ${row.repo_id}::int, array_agg(id ORDER BY id), ${row.at}::timestamptz
    FROM (SELECT t.id, row_number() OVER (ORDER BY t.id) AS place FROM tree_node t
      WHERE t.repo_id = ${row.repo_id} AND t.kind = ${code}
        AND (t.root_id, t.list_id) IN (SELECT m.root_id, m.id FROM tree_node m WHERE m.repo_id = ${row.repo_id} AND m.kind = ${code} AND m.id = ANY(${idsOf(row)}))
        AND EXISTS (SELECT FROM tree_bucket b WHERE b.repo_id = t.repo_id AND b.kind = t.kind AND b.root_id = t.root_id AND b.list_id = t.id AND b.n > 0)) AS inner_node
    GROUP BY (place - 1) / ${idsPerFan}`);
}
