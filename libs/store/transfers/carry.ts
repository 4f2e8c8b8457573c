// Carrying the records of `moving` from one repository to another: a fixed number of statements, however many there are.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { kinds } from '#domain/kinds/index.ts';
import { repository } from '#domain/kinds/repository.ts';
import { appendManyFrom } from '../change-log/append.ts';
import type { Transaction } from '../connection/database.ts';
import { sequenceOf } from '../set-up/kind-partitions.ts';
import { movePartTombstones } from '../records/writing/part-tombstones.ts';
import { noteHiding, tellByItself } from '../search/hiding.ts';
import { touchIn } from '../records/writing/touch.ts';
import { column, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { moveTreesToRepository } from '../trees/transfer.ts';
import { companionLinks, companions } from './moving.ts';

/** From where to where, and for whom. */
export type Route = { readonly from: number; readonly to: number; readonly actor: string | null };

/**
 * Gives the target a copy of each event and assessment that speaks of records that stay as well: the copy tells of what goes, the
 * original of the rest (contract 5.3). The copies are in the temporary table `copied`.
 */
export async function shareCompanions(tx: Transaction, route: Route): Promise<void> {
  await tx.run(sql`CREATE TEMP TABLE copied (kind text NOT NULL, id int NOT NULL) ON COMMIT DROP`);
  const known = companions.filter(({ kind }) => kinds.has(kind));
  // A step for each kind of companion, of which there are two.
  await known.reduce<Promise<void>>(
    (before, each) => before.then(() => shareKind(tx, each.kind, each.property, route)),
    Promise.resolve(),
  );
}

async function shareKind(tx: Transaction, kind: string, property: string, { from, to, actor }: Route): Promise<void> {
  await tx.run(sql`CREATE TEMP TABLE shared ON COMMIT DROP AS
    SELECT s.source_id AS id, nextval(${sequenceOf(kind)})::int AS new_id, array_agg(record_uri(s.target_kind, s.target_id, ${from}) ORDER BY s.ordinal) FILTER (WHERE s.goes) AS uris
    FROM (${companionLinks()}) AS s WHERE s.source_kind = ${kind} AND NOT EXISTS (SELECT FROM moving m WHERE m.kind = s.source_kind AND m.id = s.source_id) GROUP BY s.source_id`);
  // The refid of an event is its own alone. Refs to the old repository are those to what goes: the others were taken out.
  await tx.run(sql`
    WITH made AS (
      INSERT INTO record (kind, id, repo_id, publish, suppressed, label, created_by, last_modified_by, create_time, user_mtime, body)
      SELECT r.kind, s.new_id, ${to}::int, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by, r.create_time, r.user_mtime,
        replace(with_refs(with_property(r.body, 'refid', NULL), ${property}, s.uris, true)::text, ${`"ref":"/repositories/${from}/`}, ${`"ref":"/repositories/${to}/`})::json
      FROM shared s JOIN record r ON r.kind = ${kind} AND r.id = s.id RETURNING kind, id, repo_id, lock_version
    ) ${appendManyFrom('made', 'create', actor)}`);
  await tx.run(sql`
    INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref, target_ordinal, suppressed)
    SELECT l.source_kind, s.new_id, l.ordinal, l.property, l.target_kind, l.target_id, ${to}::int, l.role, l.mutual, l.ref, l.target_ordinal, l.suppressed
    FROM shared s JOIN link l ON l.source_kind = ${kind} AND l.source_id = s.id
    WHERE l.property <> ${property} OR EXISTS (SELECT FROM moving m WHERE m.kind = l.target_kind AND m.id = l.target_id)`);
  await tx.run(sql`
    DELETE FROM link l USING shared s, moving m
    WHERE l.source_kind = ${kind} AND l.source_id = s.id AND l.property = ${property} AND m.kind = l.target_kind AND m.id = l.target_id`);
  await tx.run(sql`
    WITH written AS (
      UPDATE record r SET body = with_refs(r.body, ${property}, s.uris, false), system_mtime = now() FROM shared s WHERE r.kind = ${kind} AND r.id = s.id RETURNING r.kind, r.id, r.repo_id
    ) ${appendManyFrom('written', 'update', actor)}`);
  await tx.run(sql`INSERT INTO copied (kind, id) SELECT ${kind}::text, new_id FROM shared`);
  await tx.run(sql`DROP TABLE shared`);
}

const OddRow = z.strictObject({ uri: column.text, property: column.text });

/**
 * Drops the links between what goes and what stays in the repository: relations that both sides may write (contract 5.3). The far sides are
 * re-dated. Copies that shareCompanions made are in the target already. Fails with `transfer_conflict` where a body would keep a ref across the border, which no declared property does.
 */
export async function cutLinks(tx: Transaction, { from, actor }: Route): Promise<void> {
  const scoped = sql.array(
    [...kinds.values()].filter((kind) => kind.scope === 'repository').map((kind) => kind.name),
    'text',
  );
  await tx.run(sql`
    CREATE TEMP TABLE cut ON COMMIT DROP AS
    SELECT l.source_kind, l.source_id, l.ordinal, l.property, l.mutual, l.target_kind AS other_kind, l.target_id AS other_id FROM moving m JOIN link l ON l.source_kind = m.kind AND l.source_id = m.id
      WHERE l.target_kind = ANY(${scoped}) AND NOT EXISTS (SELECT FROM moving t WHERE t.kind = l.target_kind AND t.id = l.target_id)
    UNION ALL
    SELECT l.source_kind, l.source_id, l.ordinal, l.property, l.mutual, l.source_kind, l.source_id FROM moving m JOIN link l ON l.target_kind = m.kind AND l.target_id = m.id
      WHERE l.repo_id = ${from} AND NOT EXISTS (SELECT FROM moving s WHERE s.kind = l.source_kind AND s.id = l.source_id)`);
  const odd = await tx.any(sql.type(OddRow)`
    SELECT record_uri(source_kind, source_id, ${from}) AS uri, property FROM cut WHERE mutual IS NULL ORDER BY 1, 2 LIMIT 100`);
  if (odd.length > 0)
    throw fail(
      'transfer_conflict',
      Object.fromEntries(
        odd.map(({ uri, property }) => [uri, [{ json_property: property, message: 'LINKED_ACROSS_REPOSITORIES' }]]),
      ),
    );
  await tx.run(
    sql`DELETE FROM link l USING cut c WHERE l.source_kind = c.source_kind AND l.source_id = c.source_id AND l.ordinal = c.ordinal`,
  );
  await touchIn(tx, sql.fragment`SELECT DISTINCT other_kind AS kind, other_id AS id FROM cut`, actor);
  await tx.run(sql`DROP TABLE cut`);
}

/** Moves rows, refs, links, keys and trees; leaves a tombstone at each old uri and takes away those at the new ones. */
export async function carry(tx: Transaction, { from, to, actor }: Route): Promise<void> {
  const old = `"ref":"/repositories/${from}/`;
  await tx.run(sql`
    WITH buried AS (INSERT INTO tombstone (uri, kind, id) SELECT record_uri(kind, id, ${from}), kind, id FROM moving)
    DELETE FROM tombstone t USING moving m WHERE t.uri = record_uri(m.kind, m.id, ${to})`);
  await movePartTombstones(
    tx,
    sql.fragment`EXISTS (SELECT FROM moving m WHERE m.kind = r.kind AND m.id = r.id)`,
    from,
    to,
  );
  await tellByItself(tx, true);
  // For those who follow the log: gone from the one repository, then there in the other.
  await tx.run(sql`
    WITH written AS (
      UPDATE record r SET repo_id = ${to}, system_mtime = now(), body = replace(r.body::text, ${old}, ${`"ref":"/repositories/${to}/`})::json
      FROM moving m WHERE r.kind = m.kind AND r.id = m.id RETURNING r.kind, r.id
    ), told AS (SELECT kind, id, s.repo_id, s.op FROM written, (VALUES (${from}::int, 'delete'), (${to}::int, 'update')) AS s (repo_id, op))
    ${appendManyFrom('told', 'column', actor)}`);
  await hideMoved(tx, from, to);
  await tellByItself(tx, false);
  await tx.run(
    sql`UPDATE link l SET repo_id = ${to} FROM moving m WHERE l.source_kind = m.kind AND l.source_id = m.id`,
  );
  const oldPrefix = `/repositories/${from}/`;
  await tx.run(sql`
    UPDATE unique_key k SET scope = CASE WHEN k.scope = ${`r${from}`} THEN ${`r${to}`} ELSE ${`/repositories/${to}/`} || substr(k.scope, ${oldPrefix.length + 1}) END
    FROM moving m WHERE k.kind = m.kind AND k.id = m.id AND (k.scope = ${`r${from}`} OR starts_with(k.scope, ${oldPrefix}))`);
  // Three statements for each kind of tree, of which there are three.
  await [...kinds.values()].reduce<Promise<void>>(
    (before, { tree }) =>
      before.then(() => {
        if (tree === undefined) return undefined;
        return moveTreesToRepository(
          tx,
          { repoId: from, code: tree.code },
          to,
          sql.fragment`SELECT id FROM moving WHERE kind = ${tree.root}`,
        );
      }),
    Promise.resolve(),
  );
  tx.changed();
}

/**
 * Hides what was carried from those who do not see its new repository, or its suppressed records: as the triggers would, in one statement (decision 0025).
 * Only where it goes from a published repository to one that is not may subjects be hidden with it, for which it is looked above each of their users.
 */
async function hideMoved(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO search_hidden (kind, id, reach, repo_id) SELECT kind, id, 'repository', ${to}::int FROM moving
    UNION ALL SELECT r.kind, r.id, 'suppressed', r.repo_id FROM moving m JOIN record r ON r.kind = m.kind AND r.id = m.id WHERE r.suppressed`);
  const published = await tx.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = ${repository.name} AND id IN (${from}, ${to}) AND publish`);
  const shown = published.map(({ id }) => id);
  if (shown.includes(from) && !shown.includes(to)) await tellByItself(tx, false);
  await noteHiding(tx);
}
