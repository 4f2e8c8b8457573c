// Writes the list of harvestable records (oai_item) as the records are now: what harvesters see of them, since when, and what they see no
// more (docs/decisions/0012). A fixed number of statements for any number of records; who calls holds the lock.
import type { z } from 'zod';
import type { Transaction } from '../connection/database.ts';
import type { FeedEntry } from '../change-log/followers.ts';
import { EmptyRow, IdRow, column } from '../connection/columns.ts';
import type { Fragment, RowQuery } from '../connection/sql.ts';
import { prepared, sql } from '../connection/sql.ts';
import { ofKinds } from '../records/of-kinds.ts';
import { harvestedKinds, isHarvested } from '#domain/formats/oai/format.ts';
import type { Ids } from './states.ts';
import { countOf, readOpenRepositories, statesOf } from './states.ts';

/** Held for the transaction by who writes items, so that readers know when all up to now is committed (pages.ts). */
export const oaiLock = 5_243_001;

/**
 * Takes the lock, which gives items their order. What is read in later statements is at least as new as what the last holder wrote. What is prepared
 * in the transaction is planned once for any values: it looks up one row at a time, and planning it for a saved record took twenty times as long as it did.
 * Never by reading a table: one that was analysed while it had a page of rows would be read from end to end for each row, however long it has become.
 */
export async function lockItems(tx: Transaction): Promise<void> {
  await tx.run(
    sql`SELECT pg_advisory_xact_lock(${oaiLock}), set_config('jit', 'off', true), set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
  );
}

// The clock may be set back; stamps never fall, or a harvest of everything since the last one would miss some.
const stamp = sql.fragment`greatest(date_trunc('second', clock_timestamp()), (SELECT max(stamp) FROM oai_item))`;
const last = sql.fragment`(SELECT coalesce(max(n), 0) FROM oai_item)`;

const ofHarvested = ofKinds(harvestedKinds);

/** The item of a record at an address, as a lateral table. */
const itemAt = (record: Fragment): Fragment =>
  sql.fragment`LATERAL (SELECT * FROM oai_item WHERE (kind, id, repo_id) = (${record}.kind, ${record}.id, ${record}.repo_id) LIMIT 1)`;

/**
 * What became of items: `spreading` are those that appear, vanish or show something else to the records below them, where there are any, also of those that
 * are public and not harvested for their level: these have no item, and what they showed is kept with that of headings. `settled` are those of which the list says all that it has to, whatever stands above them.
 */
export type Written = { readonly spreading: Ids; readonly settled: Ids };

const WrittenRow = IdRow.extend({ is_written: column.bool, is_spreading: column.bool });

/** Writes the items of records as they are now. `restamp`: every visible one gets a new datestamp; otherwise only those that differ. */
export async function writeItems(tx: Transaction, ids: Ids, restamp: boolean): Promise<Written> {
  if (countOf(ids) === 0) return { spreading: ids, settled: ids };
  const open = await readOpenRepositories(tx);
  await dropGone(tx, ids);
  // Resources first: components read the sponsor of theirs.
  const resources =
    ids.resource.length === 0
      ? []
      : await tx.named(...prepared(writeQuery({ ...ids, archival_object: [] }, restamp, open)));
  const components =
    ids.archival_object.length === 0
      ? []
      : await tx.named(...prepared(writeQuery({ ...ids, resource: [] }, restamp, open)));
  const among = (is: 'is_written' | 'is_spreading'): Ids => ({
    resource: resources.flatMap((row) => (row[is] ? [row.id] : [])),
    archival_object: components.flatMap((row) => (row[is] ? [row.id] : [])),
  });
  return { spreading: among('is_spreading'), settled: restamp ? ids : among('is_written') };
}

// One statement, so that what is written and what is told to spread are of one moment: a change that is committed between two would be
// written by the one and found written already when its own turn comes.
const writeQuery = (
  ids: Ids,
  restamp: boolean,
  open: Parameters<typeof statesOf>[1],
): RowQuery<z.infer<typeof WrittenRow>> => sql.type(WrittenRow)`
  WITH RECURSIVE ${statesOf(ids, open)},
  seen AS MATERIALIZED (
    SELECT s.*, i.id IS NOT NULL AND NOT i.deleted AS listed, i.level AS listed_level, i.sponsor AS listed_sponsor, i.echo AS listed_echo,
      CASE WHEN s.echo <> '' AND NOT s.visible THEN md5(s.is_public || ' ' || s.echo) END AS digest, h.digest AS kept_digest
    FROM state s LEFT JOIN ${itemAt(sql.fragment`s`)} AS i ON true
    LEFT JOIN LATERAL (SELECT digest FROM oai_heading WHERE kind = s.kind AND id = s.id LIMIT 1) AS h ON true
  ), found AS MATERIALIZED (
    SELECT *, (visible AND (${restamp} OR NOT listed OR listed_level IS DISTINCT FROM level OR listed_sponsor IS DISTINCT FROM sponsor OR listed_echo <> echo)) OR (listed AND NOT visible) AS is_written,
      echo <> '' AND (visible <> listed OR (visible AND echo <> listed_echo) OR (digest IS DISTINCT FROM kept_digest AND digest IS NOT NULL AND (kept_digest IS NOT NULL OR (${restamp} AND is_public)))) AS is_spreading FROM seen
  ), kept AS (
    INSERT INTO oai_heading (kind, id, digest) SELECT kind, id, digest FROM found WHERE digest <> kept_digest OR (digest IS NOT NULL AND kept_digest IS NULL AND is_public)
    ON CONFLICT (kind, id) DO UPDATE SET digest = EXCLUDED.digest
  ), next AS (
    SELECT *, row_number() OVER (ORDER BY date_trunc('second', mtime), id) AS place FROM found WHERE is_written
  ), now AS MATERIALIZED (SELECT ${last} AS n, ${stamp} AS stamp),
  written AS (
    INSERT INTO oai_item AS i (kind, id, repo_id, n, stamp, deleted, level, sponsor, echo)
    SELECT next.kind, next.id, next.repo_id, now.n + next.place, now.stamp, NOT next.visible, next.level, next.sponsor, next.echo FROM next, now
    ON CONFLICT (kind, id, repo_id) DO UPDATE SET n = EXCLUDED.n, stamp = EXCLUDED.stamp, deleted = EXCLUDED.deleted, echo = EXCLUDED.echo,
      level = CASE WHEN EXCLUDED.deleted THEN i.level ELSE EXCLUDED.level END, sponsor = CASE WHEN EXCLUDED.deleted THEN i.sponsor ELSE EXCLUDED.sponsor END
  )
  SELECT id, is_written, is_spreading FROM found WHERE is_written OR is_spreading`;

/** Items whose record is no more at their address: deleted, merged, or in another repository. */
async function dropGone(tx: Transaction, ids: Ids): Promise<void> {
  await dropAmong(
    tx,
    sql.fragment`(
    SELECT 'resource'::text AS kind, unnest(${sql.array([...ids.resource], 'int4')}) AS id UNION ALL SELECT 'archival_object', unnest(${sql.array([...ids.archival_object], 'int4')})) AS w
    CROSS JOIN LATERAL (SELECT * FROM oai_item WHERE kind = w.kind AND id = w.id ORDER BY kind, id, repo_id) AS i`,
  );
}

/** The same for all items there are. */
export const dropAllGone = (tx: Transaction): Promise<void> => dropAmong(tx, sql.fragment`oai_item i`);

// As an insert that always conflicts: that way every item is found by its key, however many the planner takes them for.
async function dropAmong(tx: Transaction, items: Fragment): Promise<void> {
  const drop = sql.type(EmptyRow)`
    INSERT INTO oai_item (kind, id, repo_id, n, stamp, deleted, level, sponsor, echo)
    SELECT i.kind, i.id, i.repo_id, ${last} + row_number() OVER (ORDER BY i.n), ${stamp}, true, i.level, i.sponsor, '' FROM ${items}
    WHERE NOT i.deleted AND (SELECT true FROM record r WHERE r.kind = i.kind AND r.id = i.id AND r.repo_id = i.repo_id AND ${ofHarvested} LIMIT 1) IS NULL
    ON CONFLICT (kind, id, repo_id) DO UPDATE SET deleted = true, echo = '', stamp = EXCLUDED.stamp, n = EXCLUDED.n`;
  await tx.named(...prepared(drop));
}

/** Makes items of records that came and went before they were followed: deleted ones that were published are told as such. */
export async function writeDeletedItems(tx: Transaction, entries: readonly FeedEntry[]): Promise<void> {
  const gone = entries
    .filter(isHarvested)
    .flatMap(({ kind, id, ids, repoId }) =>
      repoId === null ? [] : (ids ?? (id === null ? [] : [id])).map((each) => [kind, each, repoId]),
    );
  if (gone.length === 0) return;
  await lockItems(tx);
  const insert = sql.type(EmptyRow)`
    INSERT INTO oai_item (kind, id, repo_id, n, stamp, deleted, level, echo)
    SELECT g.kind, g.id, g.repo_id, ${last} + row_number() OVER (ORDER BY g.kind, g.id), ${stamp}, true, v.level, ''
    FROM (SELECT DISTINCT kind, id, repo_id FROM ${sql.unnest(gone, ['text', 'int4', 'int4'])} AS u (kind, id, repo_id)) AS g
    CROSS JOIN LATERAL (SELECT FROM record p WHERE p.kind = 'repository' AND p.id = g.repo_id AND p.publish LIMIT 1) AS p
    CROSS JOIN LATERAL (SELECT r.op, r.repo_id, r.publish AND NOT r.suppressed AS visible, r.body->>'level' AS level FROM revision r WHERE r.kind = g.kind AND r.id = g.id ORDER BY r.n DESC LIMIT 1) AS v
    WHERE v.op = 'delete' AND v.visible AND v.repo_id = g.repo_id
      AND (SELECT true FROM record r WHERE r.kind = g.kind AND r.id = g.id AND ${ofHarvested} LIMIT 1) IS NULL AND (SELECT true FROM oai_item i WHERE i.kind = g.kind AND i.id = g.id AND i.repo_id = g.repo_id LIMIT 1) IS NULL`;
  await tx.named(...prepared(insert));
}
