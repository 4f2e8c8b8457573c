// Finding records by what others call them: their identifiers (contract 4.3), identifiers of other systems, slugs and ARKs. Each is one
// statement that an index serves: the expression indexes of partitions (set-up/kind-partitions.ts) and the primary key of unique_key. Nothing here waits
// for the search index, so a record is found as soon as it is committed.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import { arkKey, arkRule } from '#domain/identifiers/arks.ts';
import { keyText } from '#domain/checking/split.ts';
import { slugKey, slugRule } from '#domain/identifiers/slugs.ts';
import type { Reader } from '../connection/database.ts';
import { ofKinds } from '../records/of-kinds.ts';
import type { Viewer } from '../records/reading/viewer.ts';
import { column, IdRow, AddressRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** The properties that records are looked up by: the expressions of the indexes that `lookups` of their kinds makes. */
const properties = {
  ref_id: sql.fragment`r.body->>'ref_id'`,
  component_id: sql.fragment`r.body->>'component_id'`,
  digital_object_id: sql.fragment`r.body->>'digital_object_id'`,
  indicator: sql.fragment`r.body->>'indicator'`,
  barcode: sql.fragment`r.body->>'barcode'`,
} as const;

/** What a lookup compares: a property, the whole identifier of a resource (keys of identifiers/four-parts.ts), or an ARK. */
export type LookupField = keyof typeof properties | 'identifier' | 'ark';

/** A condition: the field has one of the values. The empty text is nobody's value. */
export type LookupCondition = { readonly field: LookupField; readonly values: readonly string[] };

/** Uris of the records of a kind and repository that meet all conditions, by ascending id; none where there is no condition. */
export async function findByIdentifiers(
  reader: Reader,
  kindName: string,
  repoId: number,
  conditions: readonly LookupCondition[],
  viewer: Viewer,
): Promise<readonly string[]> {
  if (conditions.length === 0) return [];
  const kind = kindNamed(kindName);
  const suppressed = viewer.seesSuppressed ? sql.fragment`` : sql.fragment` AND NOT r.suppressed`;
  const all = sql.join(
    conditions.map((condition) => toCondition(kindName, repoId, condition)),
    sql.fragment` AND `,
  );
  const rows = await reader.any(sql.type(IdRow)`
    SELECT r.id FROM record r WHERE r.kind = ${kindName} AND r.repo_id = ${repoId}${suppressed} AND ${all} ORDER BY r.id`);
  return rows.map((row) => uriOf(kind, row.id, repoId));
}

function toCondition(kind: string, repoId: number, { field, values }: LookupCondition): Fragment {
  const wanted = values.filter((value) => value !== '');
  if (field === 'identifier') return keyed(kind, `${kind}.identifier`, `r${repoId}`, wanted.map(keyText));
  if (field === 'ark')
    return keyed(
      kind,
      arkRule,
      '',
      wanted.map((value) => keyText(arkKey(value))),
    );
  return sql.fragment`${properties[field]} = ANY(${sql.array(wanted, 'text')})`;
}

const keyed = (kind: string, rule: string, scope: string, values: readonly string[]): Fragment =>
  sql.fragment`r.id = ANY(ARRAY(SELECT k.id FROM unique_key k WHERE k.rule = ${rule} AND k.scope = ${scope} AND k.value = ANY(${sql.array([...values], 'text')}) AND k.kind = ${kind}))`;

/** Kinds that hold identifiers of other systems. */
const identified = [...kinds.values()]
  .filter((kind) => kind.properties['external_ids'] !== undefined)
  .map((kind) => kind.name);

// Without MATERIALIZED the planner would walk all records in the asked order until the limit is met: 600 ms of a million.
/** At most `limit` uris of records, of the kinds named or of any, to which another system gave the identifier; by kind and id. */
export async function findByExternalId(
  reader: Reader,
  externalId: string,
  only: readonly string[] | null,
  limit: number,
): Promise<readonly string[]> {
  const wanted = identified.filter((kind) => only === null || only.includes(kind));
  const rows = await reader.any(sql.type(AddressRow)`
    WITH found AS MATERIALIZED (
      SELECT r.kind, r.id, r.repo_id FROM record r
      WHERE r.kind = ANY(${sql.array(wanted, 'text')}) AND has_external_ids(r.body) AND external_ids_of(r.body) @> ${sql.array([externalId], 'text')} AND NOT r.suppressed
    ) SELECT * FROM found ORDER BY kind, id LIMIT ${limit}`);
  return rows.map((row) => uriOf(kindNamed(row.kind), row.id, row.repo_id));
}

/** The record of one of the kinds that has the slug, or null. */
export async function findBySlug(
  reader: Reader,
  slug: string,
  among: readonly string[],
): Promise<{ readonly kind: string; readonly id: number; readonly repoId: number | null } | null> {
  const row = await reader.maybeOne(sql.type(AddressRow)`
    SELECT r.kind, r.id, r.repo_id FROM unique_key k JOIN record r ON r.kind = k.kind AND r.id = k.id
    WHERE k.rule = ${slugRule} AND k.scope = '' AND k.value = ${keyText(slugKey(slug))} AND ${ofKinds(among)} AND NOT r.suppressed`);
  return row === null ? null : { kind: row.kind, id: row.id, repoId: row.repo_id };
}

/** Names of the rules of uniqueness that hold within a repository, of all kinds. */
export const rulesWithinRepositories = (): readonly string[] =>
  [...kinds.values()].flatMap(({ unique }) =>
    (unique ?? []).filter(({ within }) => within === 'repository').map(({ name }) => name),
  );

const kindsWithRule = (rule: string): readonly string[] =>
  [...kinds.values()].filter(({ unique = [] }) => unique.some(({ name }) => name === rule)).map(({ name }) => name);

const TakenRow = z.strictObject({ value: column.text, kind: column.text, id: column.int, is_shown: column.bool });

/** The values that a record of the repository has under the rule, in the order given; `ref` is null where the viewer does not see the record. */
export async function findKeysInUse(
  reader: Reader,
  { rule, repoId, values }: { readonly rule: string; readonly repoId: number; readonly values: readonly string[] },
  viewer: Viewer,
): Promise<readonly { readonly value: string; readonly ref: string | null }[]> {
  const rows = await reader.any(sql.type(TakenRow)`
    SELECT k.value, k.kind, k.id, (${viewer.seesSuppressed} OR NOT r.suppressed) AS is_shown
    FROM unique_key k JOIN record r ON r.kind = k.kind AND r.id = k.id AND ${ofKinds(kindsWithRule(rule))}
    WHERE k.rule = ${rule} AND k.scope = ${`r${repoId}`} AND k.value = ANY(${sql.array(values.map(keyText), 'text')})`);
  const owners = new Map(rows.map((row) => [row.value, row]));
  return [...new Set(values)].flatMap((value) => {
    const owner = owners.get(keyText(value));
    if (owner === undefined) return [];
    return [{ value, ref: owner.is_shown ? uriOf(kindNamed(owner.kind), owner.id, repoId) : null }];
  });
}
