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

/**
 * Who reads. `seesSuppressed`: suppressed records too; global kinds are never filtered. `seesUse`: agents and subjects tell in which
 * repositories they are used, as holders of index_system see them where they ask for the record itself (contract 4.2).
 */
export type Viewer = { readonly seesSuppressed: boolean; readonly seesUse?: boolean };

/** A record as read: its row, and the JSON text a GET answers. */
export type ReadRecord = { readonly row: RecordRow; readonly uri: string; readonly text: string };

/** A row as it is read: with the computed properties of its kind as JSON text, each with a comma behind it. */
type ReadRow = RecordRow & { readonly computed: string };

type Statement = { readonly name: string; readonly text: string };

// Statements by the kinds they read: made once, of constants alone.
const statements = new Map<string, Statement>();
// Sets of kinds are as many as clients' `resolve` makes them; a connection keeps the statements of this many prepared.
const mostPrepared = 200;

/**
 * The SELECT of a kind over `r`, with its ids as parameter `$position`. Served by the primary key of the kind's partition. The ids go
 * through a sub-select so that the planner cannot count them: it would take a plan made for their number to be cheaper, and plan anew,
 * which costs more than the reading, at each execution.
 */
function selectOf(kind: Kind, position: number, seesUse: boolean): string {
  const computed = computedExpressions(kind, seesUse).join(',\n  ');
  return `SELECT r.kind, r.id, r.repo_id, r.lock_version, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by,
  r.create_time, r.system_mtime, r.user_mtime, r.body, ${computed === '' ? "''" : `concat(${computed})`} AS computed
FROM record r WHERE r.kind = '${kind.name}' AND r.id = ANY(ARRAY(SELECT unnest($${position}::int[])))`;
}

function statementFor(kindsWanted: readonly Kind[], { seesUse = false }: Viewer): Statement {
  const key = `${kindsWanted.map((kind) => kind.name).join(' ')}${seesUse ? ' use' : ''}`;
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = { name: `read_${statements.size}`, text: kindsWanted.map((kind, index) => selectOf(kind, index + 1, seesUse)).join('\nUNION ALL\n') };
    if (statements.size < mostPrepared) statements.set(key, statement);
    else statement = { ...statement, name: '' };
  }
  return statement;
}

/**
 * Reads records of several kinds in one round trip. Gives them by uri; what does not exist, or is suppressed and
 * hidden from the viewer, is absent.
 */
export async function readRecords(reader: Reader, wanted: ReadonlyMap<string, readonly number[]>, viewer: Viewer): Promise<ReadonlyMap<string, ReadRecord>> {
  const list = [...wanted].filter(([, ids]) => ids.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (list.length === 0) return new Map();
  const { name, text } = statementFor(list.map(([kind]) => kindNamed(kind)), viewer);
  const values = list.map(([, ids]) => ids);
  const rows = name === '' ? await reader.any<ReadRow>({ sql: text, values }) : await reader.named<ReadRow>(name, text, values);
  const found = new Map<string, ReadRecord>();
  for (const row of rows) {
    const record = toRecord(kindNamed(row.kind), row, viewer);
    if (record !== null) found.set(record.uri, record);
  }
  return found;
}

function toRecord(kind: Kind, row: ReadRow, viewer: Viewer): ReadRecord | null {
  if (row.suppressed && !viewer.seesSuppressed) return null;
  return { row, uri: uriOf(kind, row.id, row.repo_id), text: composeRecord(kind, row, computedText(kind, row.computed)) };
}

/** Reads one record. Fails with `not_found` in the contract's words where it is absent, hidden, or in another repository. */
export async function readRecord(reader: Reader, kind: Kind, id: number, repoId: number | null, viewer: Viewer): Promise<ReadRecord> {
  const { name, text } = statementFor([kind], viewer);
  const row = await reader.byId<ReadRow>(name, text, id);
  const record = row === undefined || (kind.scope === 'repository' && row.repo_id !== repoId) ? null : toRecord(kind, row, viewer);
  if (record === null) throw fail('not_found', `${kind.model} not found`);
  return record;
}

function computedText(kind: Kind, text: string): string {
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
