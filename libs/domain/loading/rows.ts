// Second pass over a block of a folder of records: the rows of its records as COPY text, everything as the source has it.
import { numberedRecords, preparingOf } from '../batch-import/block.ts';
import type { BlockContext } from '../batch-import/block.ts';
import { copyLine, copyLineWithJson } from '../batch-import/copy-text.ts';
import { createFaultList } from '../batch-import/faults.ts';
import type { FaultReport } from '../batch-import/faults.ts';
import { farRef } from '../batch-import/rows.ts';
import { parseUri } from '../addresses.ts';
import type { NewEnumerationValue } from '../checking/context.ts';
import { Failure } from '../errors.ts';
import { nodeOf } from '../tree/tree.ts';
import { lineFailure, lineOf } from './lines.ts';
import type { LoadedRecord } from './loaded-record.ts';
import { besideOf, loadedRecord } from './loaded-record.ts';

/** Columns of the COPY texts, in order; `key` and `mutual` are those of batch imports. */
export const loadColumns = {
  record: [
    'kind',
    'id',
    'repo_id',
    'lock_version',
    'publish',
    'suppressed',
    'label',
    'created_by',
    'last_modified_by',
    'create_time',
    'system_mtime',
    'user_mtime',
    'body',
  ],
  node: ['repo_id', 'code', 'root_id', 'parent_id', 'id', 'position', 'number', 'visible', 'level'],
  term: ['id', 'term', 'term_type', 'vocabulary', 'source_kind', 'source_id', 'number'],
  member: ['group_id', 'repo_id', 'username'],
  grant: ['group_id', 'repo_id', 'code'],
  admin: ['user_id'],
} as const;

/** Tables that a block has rows for, besides records. */
export const loadTables = ['link', 'mutual', 'key', 'node', 'term', 'member', 'grant', 'admin'] as const;
/** One of them. */
export type LoadTable = (typeof loadTables)[number];

/** COPY text by table, of records by kind; what could not be loaded; values that are new to their lists. */
export type LoadRows = {
  readonly records: { readonly [kind: string]: Uint8Array };
  readonly texts: { readonly [table in LoadTable]: Uint8Array };
  readonly count: number;
  readonly faults: FaultReport;
  readonly newValues: readonly NewEnumerationValue[];
};

/** Makes the rows of a block; `now` stands for times that a record does not say. Bad records go into the faults, at most `limit`. */
export function loadRows(
  bytes: Uint8Array,
  first: number,
  context: Omit<BlockContext, 'repoId' | 'kindNames'>,
  now: string,
  limit: number,
): LoadRows {
  const faults = createFaultList(limit);
  const records: { [kind: string]: string } = {};
  const texts: { [table in LoadTable]: string } = {
    link: '',
    mutual: '',
    key: '',
    node: '',
    term: '',
    member: '',
    grant: '',
    admin: '',
  };
  const newValues = new Map<string, NewEnumerationValue>();
  const preparing = { ...preparingOf({ ...context, repoId: 0, kindNames: [] }), acceptTemporary: false };
  let count = 0;
  for (const [index, numbered] of numberedRecords(bytes, first, true).entries()) {
    try {
      if (numbered instanceof Failure) throw numbered;
      const line = lineOf(numbered.record, numbered.number);
      if (line.what !== 'record') continue;
      const record = loadedRecord(line.kind, line.address, numbered, preparing);
      // A node without its root has no place: told before any of its rows is there.
      if (line.kind.tree !== undefined && placeOf(record) === null)
        throw lineFailure(numbered.record, numbered.number, {
          [line.kind.tree.rootProperty]: ['Property is required but was missing'],
        });
      for (const value of record.newValues) newValues.set(`${value.list}\n${value.value}`, value);
      records[line.kind.name] = (records[line.kind.name] ?? '') + recordLine(record, now);
      addRows(texts, record);
      count += 1;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      faults.add(error, first + index);
      if (faults.isFull) break;
    }
  }
  const encoder = new TextEncoder();
  const encoded = (table: LoadTable): Uint8Array => encoder.encode(texts[table]);
  return {
    records: Object.fromEntries(Object.entries(records).map(([kind, text]) => [kind, encoder.encode(text)])),
    texts: {
      link: encoded('link'),
      mutual: encoded('mutual'),
      key: encoded('key'),
      node: encoded('node'),
      term: encoded('term'),
      member: encoded('member'),
      grant: encoded('grant'),
      admin: encoded('admin'),
    },
    count,
    faults: faults.report(),
    newValues: [...newValues.values()],
  };
}

function recordLine({ kind, id, repoId, publish, suppressed, label, audit, text }: LoadedRecord, now: string): string {
  return copyLineWithJson(
    [
      kind.name,
      id,
      repoId,
      audit.lockVersion,
      publish,
      suppressed,
      label,
      audit.createdBy,
      audit.lastModifiedBy,
      audit.createTime ?? now,
      audit.systemMtime ?? now,
      audit.userMtime ?? now,
    ],
    text,
  );
}

function addRows(texts: { [table in LoadTable]: string }, record: LoadedRecord): void {
  const { kind, id, repoId } = record;
  for (const [ordinal, link] of record.links.entries()) {
    const own = [kind.name, id, ordinal, link.property, link.targetKind, link.targetId, repoId, link.role];
    if (link.mutual === null) texts.link += copyLine(own);
    else texts.mutual += copyLine([...own, link.mutual, link.ref, farRef(record, link), record.number]);
  }
  for (const key of record.keys)
    texts.key += copyLine([key.rule, key.scope, key.value, key.property, kind.name, id, record.number, false]);
  for (const term of record.terms)
    texts.term += copyLine([term.id, term.term, term.termType, term.vocabulary, kind.name, id, record.number]);
  const { members, grants, isAdmin } = besideOf(record.beside);
  for (const name of new Set(members)) texts.member += copyLine([id, repoId, name]);
  for (const code of new Set(grants)) texts.grant += copyLine([id, repoId, code]);
  if (isAdmin) texts.admin += copyLine([id]);
  if (kind.tree === undefined) return;
  const { code, level } = nodeOf(kind);
  const place = placeOf(record);
  if (place === null) return;
  texts.node += copyLine([
    repoId,
    code,
    place.rootId,
    place.parentId,
    id,
    place.position,
    record.number,
    record.publish !== false && !record.suppressed,
    level?.(record.body) ?? null,
  ]);
}

/** Where a node says that it is; null where it names no root. */
function placeOf({ kind, place }: LoadedRecord): {
  readonly rootId: number;
  readonly parentId: number | null;
  readonly position: number | null;
} | null {
  const root = parseUri(place?.root ?? '');
  if (place === null || root === null || root.kind !== kind.tree?.root) return null;
  const parent = place.parent === null ? null : parseUri(place.parent);
  return { rootId: root.id, parentId: parent?.id ?? null, position: place.position };
}
