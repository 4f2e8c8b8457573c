// What a change of one record changes for harvesters in others: records below it in its tree, records that show an agent or subject,
// all records of a repository (docs/decisions/0012). Few of them are read; many are put down in oai_due by the database itself.
import { z } from 'zod';
import type { HarvestedKind } from '#domain/formats/oai/format.ts';
import { harvestedKinds } from '#domain/formats/oai/format.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import type { Ids } from './states.ts';
import { idsOf, nodeAt, nodesIn } from './states.ts';
import { RecordKey, keyTable } from '../records/record-key.ts';

/** Kinds that records of the list show something of. */
export const headings: ReadonlySet<string> = new Set([
  'agent_person',
  'agent_family',
  'agent_corporate_entity',
  'agent_software',
  'subject',
  'repository',
]);

const ofHarvested = sql.fragment`${sql.array([...harvestedKinds], 'text')}`;
const headingKinds = sql.fragment`${sql.array([...headings], 'text')}`;

// What formats show of an agent's name beside its sort name, which is the label. Rows of names carry times besides, which change with each save.
const shownOfName = [
  'source',
  'rules',
  'authority_id',
  'name_order',
  'primary_name',
  'rest_of_name',
  'family_name',
  'subordinate_name_1',
  'subordinate_name_2',
  'software_name',
  'prefix',
  'title',
  'suffix',
  'number',
  'dates',
  'fuller_form',
  'qualifier',
];

// What records show of headings, also beside the label: MARC and EAD have the authority of the shown name and of subjects, the number of an agent's
// record, codes and picture of the repository. The type of a subject's first term decides its element. Links are read by their primary key.
const digest = sql.fragment`md5(concat_ws(' ', r.label, r.publish, CASE WHEN r.kind = 'subject' THEN concat_ws(' ', r.body->>'source', r.body->>'authority_id', (SELECT string_agg(t.body->>'term_type', ' ' ORDER BY l.ordinal) FROM link l
    CROSS JOIN LATERAL (SELECT body FROM record WHERE kind = 'term' AND id = l.target_id LIMIT 1) AS t WHERE l.source_kind = 'subject' AND l.source_id = r.id AND l.property = 'terms')) END,
  CASE WHEN r.kind = 'repository' THEN concat_ws(' ', r.body->>'name', r.body->>'parent_institution_name', r.body->>'oai_is_disabled', r.body->>'oai_sets_available', r.body->>'repo_code',
    r.body->>'org_code', r.body->>'country', r.body->>'image_url')
    ELSE concat_ws(' ', (SELECT string_agg(part.key || part.value, ' ' ORDER BY part.key) FROM json_array_elements(r.body->'names') AS name CROSS JOIN LATERAL json_each_text(name) AS part
      WHERE name->>'is_display_name' = 'true' AND part.key = ANY(${sql.array(shownOfName, 'text')})), r.body->'agent_record_identifiers'->0->>'record_identifier') END))`;

const keepDigests = sql.fragment`INSERT INTO oai_heading (kind, id, digest) SELECT kind, id, digest FROM now ON CONFLICT (kind, id) DO UPDATE SET digest = EXCLUDED.digest WHERE oai_heading.digest <> EXCLUDED.digest`;

/** Those of some headings of which records show something else than when this was last called. New ones are shown by nothing yet. */
export async function readChangedHeadings(tx: Transaction, named: readonly RecordKey[]): Promise<readonly RecordKey[]> {
  if (named.length === 0) return [];
  return tx.any(sql.type(RecordKey)`
    WITH now AS MATERIALIZED (
      SELECT r.kind, r.id, ${digest} AS digest FROM (SELECT DISTINCT kind, id FROM ${keyTable(named)} AS u (kind, id)) AS u
      CROSS JOIN LATERAL (SELECT * FROM record WHERE kind = u.kind AND id = u.id AND kind = ANY(${headingKinds}) LIMIT 1) AS r
    ), put AS (${keepDigests})
    SELECT now.kind, now.id FROM now CROSS JOIN LATERAL (SELECT h.digest FROM oai_heading h WHERE h.kind = now.kind AND h.id = now.id LIMIT 1) AS h WHERE h.digest <> now.digest`);
}

/** Takes all headings as they are now, without asking what shows them. */
export async function keepHeadings(tx: Transaction): Promise<void> {
  await tx.run(
    sql`WITH now AS (SELECT kind, id, ${digest} AS digest FROM record r WHERE r.kind = ANY(${headingKinds})) ${keepDigests}`,
  );
}

/**
 * The records that hang on others, as a table of kind and id, perhaps with repeats: everything below trees' records, what links to
 * agents and subjects, what is in repositories. Read as it is asked for, so that a limit ends it; by tree_node_order, link_target_idx
 * and record_repo_idx.
 */
function hangingOn(keys: readonly RecordKey[]): Fragment {
  const { resource, archival_object: components } = idsOf(keys);
  const repositories = keys.flatMap(({ kind, id }) => (kind === 'repository' ? [id] : []));
  const shown = keys.filter(({ kind }) => headings.has(kind) && kind !== 'repository');
  const ids = (values: readonly number[]): Fragment =>
    sql.fragment`unnest(${sql.array([...values], 'int4')}) AS w (id)`;
  const tree = sql.fragment`SELECT 'archival_object'::text AS kind, id FROM (
    WITH RECURSIVE below AS (
      SELECT t.id, t.repo_id, t.root_id FROM ${ids(resource)} CROSS JOIN LATERAL (SELECT repo_id FROM record WHERE kind = 'resource' AND id = w.id LIMIT 1) AS r
      CROSS JOIN ${nodesIn(sql.fragment`r.repo_id`, sql.fragment`w.id`, sql.fragment`0`)}
      UNION ALL
      SELECT t.id, t.repo_id, t.root_id FROM (SELECT t.id, t.repo_id, t.root_id FROM ${ids(components)} CROSS JOIN LATERAL (SELECT repo_id FROM record WHERE kind = 'archival_object' AND id = w.id LIMIT 1) AS r
        CROSS JOIN ${nodeAt(sql.fragment`r.repo_id`, sql.fragment`w.id`)}) AS m CROSS JOIN ${nodesIn(sql.fragment`m.repo_id`, sql.fragment`m.root_id`, sql.fragment`m.id`)}
    ), deep AS (
      SELECT id, repo_id, root_id FROM below
      UNION SELECT t.id, t.repo_id, t.root_id FROM deep d CROSS JOIN ${nodesIn(sql.fragment`d.repo_id`, sql.fragment`d.root_id`, sql.fragment`d.id`)}
    ) SELECT id FROM deep) AS tree`;
  const links = sql.fragment`SELECT l.source_kind, l.source_id FROM ${keyTable(shown)} AS u (kind, id)
    CROSS JOIN LATERAL (SELECT source_kind, source_id FROM link WHERE target_kind = u.kind AND target_id = u.id AND source_kind = ANY(${ofHarvested}) ORDER BY target_kind, target_id, property) AS l`;
  const ofKind = (kind: HarvestedKind): Fragment =>
    sql.fragment`SELECT r.kind, r.id FROM ${ids(repositories)} CROSS JOIN LATERAL (SELECT kind, id FROM record WHERE kind = ${kind} AND repo_id = w.id ORDER BY kind, repo_id, id) AS r`;
  const parts = [
    ...(resource.length + components.length > 0 ? [tree] : []),
    ...(shown.length > 0 ? [links] : []),
    ...(repositories.length > 0 ? harvestedKinds.map(ofKind) : []),
  ];
  return sql.fragment`(${sql.join(parts, sql.fragment` UNION ALL `)}) AS hanging (kind, id)`;
}

/** The records that hang on some, but for `settled` components, where they are at most `limit`; null where they are more. */
export async function readHanging(
  tx: Transaction,
  keys: readonly RecordKey[],
  limit: number,
  { archival_object: settled }: Ids = idsOf([]),
): Promise<Ids | null> {
  if (keys.length === 0) return idsOf([]);
  const rows = await tx.any(sql.type(RecordKey)`
    SELECT kind, id FROM ${hangingOn(keys)} WHERE NOT (kind = 'archival_object' AND id = ANY(${sql.array([...settled], 'int4')})) LIMIT ${limit + 1}`);
  return rows.length > limit ? null : idsOf(rows);
}

// Whoever waits for another's row has smaller ones only: rows are put in in one order.
const putPending = (source: Fragment, compared: boolean): ReturnType<typeof sql> => sql`
  INSERT INTO oai_due (compared, component, id) SELECT DISTINCT ${compared}::boolean, kind = 'archival_object', id FROM ${source} ORDER BY 2, 3 ON CONFLICT DO NOTHING`;

/** Puts records down to be looked at. */
export async function deferRecords(tx: Transaction, keys: readonly RecordKey[]): Promise<void> {
  if (keys.length > 0) await tx.run(putPending(sql.fragment`${keyTable(keys)} AS u (kind, id)`, false));
}

/** Puts all records down to be compared with their items. */
export async function deferAll(tx: Transaction): Promise<void> {
  await tx.run(putPending(sql.fragment`record WHERE kind = ANY(${ofHarvested})`, true));
}

/** Puts down that all that hangs on records is to be looked at: a row for each, however much that is. */
export async function deferHanging(tx: Transaction, keys: readonly RecordKey[]): Promise<void> {
  if (keys.length > 0)
    await tx.run(sql`INSERT INTO oai_fan (kind, id) SELECT kind, id FROM ${keyTable(keys)} AS u (kind, id)`);
}

const PutDownRow = z.strictObject({ dependents: column.bool, pending: column.bool });

/** What is put down: dependents, records. Nearly always nothing, which is told without a lock. */
export async function readPutDown(reader: Reader): Promise<z.infer<typeof PutDownRow>> {
  return reader.one(sql.type(PutDownRow)`
    SELECT EXISTS (SELECT FROM oai_fan) AS dependents, EXISTS (SELECT FROM oai_due) AS pending`);
}

/** Makes due what hangs on records that were put down, for at most `limit` of them. Gives how many these were. */
export async function expandDependents(tx: Transaction, limit: number): Promise<number> {
  const dependents = await tx.any(sql.type(RecordKey)`
    DELETE FROM oai_fan WHERE n = ANY(ARRAY(SELECT n FROM oai_fan ORDER BY n LIMIT ${limit} FOR UPDATE SKIP LOCKED)) RETURNING kind, id`);
  if (dependents.length > 0) await tx.run(putPending(hangingOn(dependents), false));
  return dependents.length;
}

const PendingRow = RecordKey.extend({ compared: column.bool });

/** Takes at most `limit` records that are due; who calls holds the lock of items. `compared`: only those that differ get a new datestamp. */
export async function takePending(
  tx: Transaction,
  limit: number,
): Promise<{ readonly changed: Ids; readonly compared: Ids; readonly count: number }> {
  const rows = await tx.any(sql.type(PendingRow)`
    DELETE FROM oai_due WHERE ctid = ANY(ARRAY(SELECT ctid FROM oai_due ORDER BY compared, component, id LIMIT ${limit})) RETURNING compared, CASE WHEN component THEN 'archival_object' ELSE 'resource' END AS kind, id`);
  return {
    changed: idsOf(rows.filter(({ compared }) => !compared)),
    compared: idsOf(rows.filter(({ compared }) => compared)),
    count: rows.length,
  };
}
