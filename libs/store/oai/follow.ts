// Keeps `oai_item` up with the change feed: which records are harvestable, since when, and which are so no more (docs/decisions/0012).
// Set-based: a fixed number of statements for a chunk of the feed, whatever hangs on it. Any number of processes may run it.
import type { Database, Transaction } from '../database.ts';
import type { FeedEntry } from '../followers.ts';
import type { Fragment } from '../sql.ts';
import { sql } from '../sql.ts';
import type { Ids, Wanted } from './states.ts';
import { idsOf, nodeAt, nodesIn, readOpenRepositories, statesOf } from './states.ts';

/** The name of the follower. */
export const oaiFollower = 'oai';

/** Held for the transaction by who writes items, so that readers know when all up to now is committed (pages.ts). */
export const oaiLock = 5_243_001;

const headings: ReadonlySet<string> = new Set(['agent_person', 'agent_family', 'agent_corporate_entity', 'agent_software', 'subject', 'repository']);

type Key = { readonly kind: string; readonly id: number };

const keysOf = (entries: readonly FeedEntry[]): readonly Key[] => entries.flatMap(({ kind, id, ids }) => (ids ?? (id === null ? [] : [id])).map((each) => ({ kind, id: each })));

/** Carries out a chunk of the feed. */
export async function applyOaiEntries(entries: readonly FeedEntry[], tx: Transaction): Promise<void> {
  const changed = idsOf(keysOf(entries));
  const named = keysOf(entries.filter(({ kind }) => headings.has(kind)));
  if (changed.resource.length + changed.archival_object.length + named.length === 0) return;
  await lockItems(tx);
  const spread = await readAffectedByHeadings(tx, named);
  const own = union(changed, spread);
  const below = await readBelow(tx, own);
  await buryDeleted(tx, entries.filter(({ op }) => op === 'delete'));
  await dropGone(tx, own);
  const all = union(own, below);
  // Resources first: components read the sponsor of theirs.
  await writeItems(tx, { ...all, archival_object: [] }, true);
  await writeItems(tx, { ...all, resource: [] }, true);
}

/** Fills the table where the follower is not there yet: an older database, or one whose follower was removed to have it checked. Gives whether it did. */
export async function ensureOaiItems(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    // What is committed while this runs is in the feed behind this number, and then followed.
    const made = await tx.run(sql`INSERT INTO follower (name, n) SELECT ${oaiFollower}, n FROM sequencer ON CONFLICT DO NOTHING`);
    if (made === 0) return false;
    await lockItems(tx);
    await tx.run(sql`
      INSERT INTO oai_heading (kind, id, digest) SELECT kind, id, ${digest} FROM record r WHERE r.kind = ANY(${sql.array([...headings], 'text')})
      ON CONFLICT (kind, id) DO UPDATE SET digest = EXCLUDED.digest WHERE oai_heading.digest <> EXCLUDED.digest`);
    await dropGone(tx, null);
    await writeItems(tx, { all: 'resource' }, false);
    await writeItems(tx, { all: 'archival_object' }, false);
    return true;
  }, { statementTimeoutMs: 3_600_000 });
}

async function lockItems(tx: Transaction): Promise<void> {
  await tx.any(sql`SELECT pg_advisory_xact_lock(${oaiLock}), set_config('jit', 'off', true)`);
}

const union = (a: Ids, b: Ids): Ids => ({ resource: [...new Set([...a.resource, ...b.resource])], archival_object: [...new Set([...a.archival_object, ...b.archival_object])] });

// What records show of headings. The type of a subject's first term decides its element.
const digest = sql.fragment`md5(concat_ws(' ', r.label, r.publish, CASE WHEN r.kind = 'subject' THEN (SELECT string_agg(t.body->>'term_type', ' ' ORDER BY l.ordinal) FROM link l JOIN record t ON t.kind = l.target_kind AND t.id = l.target_id
    WHERE l.source_kind = 'subject' AND l.source_id = r.id AND l.target_kind = 'term') END,
  CASE WHEN r.kind = 'repository' THEN concat_ws(' ', r.body->>'name', r.body->>'parent_institution_name', r.body->>'oai_is_disabled', r.body->>'oai_sets_available', r.body->>'repo_code') END))`;

/** The records that show one of the headings, where what they show of it changed; of repositories all records. */
async function readAffectedByHeadings(tx: Transaction, named: readonly Key[]): Promise<Ids> {
  if (named.length === 0) return { resource: [], archival_object: [] };
  const rows = await tx.any<Key>(sql`
    WITH now AS (
      SELECT r.kind, r.id, ${digest} AS digest FROM (SELECT DISTINCT kind, id FROM ${sql.unnest(named.map(({ kind, id }) => [kind, id]), ['text', 'int4'])} AS u (kind, id)) AS u
      JOIN record r ON r.kind = u.kind AND r.id = u.id
    ), put AS (
      INSERT INTO oai_heading (kind, id, digest) SELECT kind, id, digest FROM now ON CONFLICT (kind, id) DO UPDATE SET digest = EXCLUDED.digest WHERE oai_heading.digest <> EXCLUDED.digest
    ), other AS (SELECT now.kind, now.id FROM now JOIN oai_heading h ON h.kind = now.kind AND h.id = now.id WHERE h.digest <> now.digest)
    SELECT l.source_kind AS kind, l.source_id AS id FROM other JOIN link l ON l.target_kind = other.kind AND l.target_id = other.id WHERE l.source_kind IN ('resource', 'archival_object')
    UNION SELECT r.kind, r.id FROM other JOIN record r ON r.kind IN ('resource', 'archival_object') AND r.repo_id = other.id WHERE other.kind = 'repository'`);
  return idsOf(rows);
}

/** What is below records that appear, vanish, or show something else to what is below them. */
async function readBelow(tx: Transaction, own: Ids): Promise<Ids> {
  const open = await readOpenRepositories(tx);
  const rows = await tx.any<{ id: number }>(sql`
    WITH RECURSIVE ${statesOf(own, open)},
    other AS MATERIALIZED (
      SELECT s.kind, s.id, s.repo_id FROM state s LEFT JOIN oai_item i ON i.kind = s.kind AND i.id = s.id AND i.repo_id = s.repo_id
      WHERE s.visible <> (i.id IS NOT NULL AND NOT i.deleted) OR (s.visible AND i.echo <> s.echo)
    ), below AS (
      SELECT t.id, t.repo_id, t.root_id FROM other o CROSS JOIN ${nodesIn(sql.fragment`o.repo_id`, sql.fragment`o.id`, sql.fragment`0`)} WHERE o.kind = 'resource'
      UNION
      SELECT t.id, t.repo_id, t.root_id FROM (SELECT t.id, t.repo_id, t.root_id FROM other o CROSS JOIN ${nodeAt(sql.fragment`o.repo_id`, sql.fragment`o.id`)} WHERE o.kind = 'archival_object') AS m
      CROSS JOIN ${nodesIn(sql.fragment`m.repo_id`, sql.fragment`m.root_id`, sql.fragment`m.id`)}
    ), deep AS (
      SELECT id, repo_id, root_id FROM below
      UNION SELECT t.id, t.repo_id, t.root_id FROM deep d CROSS JOIN ${nodesIn(sql.fragment`d.repo_id`, sql.fragment`d.root_id`, sql.fragment`d.id`)}
    ) SELECT DISTINCT id FROM deep`);
  return { resource: [], archival_object: rows.map(({ id }) => id) };
}

// The clock may be set back; stamps never fall, or a harvest of everything since the last one would miss some.
const stamp = sql.fragment`greatest(date_trunc('second', clock_timestamp()), (SELECT max(stamp) FROM oai_item))`;
const last = sql.fragment`(SELECT coalesce(max(n), 0) FROM oai_item)`;

/** Records that came and went before they were followed: deleted ones that were published are told as such. */
async function buryDeleted(tx: Transaction, entries: readonly FeedEntry[]): Promise<void> {
  const gone = entries.flatMap(({ kind, id, ids, repoId }) => (repoId === null || (kind !== 'resource' && kind !== 'archival_object') ? [] : (ids ?? (id === null ? [] : [id])).map((each) => [kind, each, repoId])));
  if (gone.length === 0) return;
  await tx.run(sql`
    INSERT INTO oai_item (kind, id, repo_id, n, stamp, deleted, level, echo)
    SELECT g.kind, g.id, g.repo_id, ${last} + row_number() OVER (ORDER BY g.kind, g.id), ${stamp}, true, v.level, ''
    FROM (SELECT DISTINCT kind, id, repo_id FROM ${sql.unnest(gone, ['text', 'int4', 'int4'])} AS u (kind, id, repo_id)) AS g
    JOIN record p ON p.kind = 'repository' AND p.id = g.repo_id AND p.publish
    CROSS JOIN LATERAL (SELECT r.op, r.repo_id, r.publish AND NOT r.suppressed AS visible, r.body->>'level' AS level FROM revision r WHERE r.kind = g.kind AND r.id = g.id ORDER BY r.n DESC LIMIT 1) AS v
    WHERE v.op = 'delete' AND v.visible AND v.repo_id = g.repo_id AND NOT EXISTS (SELECT FROM record r WHERE r.kind = g.kind AND r.id = g.id)
      AND NOT EXISTS (SELECT FROM oai_item i WHERE i.kind = g.kind AND i.id = g.id AND i.repo_id = g.repo_id)`);
}

/** Items whose record is no more at their address: deleted, merged, or in another repository. */
async function dropGone(tx: Transaction, ids: Ids | null): Promise<void> {
  const among: Fragment = ids === null ? sql.fragment`oai_item i` : sql.fragment`(
    SELECT 'resource'::text AS kind, unnest(${sql.array([...ids.resource], 'int4')}) AS id UNION ALL SELECT 'archival_object', unnest(${sql.array([...ids.archival_object], 'int4')})) AS w
    JOIN oai_item i ON i.kind = w.kind AND i.id = w.id`;
  await tx.run(sql`
    UPDATE oai_item SET deleted = true, echo = '', stamp = ${stamp}, n = ${last} + gone.place
    FROM (SELECT i.kind, i.id, i.repo_id, row_number() OVER (ORDER BY i.n) AS place FROM ${among}
      WHERE NOT i.deleted AND NOT EXISTS (SELECT FROM record r WHERE r.kind = i.kind AND r.id = i.id AND r.repo_id = i.repo_id)) AS gone
    WHERE oai_item.kind = gone.kind AND oai_item.id = gone.id AND oai_item.repo_id = gone.repo_id`);
}

/**
 * Writes the items of records as they are now. `restamp`: every visible one gets a new datestamp; otherwise only those that differ.
 */
async function writeItems(tx: Transaction, ids: Wanted, restamp: boolean): Promise<void> {
  if ('resource' in ids && ids.resource.length + ids.archival_object.length === 0) return;
  const open = await readOpenRepositories(tx);
  await tx.run(sql`
    WITH RECURSIVE ${statesOf(ids, open)},
    next AS (
      SELECT s.*, row_number() OVER (ORDER BY date_trunc('second', s.mtime), s.kind, s.id) AS place FROM state s LEFT JOIN oai_item i ON i.kind = s.kind AND i.id = s.id AND i.repo_id = s.repo_id
      WHERE (s.visible AND (${restamp} OR i.id IS NULL OR i.deleted OR i.level IS DISTINCT FROM s.level OR i.sponsor IS DISTINCT FROM s.sponsor OR i.echo <> s.echo))
        OR (NOT s.visible AND i.id IS NOT NULL AND NOT i.deleted)
    ), now AS MATERIALIZED (SELECT ${last} AS n, ${stamp} AS stamp)
    INSERT INTO oai_item AS i (kind, id, repo_id, n, stamp, deleted, level, sponsor, echo)
    SELECT next.kind, next.id, next.repo_id, now.n + next.place, now.stamp, NOT next.visible, next.level, next.sponsor, next.echo FROM next, now
    ON CONFLICT (kind, id, repo_id) DO UPDATE SET n = EXCLUDED.n, stamp = EXCLUDED.stamp, deleted = EXCLUDED.deleted, echo = EXCLUDED.echo,
      level = CASE WHEN EXCLUDED.deleted THEN i.level ELSE EXCLUDED.level END, sponsor = CASE WHEN EXCLUDED.deleted THEN i.sponsor ELSE EXCLUDED.sponsor END`);
}
