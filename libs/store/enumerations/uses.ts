// Uses of a value of a controlled list in stored records: whether there is one, and the renaming of all of them.
// Bodies are JSON text, so candidates are found by text and looked at by declaration, in chunks; nothing is held in memory.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { keysOf } from '#domain/checking/split.ts';
import type { EnumerationUse } from '#domain/schema/enumeration-uses.ts';
import { renameValue, usesOf } from '#domain/schema/enumeration-uses.ts';
import { appendFrom } from '../change-log/append.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { insertKeys, takenByOthers } from '../records/writing/unique-keys.ts';

/** A value of a list that becomes another, and who wants it: nobody where the service follows an earlier renaming. */
export type Renaming = {
  readonly list: string;
  readonly from: string;
  readonly to: string;
  readonly actor: string | null;
};

const Candidate = z.strictObject({ id: column.int, repo_id: column.maybeInt, body: column.text });
type Candidate = z.infer<typeof Candidate>;

const bodiesAtOnce = 500;

// Stored bodies are canonical JSON without blanks, in which a quote inside a text is escaped: these bytes are a property.
const pairText = (property: string, value: string): string => `${JSON.stringify(property)}:${JSON.stringify(value)}`;

// A value among several of its property is a text by itself; whether it stands in that list is for the declaration to tell.
function holds(column: Fragment, use: EnumerationUse, value: string): Fragment {
  const has = (text: string): Fragment => sql.fragment`strpos(${column}::text, ${text}) > 0`;
  return sql.fragment`(${sql.join(
    [
      ...use.properties.map((property) => has(pairText(property, value))),
      ...use.plurals.map(
        (property) => sql.fragment`(${has(`${JSON.stringify(property)}:[`)} AND ${has(JSON.stringify(value))})`,
      ),
    ],
    sql.fragment` OR `,
  )})`;
}

/** Where to look for uses: in all records of a kind, or among some of them. */
export type Searched = { readonly use: EnumerationUse; readonly ids: readonly number[] | null };

/** All kinds whose records may use a value of the list. */
export const everywhere = (list: string): readonly Searched[] =>
  usesOf(kinds.values(), list).map((use) => ({ use, ids: null }));

/** Whether some record uses a value; `searched`: not looked for elsewhere. Reads candidates of each kind in chunks, and stops at the first use. */
export async function isInUse(
  tx: Transaction,
  list: string,
  value: string,
  searched: readonly Searched[] = everywhere(list),
): Promise<boolean> {
  // A change to a value that no list can hold shows where the value is.
  const probe = { list, from: value, to: `${value}\u0000`, actor: null };
  if (await isInMutualLinks(tx, searched, value)) return true;
  for (const place of searched) {
    for await (const chunk of candidates(tx, place, value)) {
      if (chunk.some((row) => isChanged(place.use, row, probe))) return true;
    }
  }
  return false;
}

const among = (column: Fragment, { ids }: Searched): Fragment =>
  ids === null ? sql.fragment`` : sql.fragment` AND ${column} = ANY(${sql.array([...ids], 'int4')})`;

function isChanged(use: EnumerationUse, row: Candidate, change: Renaming): boolean {
  // A stored body is our own canonical text.
  const body: JsonObject = JSON.parse(row.body);
  return renameValue(use.kind, body, change) !== body;
}

/** Which of the candidates: those behind an id, so many of them. */
type Chunk = { readonly after: number; readonly atOnce: number };

const chunkOf = (searched: Searched, value: string, { after, atOnce }: Chunk): Fragment =>
  sql.fragment`SELECT id, repo_id, body FROM record WHERE kind = ${searched.use.kind.name} AND id > ${after}${among(sql.fragment`id`, searched)} AND ${holds(sql.fragment`body`, searched.use, value)} ORDER BY id LIMIT ${atOnce}`;

/** The next records that may use a value, as they are. */
export const readChunk = (
  reader: Reader,
  searched: Searched,
  value: string,
  chunk: Chunk,
): Promise<readonly Candidate[]> => reader.any(sql.type(Candidate)`${chunkOf(searched, value, chunk)}`);

/** The same, held. */
export const holdChunk = (
  tx: Transaction,
  searched: Searched,
  value: string,
  chunk: Chunk,
): Promise<readonly Candidate[]> => tx.any(sql.type(Candidate)`${chunkOf(searched, value, chunk)} FOR NO KEY UPDATE`);

async function* candidates(tx: Transaction, searched: Searched, value: string): AsyncGenerator<readonly Candidate[]> {
  for (let after = 0; ;) {
    const rows = await holdChunk(tx, searched, value, { after, atOnce: bodiesAtOnce });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}

const UsedRow = z.strictObject({ used: column.bool });

/** Links that both sides write are in no body. One statement for all kinds. */
async function isInMutualLinks(tx: Transaction, places: readonly Searched[], value: string): Promise<boolean> {
  const conditions = places
    .filter(({ use }) => use.relations.length > 0)
    .map(
      ({ use, ids }) =>
        sql.fragment`(l.source_kind = ${use.kind.name}${among(sql.fragment`l.source_id`, { use, ids })} AND l.mutual = ANY(${sql.array([...use.relations], 'text')}) AND ${holds(sql.fragment`l.ref`, use, value)})`,
    );
  if (conditions.length === 0) return false;
  const row = await tx.one(sql.type(UsedRow)`
    SELECT EXISTS (SELECT FROM link l WHERE ${sql.join(conditions, sql.fragment` OR `)}) AS used`);
  return row.used;
}

/** Replaces uses of a value in records and links, every one where `searched` does not say where; the records are re-dated, their lock versions stay. Gives how many changed. */
export async function renameUses(
  tx: Transaction,
  change: Renaming,
  searched: readonly Searched[] = everywhere(change.list),
): Promise<number> {
  let count = 0;
  await holdUses(tx, change.from, searched);
  for (const place of searched) {
    for await (const chunk of candidates(tx, place, change.from)) {
      const renamed = renamedAmong(place.use, chunk, change);
      await writeRenamed(tx, place.use, renamed, change);
      await replaceKeys(tx, place.use, changedKeys(place.use, renamed));
      count += renamed.length;
    }
    await renameLinks(tx, place, change);
  }
  tx.changed();
  return count;
}

/** The links of a place that both sides write and that hold a value. */
const relatedBy = (searched: Searched, value: string): Fragment =>
  sql.fragment`source_kind = ${searched.use.kind.name}${among(sql.fragment`source_id`, searched)} AND mutual = ANY(${sql.array([...searched.use.relations], 'text')}) AND ${holds(sql.fragment`ref`, searched.use, value)}`;

/**
 * Holds all that is renamed, with both sides of relations, in the order in which everybody does: kind by kind, roots of trees would come before what is in them, and one side of a relation behind another record of its kind. Candidates are looked
 * for once more for that, as millions are not to be remembered.
 */
async function holdUses(tx: Transaction, value: string, searched: readonly Searched[]): Promise<void> {
  const parts = searched.flatMap((place) => {
    const { kind, relations } = place.use;
    const related = relatedBy(place, value);
    return [
      sql.fragment`SELECT kind, id FROM record WHERE kind = ${kind.name}${among(sql.fragment`id`, place)} AND ${holds(sql.fragment`body`, place.use, value)}`,
      ...(relations.length === 0
        ? []
        : [
            sql.fragment`SELECT source_kind, source_id FROM link WHERE ${related}`,
            sql.fragment`SELECT target_kind, target_id FROM link WHERE ${related}`,
          ]),
    ];
  });
  if (parts.length > 0) await holdRecords(tx, sql.fragment`${sql.join(parts, sql.fragment` UNION ALL `)}`, 'writes');
}

/** A record with its body before and after a renaming. */
type Renamed = { readonly row: Candidate; readonly old: JsonObject; readonly body: JsonObject };

/** Those candidates that use the value, with what they become. */
export const renamedAmong = (use: EnumerationUse, chunk: readonly Candidate[], change: Renaming): readonly Renamed[] =>
  chunk.flatMap((row) => {
    // A stored body is our own canonical text.
    const old: JsonObject = JSON.parse(row.body);
    const body = renameValue(use.kind, old, change);
    return body === old ? [] : [{ row, old, body }];
  });

/** Writes the bodies, with a change of each. */
export async function writeRenamed(
  tx: Transaction,
  use: EnumerationUse,
  renamed: readonly Renamed[],
  change: Renaming,
): Promise<void> {
  if (renamed.length === 0) return;
  await tx.run(sql`
    WITH written AS (
      UPDATE record r SET body = u.body::json, label = u.label, system_mtime = now()
      FROM ${sql.unnest(
        renamed.map(({ row, body }) => [row.id, JSON.stringify(body), use.kind.label(body)]),
        ['int4', 'text', 'text'],
      )} AS u (id, body, label)
      WHERE r.kind = ${use.kind.name} AND r.id = u.id RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ) ${appendFrom('written', 'update', change.actor)}`);
}

const LostRow = z.strictObject({ id: column.int, rule: column.text, value: column.text });

/** Unique keys may hold the value (the source of a subject): those that differ, as they were and as they become. */
export function changedKeys(use: EnumerationUse, renamed: readonly Renamed[]) {
  return renamed.flatMap(({ row, old, body }) => {
    // Rules within a root have no list in them, so the root does not matter here.
    const before = keysOf(use.kind, old, row.repo_id, null);
    const after = keysOf(use.kind, body, row.repo_id, null);
    return after.flatMap((key, index) =>
      before[index]?.value === key.value
        ? []
        : [{ id: row.id, repoId: row.repo_id, key, old: before[index]?.value ?? '' }],
    );
  });
}

/** Replaces the keys that differ. Two records that become the same are refused, and named. */
async function replaceKeys(
  tx: Transaction,
  use: EnumerationUse,
  changes: ReturnType<typeof changedKeys>,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = sql.unnest(
    changes.map(({ id, key, old }) => [id, key.rule, key.scope, old, key.value]),
    ['int4', 'text', 'text', 'text', 'text'],
  );
  await tx.run(
    sql`DELETE FROM unique_key k USING ${rows} AS u (id, rule, scope, old, value) WHERE k.kind = ${use.kind.name} AND k.id = u.id AND k.rule = u.rule AND k.scope = u.scope AND k.value = u.old`,
  );
  const inserted = await insertKeys(
    tx,
    sql.fragment`SELECT u.*, ${use.kind.name}::text AS kind, u.id AS place FROM ${rows} AS u (id, rule, scope, old, value)`,
  );
  if (inserted === changes.length) return;
  const lost = await tx.maybeOne(sql.type(LostRow)`
    SELECT u.id, u.rule, u.value FROM ${rows} AS u (id, rule, scope, old, value) JOIN unique_key k ON k.rule = u.rule AND k.scope = u.scope AND k.value = u.value
    WHERE NOT (k.kind = ${use.kind.name} AND k.id = u.id) ORDER BY u.id, u.rule LIMIT 1`);
  const change = changes.find(({ id, key }) => id === lost?.id && key.rule === lost.rule && key.value === lost.value);
  if (change === undefined) throw fail('internal', 'a key was not written that nobody has');
  const error = await takenByOthers(tx, use.kind.name, change.id, [change.key]);
  // The words of a refused save; which record could not be saved is told beside them, since nobody sent it.
  throw fail('not_unique', error ?? { [change.key.property]: [change.key.says] }, {
    invalid_object: uriOf(use.kind, change.id, change.repoId),
  });
}

/** The roles of the links of a place, which bodies tell as well. */
export async function renameRoles(tx: Transaction, searched: Searched, change: Renaming): Promise<void> {
  const { kind, roles } = searched.use;
  if (roles.length === 0) return;
  await tx.run(
    sql`UPDATE link SET role = ${change.to} WHERE source_kind = ${kind.name}${among(sql.fragment`link.source_id`, searched)} AND property = ANY(${sql.array([...roles], 'text')}) AND role = ${change.from}`,
  );
}

async function renameLinks(tx: Transaction, searched: Searched, change: Renaming): Promise<void> {
  const { use } = searched;
  const related = relatedBy(searched, change.from);
  // Both sides before the links, as a save of either takes them; of those that were related since all others were held.
  if (use.relations.length > 0)
    await holdRecords(
      tx,
      sql.fragment`SELECT source_kind AS kind, source_id AS id FROM link WHERE ${related} UNION SELECT target_kind, target_id FROM link WHERE ${related}`,
      'writes',
    );
  await renameRoles(tx, searched, change);
  if (use.relations.length === 0) return;
  const renamed = use.properties.reduce<Fragment>(
    (text, property) =>
      sql.fragment`replace(${text}, ${pairText(property, change.from)}, ${pairText(property, change.to)})`,
    sql.fragment`ref::text`,
  );
  await tx.run(sql`
    WITH links AS (
      UPDATE link SET ref = ${renamed}::json WHERE ${related}
      RETURNING source_kind, source_id, target_kind, target_id
    ), both_sides AS (SELECT source_kind AS kind, source_id AS id FROM links UNION SELECT target_kind, target_id FROM links),
    written AS (UPDATE record r SET system_mtime = now() FROM both_sides b WHERE r.kind = b.kind AND r.id = b.id RETURNING r.kind, r.id, r.repo_id, r.lock_version)
    ${appendFrom('written', 'update', change.actor)}`);
}
