// Reading records: one statement for any number of records of any kinds, answered as JSON texts.
// Suppressed records are left out for viewers who may not see them (contract 5.2).
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Reader } from '../database.ts';
import { sql } from '../sql.ts';
import { computedExpressions } from './computed.ts';
import type { RecordRow } from './row.ts';
import { composeRecord } from './row.ts';

/** What a reader may see of suppressed records: none, all, or those of some repositories. Global kinds are never filtered. */
export type Viewer = { readonly seesSuppressed: boolean };

/** A record as read: its row, and the JSON text a GET answers. */
export type ReadRecord = { readonly row: RecordRow; readonly uri: string; readonly text: string };

const statements = new Map<string, string>();

/** The SELECT of a kind over `r`, with its ids as parameter `$position`. Served by the primary key of the kind's partition. */
function selectOf(kind: Kind, position: number): string {
  const computed = computedExpressions(kind).join(',\n  ');
  return `SELECT r.kind, r.id, r.repo_id, r.lock_version, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by,
  r.create_time, r.system_mtime, r.user_mtime, r.body, ARRAY[${computed}]::text[] AS computed
FROM record r WHERE r.kind = '${kind.name}' AND r.id = ANY($${position}::int[])`;
}

function statementFor(kindsWanted: readonly Kind[]): { readonly name: string; readonly text: string } {
  const name = `read_${kindsWanted.map((kind) => kind.name).join('_')}`.slice(0, 63);
  const key = kindsWanted.map((kind) => kind.name).join(' ');
  let text = statements.get(key);
  if (text === undefined) {
    text = kindsWanted.map((kind, index) => selectOf(kind, index + 1)).join('\nUNION ALL\n');
    statements.set(key, text);
  }
  return { name, text };
}

/**
 * Reads records of several kinds in one round trip. Gives them by uri; what does not exist, or is suppressed and
 * hidden from the viewer, is absent.
 */
export async function readRecords(reader: Reader, wanted: ReadonlyMap<string, readonly number[]>, viewer: Viewer): Promise<ReadonlyMap<string, ReadRecord>> {
  const list = [...wanted].filter(([, ids]) => ids.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (list.length === 0) return new Map();
  const wantedKinds = list.map(([name]) => kindNamed(name));
  const { name, text } = statementFor(wantedKinds);
  const values = list.map(([, ids]) => ids);
  // A statement over one kind is prepared by name; unions are many and rare.
  const rows = wantedKinds.length === 1 ? await reader.named<RecordRow>(name, text, values) : await reader.any<RecordRow>({ sql: text, values });
  const found = new Map<string, ReadRecord>();
  for (const row of rows) {
    if (row.suppressed && !viewer.seesSuppressed) continue;
    const kind = kindNamed(row.kind);
    const uri = uriOf(kind, row.id, row.repo_id);
    found.set(uri, { row, uri, text: composeRecord(kind, row, computedText(kind, row)) });
  }
  return found;
}

/** Reads one record. Fails with `not_found` in the contract's words where it is absent, hidden, or in another repository. */
export async function readRecord(reader: Reader, kind: Kind, id: number, repoId: number | null, viewer: Viewer): Promise<ReadRecord> {
  const found = await readRecords(reader, new Map([[kind.name, [id]]]), viewer);
  const record = found.get(uriOf(kind, id, repoId));
  if (record === undefined) throw fail('not_found', `${kind.model} not found`);
  return record;
}

function computedText(kind: Kind, row: RecordRow): string {
  const text = row.computed.map((part) => part ?? '').join('');
  return text.includes('"_far":true') ? invertFarLinks(kind, text) : text;
}

/** Applies the inverse of a mutual link's properties where the record is on the far side (contract 3.3: the other relator of a pair). */
function invertFarLinks(kind: Kind, text: string): string {
  const parsed: unknown = JSON.parse(`{${text.slice(0, -1)}}`);
  if (!isObject(parsed)) return text;
  const inverted = Object.entries(parsed).map(([property, value]) => {
    const mutual = kind.mutual?.[property];
    if (mutual === undefined || !Array.isArray(value)) return [property, value];
    return [property, value.map((item) => (isObject(item) && item['_far'] === true ? invertOne(mutual.inverse, item) : item))];
  });
  return `${JSON.stringify(Object.fromEntries(inverted)).slice(1, -1)},`;
}

function invertOne(inverse: ((ref: JsonObject) => JsonObject) | undefined, ref: JsonObject): JsonObject {
  const { _far: _, ...own } = ref;
  return inverse === undefined ? own : inverse(own);
}

/** The lock_version of a record. Fails with `not_found` where it is absent, or in another repository than the one given. */
export async function lockVersionOf(reader: Reader, kind: Kind, id: number, repoId?: number): Promise<number> {
  const row = await reader.maybeOne<{ lock_version: number }>(sql`SELECT lock_version FROM record
    WHERE kind = ${kind.name} AND id = ${id} ${repoId === undefined ? sql.fragment`` : sql.fragment`AND repo_id = ${repoId}`}`);
  if (row === null) throw fail('not_found', `${kind.model} not found`);
  return row.lock_version;
}
