// Reading records: one statement for any number of records of any kinds, answered as JSON texts.
// Suppressed records are left out for viewers who may not see them (contract 5.2).
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Reader } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import type { PositionMemory } from '../../trees/position-memory.ts';
import type { Asked } from './computed.ts';
import { computedExpressions } from './computed.ts';
import { linkFacts } from './computed/links.ts';
import { positionsStatement, siblingsStatement, treeVersionColumn } from './computed/tree-place.ts';
import type { HiddenRefs } from './hidden-refs.ts';
import { hiddenRefs, withoutHidden } from './hidden-refs.ts';
import type { RecordRow } from './row.ts';
import { composeRecord } from './row.ts';

/**
 * Who reads. `seesSuppressed`: suppressed records too; global kinds are never filtered. `seesUse`: agents and subjects tell in which
 * repositories they are used, as holders of index_system see them where they ask for the record itself (contract 4.2).
 * `seesContacts`: contact details of agents; absent, they are an empty list, so that whoever forgets to ask gives none away.
 * `seesPlain`: records without what is computed from other rows; how an agent or subject is used costs far more than reading it.
 * `seesStatementUris`: revision statements have addresses, as R-A shows them.
 */
export type Viewer = {
  readonly seesSuppressed: boolean;
  readonly seesUse?: boolean;
  readonly seesContacts?: boolean;
  readonly seesPlain?: boolean;
  readonly seesStatementUris?: boolean;
};

/** A record as read: its row, and the JSON text a GET answers. */
export type ReadRecord = { readonly row: RecordRow; readonly uri: string; readonly text: string };

/** A row as it is read: with the computed properties of its kind as JSON text, each with a comma behind it. */
type ReadRow = RecordRow & { readonly computed: string; readonly hidden: HiddenRefs };

/** A row without the position of a node, which is looked up by the version of its tree ('root version'). */
type SlimRow = ReadRow & { readonly tree: string | null };

type Statement = { readonly name: string; readonly text: string };

// Statements by the kinds they read: made once, of constants alone.
const statements = new Map<string, Statement>();
// Sets of kinds are as many as clients' `resolve` makes them; beyond this many they are planned at each execution.
const mostPrepared = 200;

/**
 * The SELECT of a kind over `r`, with its ids as parameter `$position`. Served by the primary key of the kind's partition. The ids go
 * through a sub-select so that the planner cannot count them: it would take a plan made for their number to be cheaper, and plan anew,
 * which costs more than the reading, at each execution.
 */
function selectOf(kind: Kind, position: number, asked: Asked & { readonly isPlain: boolean }, trees: boolean): string {
  const expressions = asked.isPlain ? [] : computedExpressions(kind, asked);
  const facts = expressions.some((expression) => /\bf\.(?:is_target|has_marked)\b/.test(expression))
    ? ` ${linkFacts(kind)}`
    : '';
  const computed = expressions.join(',\n  ');
  return `SELECT r.kind, r.id, r.repo_id, r.lock_version, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by,
  r.create_time, r.system_mtime, r.user_mtime, r.body, ${computed === '' ? "''" : `concat(${computed})`} AS computed, ${asked.hides ? hiddenRefs(kind) : 'NULL'} AS hidden${kind.tree === undefined || !trees ? '' : `,\n  ${treeVersionColumn(kind.tree.code)} AS tree`}
FROM record r${facts} WHERE r.kind = '${kind.name}' AND r.id = ANY(ARRAY(SELECT unnest($${position}::int[])))`;
}

function statementFor(
  kindsWanted: readonly Kind[],
  { seesUse = false, seesSuppressed, seesPlain: isPlain = false }: Viewer,
  positions = true,
  trees = !positions,
): Statement {
  const hides = !seesSuppressed;
  const key = `${kindsWanted.map((kind) => kind.name).join(' ')}${seesUse ? ' use' : ''}${hides ? ' hides' : ''}${positions ? '' : trees ? ' slim' : ' bare'}${isPlain ? ' plain' : ''}`;
  return (
    statements.get(key) ??
    prepared(
      key,
      kindsWanted
        .map((kind, index) => selectOf(kind, index + 1, { seesUse, positions, hides, isPlain }, trees))
        .join('\nUNION ALL\n'),
      kindsWanted.length === 1,
    )
  );
}

function prepared(key: string, text: string, isSingle: boolean): Statement {
  if (!isSingle && statements.size >= mostPrepared) return { name: '', text };
  const statement = { name: `read_${statements.size}`, text };
  statements.set(key, statement);
  return statement;
}

/**
 * As readRecords, for hundreds of neighbours in a tree: positions are counted by a statement of their own, each bucket once and not
 * once for each node in it, which was two thirds of the reading. A node that is moved between the two may get either position.
 */
export async function readManyRecords(
  reader: Reader,
  wanted: ReadonlyMap<string, readonly number[]>,
  viewer: Viewer,
): Promise<ReadonlyMap<string, ReadRecord>> {
  const found = new Map<string, ReadRecord>();
  // Two statements a kind, of which there are few, on the one connection of the caller.
  for (const [name, ids] of [...wanted].filter(([, list]) => list.length > 0)) {
    const kind = kindNamed(name);
    const statement = statementFor([kind], viewer, kind.tree === undefined, false);
    const rows = await reader.named<ReadRow>(statement.name, statement.text, [ids]);
    const positions = await readPositions(reader, kind, ids);
    for (const row of rows) {
      const placed =
        positions === null
          ? row
          : { ...row, computed: row.computed.replace('"position":?', `"position":${positions.get(row.id) ?? 0}`) };
      const record = toRecord(kind, placed, viewer);
      if (record !== null) found.set(record.uri, record);
    }
  }
  return found;
}

async function readPositions(
  reader: Reader,
  kind: Kind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number> | null> {
  if (kind.tree === undefined) return null;
  const key = `${kind.name} positions`;
  const statement = statements.get(key) ?? prepared(key, positionsStatement(kind, kind.tree.code), true);
  const rows = await reader.named<{ readonly id: number; readonly position: number }>(statement.name, statement.text, [
    ids,
  ]);
  return new Map(rows.map(({ id, position }) => [id, position]));
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
  const { name, text } = statementFor(
    list.map(([kind]) => kindNamed(kind)),
    viewer,
  );
  const values = list.map(([, ids]) => ids);
  const rows =
    name === '' ? await reader.any<ReadRow>({ sql: text, values }) : await reader.named<ReadRow>(name, text, values);
  const found = new Map<string, ReadRecord>();
  for (const row of rows) {
    const record = toRecord(kindNamed(row.kind), row, viewer);
    if (record !== null) found.set(record.uri, record);
  }
  return found;
}

function toRecord(kind: Kind, row: ReadRow, viewer: Viewer): ReadRecord | null {
  if (row.suppressed && !viewer.seesSuppressed) return null;
  const visible = viewer.seesContacts === true ? row : withoutContacts(row);
  const shown =
    visible.hidden === null ? visible : { ...visible, body: withoutHidden(kind, visible.body, visible.hidden) };
  const text = composeRecord(kind, shown, computedText(kind, row.computed), viewer.seesStatementUris);
  return {
    row: visible,
    uri: uriOf(kind, row.id, row.repo_id),
    text: kind.show === undefined ? text : JSON.stringify(kind.show(JSON.parse(text))),
  };
}

// A byte sequence of canonical bodies: inside a JSON string its quotes would be escaped. Most agents have no contacts, other kinds none at all.
const contactsMark = '"agent_contacts":[{';

function withoutContacts(row: ReadRow): ReadRow {
  if (!row.body.includes(contactsMark)) return row;
  const body: JsonObject = JSON.parse(row.body);
  return { ...row, body: JSON.stringify({ ...body, agent_contacts: [] }) };
}

/** Reads one record. Fails with `not_found` in the contract's words where it is absent, hidden, or in another repository. */
export async function readRecord(
  reader: Reader,
  kind: Kind,
  id: number,
  repoId: number | null,
  viewer: Viewer,
): Promise<ReadRecord> {
  const row =
    kind.computed?.includes('tree_place') === true && reader.positions !== undefined
      ? await readNode(reader, reader.positions, kind, id, viewer)
      : await readRow(reader, kind, id, viewer);
  const record =
    row === undefined || (kind.scope === 'repository' && row.repo_id !== repoId) ? null : toRecord(kind, row, viewer);
  if (record === null) throw fail('not_found', `${kind.model} not found`);
  return record;
}

function readRow(reader: Reader, kind: Kind, id: number, viewer: Viewer): Promise<ReadRow | undefined> {
  const { name, text } = statementFor([kind], viewer);
  return reader.byId<ReadRow>(name, text, id);
}

type Siblings = { readonly id: number; readonly tree: string; readonly start: number; readonly ids: string };

/** Reads a node with its position from memory; where that does not know it, with the siblings that it then remembers. */
async function readNode(
  reader: Reader,
  memory: PositionMemory,
  kind: Kind,
  id: number,
  viewer: Viewer,
): Promise<ReadRow | undefined> {
  const slim = statementFor([kind], viewer, false);
  const row = await reader.byId<SlimRow>(slim.name, slim.text, id);
  if (row === undefined || row.tree === null || kind.tree === undefined) return row;
  const [root, version] = keyOf(kind, row.tree);
  let position = memory.find(root, version, id);
  if (position === undefined) {
    const key = `${kind.name} siblings`;
    const statement = statements.get(key) ?? prepared(key, siblingsStatement(kind, kind.tree.code), true);
    const siblings = await reader.byId<Siblings>(statement.name, statement.text, id);
    // The tree was written between the two: record, ancestors and position are read together.
    if (siblings === undefined || siblings.tree !== row.tree) return readRow(reader, kind, id, viewer);
    memory.keep(root, version, siblings.start, siblings.ids.split(',').map(Number));
    position = memory.find(root, version, id);
  }
  // In a JSON string its quotes would be escaped, so these characters stand in the place of the node alone.
  return { ...row, computed: row.computed.replace('"position":?', `"position":${position}`) };
}

function keyOf(kind: Kind, tree: string): readonly [string, string] {
  const space = tree.indexOf(' ');
  return [`${kind.name} ${tree.slice(0, space)}`, tree.slice(space + 1)];
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
    return [
      property,
      value.map((item) => (isObject(item) && item['_far'] === true ? invertOne(mutual.inverse, item) : item)),
    ];
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
