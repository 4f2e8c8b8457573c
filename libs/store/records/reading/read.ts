// Reading records: one statement for any number of records of any kinds, answered as JSON texts. The steps: the statement for the kinds and
// the viewer (statements.ts), its rows (nodes: node-place.ts), what the viewer may see of each, the text (compose.ts),
// and what index notes point at (indexed-parts.ts).
import { suppressibleKinds } from '#domain/access/suppression.ts';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Reader } from '../../connection/database.ts';
import { IdRow, LockVersionRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { LoopTurns } from '../../connection/loop-turns.ts';
import { idArray } from '../../trees/conditions.ts';
import { composeRecord } from './compose.ts';
import { withInverseRelators } from './inverse-relators.ts';
import { withoutHidden } from './hidden-refs.ts';
import { withIndexedParts } from './indexed-parts.ts';
import { readNode, readNodes, readNodesRemembered } from './node-place.ts';
import type { ReadRow, RecordRow } from './row.ts';
import { readStatement } from './statements.ts';
import type { Viewer } from './viewer.ts';

/** A record as read: its row, and the JSON text a GET answers. */
export type ReadRecord = { readonly row: RecordRow; readonly uri: string; readonly text: string };

/** Reads one record. Fails with `not_found` in the contract's words where it is absent, hidden, or in another repository. */
export async function readRecord(
  reader: Reader,
  kind: Kind,
  id: number,
  repoId: number | null,
  viewer: Viewer,
): Promise<ReadRecord> {
  const row = await readRow(reader, kind, id, viewer);
  const isHere = row !== undefined && (kind.scope !== 'repository' || row.repo_id === repoId);
  const record = isHere ? shownRecord(kind, row, viewer) : null;
  const [shown] = record === null ? [] : await withIndexedParts(reader, [record], viewer);
  if (shown === undefined) throw fail('not_found', `${kind.model} not found`);
  return shown;
}

/** The row of one record: of a node with what is remembered of its tree, where the reader remembers. */
async function readRow(reader: Reader, kind: Kind, id: number, viewer: Viewer): Promise<ReadRow | undefined> {
  if (kind.computed?.includes('tree_place') === true && reader.positions !== undefined) {
    const node = await readNode(reader, reader.positions, kind, id, viewer);
    if (node !== null) return node;
  }
  return reader.byId(readStatement([kind], viewer), id);
}

/**
 * Reads records of several kinds in one round trip. Gives them by uri; what does not exist, or is suppressed and
 * hidden from the viewer, is absent.
 */
export async function readRecords(
  reader: Reader,
  wanted: ReadonlyMap<string, readonly number[]>,
  viewer: Viewer,
): Promise<ReadonlyMap<string, ReadRecord>> {
  const list = [...wanted].filter(([, ids]) => ids.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (list.length === 0) return new Map();
  const rows = (await readNeighbours(reader, list, viewer)) ?? (await readTogether(reader, list, viewer));
  return shownByUri(reader, rows, viewer);
}

type Wanted = readonly (readonly [kind: string, ids: readonly number[]])[];

/** The rows of records of any kinds, by one statement. */
async function readTogether(reader: Reader, wanted: Wanted, viewer: Viewer): Promise<readonly ReadRow[]> {
  const { name, text, parser } = readStatement(
    wanted.map(([kind]) => kindNamed(kind)),
    viewer,
  );
  const values = wanted.map(([, ids]) => ids);
  return name === '' ? reader.any({ sql: text, values, parser }) : reader.named({ name, text, parser }, values);
}

/** The rows of nodes of one kind, as pages and trees have them, with what is remembered of their trees; null where nothing is, or not all. */
async function readNeighbours(reader: Reader, wanted: Wanted, viewer: Viewer): Promise<readonly ReadRow[] | null> {
  const [[name, ids] = ['', []], ...others] = wanted;
  // Plain records have no place.
  if (others.length > 0 || reader.positions === undefined || viewer.seesPlain === true) return null;
  const kind = kindNamed(name);
  if (kind.computed?.includes('tree_place') !== true) return null;
  return readNodesRemembered(reader, reader.positions, kind, ids, viewer);
}

/**
 * As readRecords, for hundreds of neighbours in a tree: places are read by a statement of their own, siblings together, which were three
 * quarters of the reading. A node that is moved between the two may get either place.
 */
export async function readManyRecords(
  reader: Reader,
  wanted: ReadonlyMap<string, readonly number[]>,
  viewer: Viewer,
): Promise<ReadonlyMap<string, ReadRecord>> {
  const rows: ReadRow[] = [];
  // Two statements a kind, of which there are few, on the one connection of the caller.
  for (const [name, ids] of wanted)
    if (ids.length > 0) rows.push(...(await readNodes(reader, kindNamed(name), ids, viewer)));
  return shownByUri(reader, rows, viewer);
}

/** The records of rows that the viewer may see, by uri. */
async function shownByUri(
  reader: Reader,
  rows: readonly ReadRow[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, ReadRecord>> {
  const turns = new LoopTurns();
  const shown: ReadRecord[] = [];
  for (const row of rows) {
    const record = shownRecord(kindNamed(row.kind), row, viewer);
    if (record !== null) shown.push(record);
    if (turns.isDue()) await turns.next();
  }
  return new Map((await withIndexedParts(reader, shown, viewer)).map((record) => [record.uri, record]));
}

/** A row as the viewer sees it: without what is confidential and without refs to what is hidden; null where the record itself is hidden. */
function shownRecord(kind: Kind, row: ReadRow, viewer: Viewer): ReadRecord | null {
  // Suppressed records are left out for viewers who may not see them (contract 5.2).
  if (row.suppressed && !viewer.seesSuppressed) return null;
  const visible = viewer.seesConfidential === true ? row : withoutConfidential(kind, row);
  const shown =
    visible.hidden === null ? visible : { ...visible, body: withoutHidden(kind, visible.body, visible.hidden) };
  const text = composeRecord(kind, shown, withInverseRelators(kind, row.computed), viewer);
  return {
    row: visible,
    uri: uriOf(kind, row.id, row.repo_id),
    text: kind.show === undefined ? text : JSON.stringify(kind.show(JSON.parse(text))),
  };
}

/** The row with the confidential lists of its kind emptied. Most kinds have none, and most of their records nothing in them. */
function withoutConfidential(kind: Kind, row: ReadRow): ReadRow {
  // A byte sequence of canonical bodies: inside a JSON string its quotes would be escaped.
  const filled = kind.confidential.filter((list) => row.body.includes(`"${list}":[{`));
  if (filled.length === 0) return row;
  const body: JsonObject = JSON.parse(row.body);
  return { ...row, body: JSON.stringify({ ...body, ...Object.fromEntries(filled.map((list) => [list, []])) }) };
}

/**
 * The lock_version of a record. Fails with `not_found` where it is absent, in another repository than the one given, or hidden from
 * the viewer given (contract 5.2).
 */
export async function lockVersionOf(
  reader: Reader,
  kind: Kind,
  id: number,
  repoId?: number,
  viewer: SeesSuppressed = { seesSuppressed: true },
): Promise<number> {
  const row = await reader.maybeOne(sql.type(LockVersionRow)`SELECT lock_version FROM record
    WHERE kind = ${kind.name} AND id = ${id} ${repoId === undefined ? sql.fragment`` : sql.fragment`AND repo_id = ${repoId}`}
      ${hidesSuppressed(kind, viewer) ? sql.fragment`AND NOT suppressed` : sql.fragment``}`);
  if (row === null) throw fail('not_found', `${kind.model} not found`);
  return row.lock_version;
}

type SeesSuppressed = Pick<Viewer, 'seesSuppressed'>;

const hidesSuppressed = (kind: Kind, viewer: SeesSuppressed): boolean =>
  !viewer.seesSuppressed && suppressibleKinds.has(kind.name);

/** Whether one of the records is suppressed, and so hidden from the viewer (contract 5.2). */
export async function isHidden(
  reader: Reader,
  kind: Kind,
  ids: readonly number[],
  viewer: SeesSuppressed,
): Promise<boolean> {
  if (!hidesSuppressed(kind, viewer)) return false;
  const hidden = await reader.maybeOne(sql.type(IdRow)`SELECT id FROM record
    WHERE kind = ${kind.name} AND id = ANY(${idArray(ids)}) AND suppressed LIMIT 1`);
  return hidden !== null;
}

/**
 * Fails with `not_found` where one of the records is hidden from the viewer: what may not be read is not there for writing either
 * (contract 5.2). Records that are absent are left to whoever looks for them.
 */
export async function requireShown(
  reader: Reader,
  kind: Kind,
  ids: readonly number[],
  viewer: SeesSuppressed,
): Promise<void> {
  if (await isHidden(reader, kind, ids, viewer)) throw fail('not_found', `${kind.model} not found`);
}
