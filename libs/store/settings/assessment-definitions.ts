// The definitions of ratings, formats and conservation issues: those of all repositories, which nobody changes, and a repository's own (contract 6.12).
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf, textOf } from '#domain/json.ts';
import { largestInt4 } from '#domain/int4.ts';
import type { Kind } from '#domain/kind.ts';
import { assessment } from '#domain/kinds/assessment.ts';
import { attributeTypes, keepGivenAttributes } from '#domain/rules/assessment-attributes.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { holdRepository } from '../records/writing/home.ts';
import { column, IdRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { enqueueAll } from '../search/pending.ts';

const Definition = z.strictObject({
  id: column.int,
  label: column.text,
  type: column.text,
  global: column.bool,
  readonly: column.bool,
  position: column.int,
});
type Definition = z.infer<typeof Definition>;

/** The definitions that a repository's assessments have: those of all first, then its own, by position. `position` counts within each type. */
export async function readAttributeDefinitions(reader: Reader, repoId: number): Promise<readonly Definition[]> {
  return reader.any(sql.type(Definition)`
    SELECT id, label, type, repo_id IS NULL AS global, readonly, (row_number() OVER (PARTITION BY repo_id, type ORDER BY position, id) - 1)::int AS position
    FROM assessment_attribute_definition WHERE repo_id IS NULL OR repo_id = ${repoId} ORDER BY repo_id NULLS FIRST, array_position(ARRAY['rating', 'format', 'conservation_issue'], type), position, id`);
}

type Wanted = { readonly id: number | null; readonly label: string; readonly type: string; readonly readonly: boolean };

/**
 * The new list of a repository that has the definitions `known`: global entries are not its own, and of new entries with one label the
 * first counts. An id that is not the repository's own stands for nothing, so its entry is new.
 */
function wantedOf(body: JsonObject, known: ReadonlySet<number>): readonly Wanted[] {
  const seen = new Set<string>();
  return objectsOf(body, 'definitions')
    .filter((entry) => entry['global'] !== true)
    .flatMap((entry): readonly Wanted[] => {
      const wanted = {
        id: typeof entry['id'] === 'number' && known.has(entry['id']) ? entry['id'] : null,
        label: textOf(entry, 'label') ?? '',
        type: textOf(entry, 'type') ?? '',
        readonly: entry['readonly'] === true,
      };
      const key = `${wanted.type} ${wanted.label}`;
      if (wanted.id !== null) return [wanted];
      if (seen.has(key)) return [];
      seen.add(key);
      return [wanted];
    });
}

/** Until the end of the transaction nobody else changes the definitions of these repositories. In one order everywhere. */
async function holdDefinitions(tx: Transaction, repoIds: readonly number[]): Promise<void> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended('muniment assessment definitions', u.id))
    FROM (SELECT id FROM unnest(${sql.array([...repoIds], 'int4')}) AS u (id) ORDER BY id) AS u`);
}

/**
 * Replaces a repository's own definitions: what is missing is deleted, the order is the position. Fails with `conflict`: RECORD_IN_USE
 * where an assessment has a value for one that would go or be of another type, or the labels that are taken. A fixed number of statements. Where one is called otherwise
 * the repository's assessments are indexed anew.
 */
export async function replaceAttributeDefinitions(tx: Transaction, repoId: number, body: JsonObject): Promise<void> {
  await holdRepository(tx, repoId);
  // One replacement of a repository after another. Its definitions are held as well: what an assessment that is being saved says under one is to be seen.
  await holdDefinitions(tx, [repoId]);
  const own = await tx.any(sql.type(Definition)`
    SELECT id, label, type, false AS global, readonly, position FROM assessment_attribute_definition WHERE repo_id = ${repoId} ORDER BY id FOR UPDATE`);
  const wanted = wantedOf(body, new Set(own.map((each) => each.id)));
  const kept = wanted.flatMap((each) => each.id ?? []);
  const gone = own.filter((each) => !kept.includes(each.id)).map((each) => each.id);
  // Values stand in the list of the type: under a definition of another they would be shown nowhere, and the next save would drop them.
  const retyped = own.filter(({ id, type }) => wanted.some((each) => each.id === id && each.type !== type));
  await refuseUsed(tx, repoId, [...gone, ...retyped.map((each) => each.id)]);
  await refuseTaken(tx, wanted);
  await tx.run(
    sql`DELETE FROM assessment_attribute_definition WHERE repo_id = ${repoId} AND id = ANY(${sql.array(gone, 'int4')})`,
  );
  const rows = wanted.map((each, position) => [each.id, each.type, each.label, each.readonly, position]);
  const given = sql.unnest(rows, ['int4', 'text', 'text', 'bool', 'int4']);
  // Labels that change places would meet on the way, so they step aside first.
  await tx.run(
    sql`UPDATE assessment_attribute_definition SET label = 'moving ' || id || ' ' || label WHERE repo_id = ${repoId}`,
  );
  await tx.run(sql`UPDATE assessment_attribute_definition d SET type = u.type, label = u.label, readonly = u.readonly, position = u.position
    FROM ${given} AS u (id, type, label, readonly, position) WHERE d.repo_id = ${repoId} AND d.id = u.id`);
  await tx.run(sql`INSERT INTO assessment_attribute_definition (repo_id, type, label, readonly, position)
    SELECT ${repoId}, u.type, u.label, u.readonly, u.position FROM ${given} AS u (id, type, label, readonly, position) WHERE u.id IS NULL ORDER BY u.position`);
  // Search documents show what the values of an assessment are called.
  const isOtherwise = (each: Wanted): boolean =>
    own.some(({ id, type, label }) => id === each.id && (type !== each.type || label !== each.label));
  if (wanted.some(isOtherwise)) await enqueueAll(tx, [assessment.name], repoId);
}

async function refuseUsed(tx: Transaction, repoId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const lists = sql.array(Object.keys(attributeTypes), 'text');
  const used = await tx.maybeOne(sql.type(IdRow)`
    SELECT r.id FROM record r CROSS JOIN unnest(${lists}) AS l (name) CROSS JOIN json_array_elements(r.body->l.name) AS e (entry)
    WHERE r.kind = 'assessment' AND r.repo_id = ${repoId} AND (e.entry->>'definition_id')::numeric = ANY(${sql.array([...ids], 'int4')}) LIMIT 1`);
  if (used !== null) throw fail('conflict', 'RECORD_IN_USE');
}

const LabelRow = z.strictObject({ label: column.text });

async function refuseTaken(tx: Transaction, wanted: readonly Wanted[]): Promise<void> {
  const rows = await tx.any(sql.type(LabelRow)`SELECT DISTINCT u.label FROM ${sql.unnest(
    wanted.map((each) => [each.type, each.label]),
    ['text', 'text'],
  )} AS u (type, label)
    JOIN assessment_attribute_definition d ON d.repo_id IS NULL AND d.type = u.type AND d.label = u.label ORDER BY 1`);
  const repeated = wanted.filter(
    (each, index) => wanted.findIndex((other) => other.type === each.type && other.label === each.label) !== index,
  );
  const labels = [...new Set([...rows.map((row) => row.label), ...repeated.map((each) => each.label)])];
  if (labels.length > 0) throw fail('conflict', labels);
}

const KnownRow = z.strictObject({ id: column.int, type: column.text });

/**
 * Bodies of assessments with what they say under definitions that their repository has, and nothing under other ids (contract 6.12), which might be
 * those of definitions to come. The definitions are held: who deletes one waits, and finds it in use. Bodies of other kinds as they are.
 */
export async function withKnownAttributes(
  tx: Transaction,
  kind: Kind,
  bodies: readonly JsonObject[],
  repoId: number | null,
): Promise<readonly JsonObject[]> {
  if (kind.name !== assessment.name) return bodies;
  const lists = Object.entries(attributeTypes);
  const named = bodies.flatMap((body) => lists.flatMap(([list]) => objectsOf(keepGivenAttributes(body), list)));
  const ids = named.flatMap(({ definition_id: id }) =>
    typeof id === 'number' && id > 0 && id <= largestInt4 ? [id] : [],
  );
  if (named.length === 0) return bodies;
  const rows = await tx.any(sql.type(KnownRow)`
    SELECT id, type FROM assessment_attribute_definition WHERE id = ANY(${sql.array(ids, 'int4')}) AND (repo_id IS NULL OR repo_id = ${repoId}) ORDER BY id FOR KEY SHARE`);
  const known = new Set(rows.map(({ id, type }) => `${type} ${id}`));
  return bodies.map((body) => ({
    ...body,
    ...Object.fromEntries(
      lists.map(([list, type]) => [
        list,
        objectsOf(body, list).filter((entry) => known.has(`${type} ${Number(entry['definition_id'])}`)),
      ]),
    ),
  }));
}

/**
 * The same of assessments (`ids`) that a bulk has written in this transaction; ids of other kinds are nothing to it. Two statements, however many they are. Call it at the end: who
 * changes the definitions waits from here on.
 */
export async function keepKnownAttributes(tx: Transaction, kind: Kind, ids: readonly number[]): Promise<void> {
  if (kind.name !== assessment.name || ids.length === 0) return;
  const among = sql.fragment`r.kind = ${assessment.name} AND r.id = ANY(${sql.array([...ids], 'int4')})`;
  await tx.run(sql`
    SELECT FROM assessment_attribute_definition d WHERE d.repo_id IN (SELECT r.repo_id FROM record r WHERE ${among}) ORDER BY d.id FOR KEY SHARE`);
  const isKnown = (type: string): Fragment => sql.fragment`EXISTS (
    SELECT FROM assessment_attribute_definition d WHERE d.id = (e.entry->>'definition_id')::numeric AND d.type = ${type} AND (d.repo_id IS NULL OR d.repo_id = r.repo_id))`;
  const lists = Object.entries(attributeTypes);
  const body = lists.reduce<Fragment>(
    (text, [list, type]) => sql.fragment`with_property(${text}, ${list}, (
      SELECT ('[' || coalesce(string_agg(e.entry::text, ',' ORDER BY e.n), '') || ']')::json
      FROM json_array_elements(r.body->${list}::text) WITH ORDINALITY AS e (entry, n) WHERE ${isKnown(type)}))`,
    sql.fragment`r.body`,
  );
  const hasUnknown = lists.map(
    ([list, type]) =>
      sql.fragment`EXISTS (SELECT FROM json_array_elements(r.body->${list}::text) AS e (entry) WHERE NOT ${isKnown(type)})`,
  );
  await tx.run(
    sql`UPDATE record r SET body = ${body} WHERE ${among} AND (${sql.join(hasUnknown, sql.fragment` OR `)})`,
  );
}

/** From which repository to which. */
type Way = { readonly from: number; readonly to: number };

/**
 * What assessments (`ids`) that go to another repository say under definitions of their own one stands there under those of the same type and
 * label (contract 5.3). What has none there stays as it is, not shown in the record: it is back where the assessment is.
 */
export async function matchAttributes(tx: Transaction, { from, to }: Way, ids: Fragment): Promise<void> {
  if ((await tx.maybeOne(sql.type(IdRow)`SELECT id FROM (${ids}) AS a LIMIT 1`)) === null) return;
  await holdDefinitions(tx, [from, to]);
  const matched = sql.fragment`SELECT s.id, t.id AS new_id FROM assessment_attribute_definition s JOIN assessment_attribute_definition t ON t.type = s.type AND t.label = s.label
    WHERE s.repo_id = ${from} AND t.repo_id = ${to}`;
  const body = Object.keys(attributeTypes).reduce<Fragment>(
    (text, list) => sql.fragment`with_property(${text}, ${list}, (
      SELECT ('[' || coalesce(string_agg(CASE WHEN m.id IS NULL THEN e.entry ELSE with_property(e.entry, 'definition_id', to_json(m.new_id)) END::text, ',' ORDER BY e.n), '') || ']')::json
      FROM json_array_elements(r.body->${list}::text) WITH ORDINALITY AS e (entry, n) LEFT JOIN matched m ON m.id = (e.entry->>'definition_id')::numeric))`,
    sql.fragment`r.body`,
  );
  await tx.run(sql`
    WITH matched AS (${matched}) UPDATE record r SET body = ${body} WHERE r.kind = 'assessment' AND r.id IN (${ids}) AND EXISTS (SELECT FROM matched)`);
}

/** Gives a repository's own definitions to another one, behind those that it has; what it has itself of a type and label stands for both. Assessments have been matched. */
export async function moveAttributeDefinitions(tx: Transaction, { from, to }: Way): Promise<void> {
  await holdDefinitions(tx, [from, to]);
  await tx.run(sql`
    DELETE FROM assessment_attribute_definition s USING assessment_attribute_definition t WHERE s.repo_id = ${from} AND t.repo_id = ${to} AND t.type = s.type AND t.label = s.label`);
  await tx.run(sql`
    UPDATE assessment_attribute_definition SET repo_id = ${to}, position = position + (SELECT coalesce(max(t.position) + 1, 0) FROM assessment_attribute_definition t WHERE t.repo_id = ${to})
    WHERE repo_id = ${from}`);
}
