// The rows of a block of a batch import, as COPY text ready for the tables (made in a thread; the main thread only passes them on).
import { parseUri } from '../addresses.ts';
import { Failure } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';
import type { Kind } from '../kind.ts';
import type { LinkRow } from '../checking/split.ts';
import { importFailure } from './block.ts';
import type { FaultList } from './faults.ts';
import { copyLine, copyLineWithJson } from './copy-text.ts';
import type { BatchRecord, PreparedBlock } from './prepare-block.ts';
import { nodeOf } from '../tree/tree.ts';

/** Columns of the COPY texts, in order. */
export const rowColumns = {
  record: ['kind', 'id', 'repo_id', 'publish', 'label', 'created_by', 'last_modified_by', 'body'],
  link: ['source_kind', 'source_id', 'ordinal', 'property', 'target_kind', 'target_id', 'repo_id', 'role'],
  fresh: ['rule', 'scope', 'value', 'kind', 'id'],
  mutual: [
    'source_kind',
    'source_id',
    'ordinal',
    'property',
    'target_kind',
    'target_id',
    'repo_id',
    'role',
    'mutual',
    'ref',
    'far_ref',
    'number',
  ],
  key: ['rule', 'scope', 'value', 'property', 'kind', 'id', 'number', 'is_heading'],
  node: ['code', 'root_id', 'parent_id', 'id', 'position', 'number', 'visible', 'level'],
  target: ['kind', 'id', 'repo_id', 'uri', 'is_stored', 'path', 'source_kind', 'source_id', 'number'],
  rule: ['kind', 'id', 'rule', 'path', 'ref', 'source_kind', 'source_id', 'number'],
} as const;

/** The name of a COPY text. */
export type RowTable = keyof typeof rowColumns;

/**
 * COPY text by table, of records by kind (each kind has a table of its own). `ids` are the written ids by kind; `saved` is JSON text
 * '"temporary":["uri",id],…' without an end comma, `savedReused` the same of records for which others stand.
 */
export type BlockRows = {
  readonly texts: { readonly [table in Exclude<RowTable, 'record'>]: Uint8Array };
  readonly records: { readonly [kind: string]: Uint8Array };
  readonly saved: string;
  readonly savedReused: string;
  readonly ids: { readonly [kind: string]: readonly number[] };
};

/** What is said of all rows. */
export type RowsAbout = {
  readonly actor: string | null;
  readonly repoId: number;
  readonly keepSaved: boolean;
  readonly uriOf: (record: BatchRecord) => string;
};

/** Makes the rows of a prepared block. Fails with `import_failed` where a node names no root of its tree, or a record itself; with `faults` these go there, and every target of every record is told. */
export function toRows(
  { records, reused, batchUris }: Pick<PreparedBlock, 'records' | 'reused' | 'batchUris'>,
  about: RowsAbout,
  faults?: FaultList,
): BlockRows {
  const texts: { -readonly [table in keyof BlockRows['texts']]: string } = {
    link: '',
    fresh: '',
    mutual: '',
    key: '',
    node: '',
    target: '',
    rule: '',
  };
  const byKind: { [kind: string]: string } = {};
  const targets = new Set<string>();
  const saved: string[] = [];
  const ids: { [kind: string]: number[] } = {};
  const add = (record: BatchRecord): void => {
    const kind = record.kind.name;
    byKind[kind] =
      (byKind[kind] ?? '') +
      copyLineWithJson(
        [kind, record.id, record.repoId, record.publish, record.label, about.actor, about.actor],
        record.text,
      );
    for (let ordinal = 0; ordinal < record.links.length; ordinal++) {
      const link = record.links[ordinal];
      if (link === undefined) continue;
      refuseSelf(record, link);
      if (link.mutual === null)
        texts.link += copyLine([
          kind,
          record.id,
          ordinal,
          link.property,
          link.targetKind,
          link.targetId,
          record.repoId,
          link.role,
        ]);
      else
        texts.mutual += copyLine([
          kind,
          record.id,
          ordinal,
          link.property,
          link.targetKind,
          link.targetId,
          record.repoId,
          link.role,
          link.mutual,
          link.ref,
          farRef(record, link),
          record.number,
        ]);
      const known = batchUris.get(link.uri);
      // A record of this batch is there by definition; of the others each is looked up once a block, and once more where a link shows on it.
      const target = link.mutual === null ? link.uri : `${link.mutual} ${link.uri}`;
      if (known === 'new' || (faults === undefined && targets.has(target))) continue;
      targets.add(target);
      texts.target += copyLine([
        link.targetKind,
        link.targetId,
        link.targetRepoId,
        link.uri,
        known === 'stored',
        link.path,
        kind,
        record.id,
        record.number,
      ]);
    }
    for (const key of record.keys) {
      if (key.isFresh) texts.fresh += copyLine([key.rule, key.scope, key.value, kind, record.id]);
      else
        texts.key += copyLine([
          key.rule,
          key.scope,
          key.value,
          key.property,
          kind,
          record.id,
          record.number,
          key.isHeading,
        ]);
    }
    if (record.kind.tree !== undefined) texts.node += nodeLine(record, about.repoId);
    if (record.kind.targets !== undefined) texts.rule += ruleLines(record);
    (ids[kind] ??= []).push(record.id);
    if (about.keepSaved) saved.push(savedEntry(record.temporaryUri, about.uriOf(record), record.id));
  };
  for (const record of records) {
    try {
      add(record);
    } catch (error) {
      if (faults === undefined || !(error instanceof Failure)) throw error;
      faults.add(error, record.number);
    }
  }
  const encoder = new TextEncoder();
  const encoded = (table: keyof typeof texts): Uint8Array => encoder.encode(texts[table]);
  return {
    records: Object.fromEntries(Object.entries(byKind).map(([kind, text]) => [kind, encoder.encode(text)])),
    texts: {
      fresh: encoded('fresh'),
      link: encoded('link'),
      mutual: encoded('mutual'),
      key: encoded('key'),
      node: encoded('node'),
      target: encoded('target'),
      rule: encoded('rule'),
    },
    saved: saved.join(','),
    savedReused: about.keepSaved ? reused.map((each) => savedEntry(...each)).join(',') : '',
    ids,
  };
}

const savedEntry = (temporary: string, uri: string, id: number): string =>
  `${JSON.stringify(temporary)}:[${JSON.stringify(uri)},${id}]`;

function failureOf(record: BatchRecord, property: string, message: string): Error {
  const shown: JsonObject = {
    title: record.label === '' ? record.temporaryUri : record.label,
    jsonmodel_type: record.kind.name,
    uri: record.temporaryUri,
  };
  return importFailure({ record: shown, number: record.number }, { [property]: [message] }, 'unknown_reference');
}

function refuseSelf(record: BatchRecord, link: LinkRow): void {
  if (link.targetId === record.id && link.targetKind === record.kind.name)
    throw failureOf(record, link.path, "Can't relate an object to itself");
}

/** The properties that the far side of a mutual link shows: a link that the far side has written as well is one with this. */
export function farRef(record: { readonly kind: Kind }, link: LinkRow): string {
  const inverse = record.kind.mutual?.[link.property]?.inverse;
  // split.ts wrote it from an object.
  return inverse === undefined || link.ref === null
    ? (link.ref ?? '{}')
    : JSON.stringify(inverse(JSON.parse(link.ref) as JsonObject));
}

/** The failure's words where a ref leads into another repository (contract 2.2). */
export const betweenRepositories = (uri: string, repoId: number): string =>
  `Inter-repository links are not allowed in this operation! (Bad link: '${uri}'; Active repo: '/repositories/${repoId}')`;

function nodeLine(record: BatchRecord, repoId: number): string {
  const tree = nodeOf(record.kind);
  const root = placeRef(record, tree.rootProperty, record.place?.root ?? null, tree.root, repoId);
  if (root === null) throw failureOf(record, tree.rootProperty, noSuchReference(''));
  const parent = placeRef(record, 'parent', record.place?.parent ?? null, record.kind.name, repoId);
  if (parent?.id === record.id) throw failureOf(record, 'parent', "Can't relate an object to itself");
  return copyLine([
    tree.code,
    root.id,
    parent?.id ?? null,
    record.id,
    positionInFile(record.place?.position ?? null),
    record.number,
    record.publish !== false,
    tree.level?.(record.body) ?? null,
  ]);
}

const noSuchReference = (uri: string): string => `Reference does not exist! (Reference: '${uri}')`;

/** The root or parent that a node names, which must be of the kind and of the repository; null where it names none. */
function placeRef(record: BatchRecord, property: string, uri: string | null, kind: string, repoId: number) {
  if (uri === null) return null;
  const address = parseUri(uri);
  if (address === null || address.kind !== kind) throw failureOf(record, property, noSuchReference(uri));
  if (address.repoId !== repoId) throw failureOf(record, property, betweenRepositories(uri, repoId));
  return address;
}

/** Refs that a rule of the kind wants to see the target of (kind.targets). */
function ruleLines(record: BatchRecord): string {
  let lines = '';
  for (const [number, rule] of (record.kind.targets ?? []).entries()) {
    for (const [index, ref] of objectsOf(record.body, rule.property).entries()) {
      const address = rule.concerns(ref) ? parseUri(textOf(ref, 'ref') ?? '') : null;
      if (address !== null)
        lines += copyLine([
          address.kind,
          address.id,
          number,
          `${rule.property}/${index}`,
          JSON.stringify(ref satisfies Json),
          record.kind.name,
          record.id,
          record.number,
        ]);
    }
  }
  return lines;
}

/** In a file positions are an order among siblings: what is below 0 comes first. */
const positionInFile = (position: number | null): number | null => (position === null ? null : Math.max(0, position));
