// What happens to the addresses of sub-records (rules/part-uris.ts) when their record is saved or deleted: tombstones for those that go.
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { kindsWithParts, managementProperty, managementUri, partUris } from '#domain/rules/part-uris.ts';
import type { Property } from '#domain/schema/property.ts';
import type { Transaction } from '../../connection/database.ts';
import { StoredRow } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { RecordKey } from '../record-key.ts';

/** The sub-record's name, which its address has before the id. */
const kindOf = (uri: string): string => uri.split('/').at(-2) ?? '';

async function writeTombstones(tx: Transaction, uris: readonly string[]): Promise<void> {
  if (uris.length === 0) return;
  const rows = uris.map((uri) => [uri, kindOf(uri)]);
  // Ids of telephones exceed int4, so a tombstone of a part tells its kind and uri alone.
  await tx.run(
    sql`INSERT INTO tombstone (uri, kind, id) SELECT u.uri, u.kind, 0 FROM ${sql.unnest(rows, ['text', 'text'])} AS u (uri, kind)`,
  );
}

async function removeTombstones(tx: Transaction, uris: readonly string[]): Promise<void> {
  if (uris.length > 0) await tx.run(sql`DELETE FROM tombstone WHERE uri = ANY(${sql.array([...uris], 'text')})`);
}

/** After a save: sub-records that are gone get a tombstone, those that are back lose theirs. No statement for most records. */
export async function updatePartTombstones(
  tx: Transaction,
  kind: Kind,
  id: number,
  repoId: number | null,
  old: JsonObject,
  body: JsonObject,
): Promise<void> {
  if (!kindsWithParts.has(kind.name)) return;
  const before = new Set(partUris(kind.name, id, repoId, old));
  const after = new Set(partUris(kind.name, id, repoId, body));
  const gone = [...before].filter((uri) => !after.has(uri));
  const back = [...after].filter((uri) => !before.has(uri));
  await writeTombstones(tx, gone);
  await removeTombstones(tx, back);
}

/** Before records are deleted: tombstones for their sub-records. One statement more where there are any, none for kinds without. */
export async function writePartTombstones(
  tx: Transaction,
  kind: Kind,
  ids: readonly number[],
  repoId: number | null,
): Promise<void> {
  await writeTombstones(tx, await partsOf(tx, kind, ids, repoId));
}

/** After records came back: their sub-records have no tombstones any more. */
export async function removePartTombstones(
  tx: Transaction,
  kind: Kind,
  ids: readonly number[],
  repoId: number | null,
): Promise<void> {
  await removeTombstones(tx, await partsOf(tx, kind, ids, repoId));
}

async function partsOf(
  tx: Transaction,
  kind: Kind,
  ids: readonly number[],
  repoId: number | null,
): Promise<readonly string[]> {
  const lists = propertiesWithAddresses(kind);
  if (lists.length === 0) return [];
  const filled = sql.join(
    lists.map((property) => sql.fragment`coalesce(body->>${property}, '[]') <> '[]'`),
    sql.fragment` OR `,
  );
  const rows = await tx.any(sql.type(StoredRow)`
    SELECT id, body FROM record WHERE kind = ${kind.name} AND id = ANY(${sql.array([...ids], 'int4')})
    AND (${filled})`);
  // Stored bodies are our own canonical text.
  return rows.flatMap((row) => partUris(kind.name, row.id, repoId, JSON.parse(row.body)));
}

/** Before a repository is deleted with its records: tombstones for their sub-records. */
export async function writePartTombstonesOfRepository(tx: Transaction, repoId: number): Promise<void> {
  await writeTombstones(tx, await managementUris(tx, sql.fragment`true`, repoId, repoId));
}

/** Before records (`which`: a condition on `r`) go to another repository: tombstones for the old addresses of their sub-records, none for the new. */
export async function movePartTombstones(tx: Transaction, which: Fragment, from: number, to: number): Promise<void> {
  await writeTombstones(tx, await managementUris(tx, which, from, from));
  await removeTombstones(tx, await managementUris(tx, which, from, to));
}

/** The properties that may hold sub-records with an address where something is read; a name that one release shows is none. */
function propertiesWithAddresses(kind: Kind): readonly string[] {
  return Object.entries(kind.properties).flatMap(([name, property]) => (leadsToAddress(property, 0) ? [name] : []));
}

// A telephone stands in a contact of an agent; nothing that has an address stands deeper.
const deepest = 1;

function leadsToAddress(property: Property, depth: number): boolean {
  const inner = property.type === 'list' ? property.of : property;
  if (inner.type !== 'sub_record' || depth > deepest) return false;
  return inner
    .of()
    .some(
      ({ shows, properties }) =>
        shows?.some((shown) => typeof shown === 'object' && shown.property === 'uri' && shown.release === undefined) ===
          true || Object.values(properties).some((each) => leadsToAddress(each, depth + 1)),
    );
}

/** The addresses that the sub-records of records of `repoId` have in the repository `shownIn`. */
async function managementUris(
  tx: Transaction,
  which: Fragment,
  repoId: number,
  shownIn: number,
): Promise<readonly string[]> {
  const rows = await tx.any(sql.type(RecordKey)`SELECT r.kind, r.id FROM record r
    WHERE r.kind = ANY(${sql.array([...kindsWithParts], 'text')}) AND r.repo_id = ${repoId} AND r.body->${managementProperty} IS NOT NULL AND ${which}`);
  return rows.flatMap((row) => managementUri(row.kind, row.id, shownIn) ?? []);
}
