// What was hidden from callers before the documents of the index tell of it: rows of `search_hidden`, written by triggers in the transaction that
// hides (migration 0030; docs/decisions/0025), and repositories that are not published. Searches look both up in the snapshot that they read.
import { z } from 'zod';
import { globalRepoId } from '#domain/access/caller.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';
import { keyTable } from '../../records/record-key.ts';
import type { RecordKey } from '../../records/record-key.ts';

/**
 * What is hidden from a caller. `repositories`: unpublished ones, whose documents the public does not see. `records`: the condition on rows `h` of
 * search_hidden that concern the caller; null where there are none. `at`: when anything was hidden last, and `now`, in milliseconds of the database's clock.
 */
export type Hidden = {
  readonly repositories: readonly number[];
  readonly records: Fragment | null;
  readonly at: number | null;
  readonly now: number;
};

const HiddenRow = z.strictObject({
  has: column.bool,
  repositories: column.ints,
  at: column.number.nullable(),
  now: column.number,
});

// Of the repository that stands for all nothing is searched (material.ts).
const unpublished = sql.fragment`ARRAY(SELECT r.id FROM record r WHERE r.kind = ${repository.name} AND r.publish IS NOT TRUE AND r.id <> ${globalRepoId})`;

/** Looks up what is hidden from a caller at this moment. One statement, of a few pages while nothing is hidden. */
export async function readHidden(reader: Reader, visibility: Visibility): Promise<Hidden> {
  const repositories = visibility.mayNotSeeUnpublished ? unpublished : sql.fragment`'{}'::int[]`;
  const row = await reader.one(sql.type(HiddenRow)`
    SELECT EXISTS (SELECT FROM search_hidden h WHERE ${concerning(visibility, repositories)}) AS has, ${repositories} AS repositories,
      (SELECT extract(epoch FROM max(at)) * 1000 FROM search_hiding)::float8 AS at, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`);
  return {
    repositories: row.repositories,
    records: row.has ? concerning(visibility, sql.fragment`${sql.array(row.repositories, 'int4')}`) : null,
    at: row.at,
    now: row.now,
  };
}

/** The condition on rows `h` of search_hidden that they hide from a caller. */
function concerning({ repositories, mayNotSeeUnpublished, seesSuppressed }: Visibility, closed: Fragment): Fragment {
  const isOutside = [
    ...(repositories === 'all' ? [] : [sql.fragment`h.repo_id <> ALL(${sql.array([...repositories], 'int4')})`]),
    ...(mayNotSeeUnpublished ? [sql.fragment`h.repo_id = ANY(${closed})`] : []),
  ];
  const parts = [
    sql.fragment`h.reach = 'all'`,
    ...(mayNotSeeUnpublished ? [sql.fragment`h.reach = 'public'`] : []),
    ...(seesSuppressed === true
      ? []
      : seesSuppressed === false
        ? [sql.fragment`h.reach = 'suppressed'`]
        : [
            sql.fragment`h.reach = 'suppressed' AND (h.repo_id <> ALL(${sql.array([...seesSuppressed], 'int4')})) IS NOT FALSE`,
          ]),
    ...isOutside.map((condition) => sql.fragment`h.reach = 'repository' AND ${condition}`),
  ];
  return sql.fragment`(${sql.join(parts, sql.fragment` OR `)})`;
}

/** The condition that a document of search_doc `d` is of no record that is hidden from the caller; null where all fit. */
export const notHidden = ({ records }: Hidden): Fragment | null =>
  records === null
    ? null
    : sql.fragment`NOT EXISTS (SELECT FROM search_hidden h WHERE h.kind = d.kind AND h.id = d.record_id AND ${records})`;

/** The documents of records that are hidden from the caller, as a table to stand behind FROM; null where there are none. */
export const hiddenDocuments = ({ records }: Hidden): Fragment | null =>
  records === null
    ? null
    : sql.fragment`(SELECT d.* FROM (SELECT DISTINCT h.kind, h.id FROM search_hidden h WHERE ${records}) AS h JOIN search_doc d ON d.kind = h.kind AND d.record_id = h.id)`;

/**
 * Takes out what was hidden of records whose documents are written now, as far as these were read after it: `position` is the sequencer's, read before
 * the records with the number that the documents carry. So whoever read them earlier has a lower number, and cannot write over them. Waits for nobody.
 */
export async function forgetHidden(tx: Transaction, records: readonly RecordKey[], position: string): Promise<void> {
  if (records.length === 0) return;
  await tx.run(sql`
    DELETE FROM search_hidden WHERE ctid = ANY(ARRAY(SELECT h.ctid FROM ${keyTable(records)} AS u (kind, id) JOIN search_hidden h ON h.kind = u.kind AND h.id = u.id
      WHERE h.kind = 'job' OR pg_visible_in_snapshot(h.xid, ${position}::pg_snapshot) FOR UPDATE OF h SKIP LOCKED))`);
}
