// Second pass over a block of a batch import: every record that is to be written, with real uris in place of temporary ones,
// checked and split as on a plain create.
import { kindNamed, uriOf } from '../addresses.ts';
import { Failure } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Kind } from '../kind.ts';
import { mayLiveIn, noArchivalRecords } from '../access/global-repository.ts';
import type { NewEnumerationValue, PrepareContext } from '../checking/context.ts';
import type { KeyRow, Stored } from '../checking/split.ts';
import { keysOf, splitBody } from '../checking/split.ts';
import type { BlockContext, Numbered, UriLookup } from './block.ts';
import {
  checked,
  duplicateUri,
  existingFrom,
  importFailure,
  kindOf,
  numberedRecords,
  preparingOf,
  withFailuresOf,
} from './block.ts';
import type { FaultList } from './faults.ts';
import { keyText } from './index-block.ts';
import type { KnownTerms } from './terms.ts';
import { termUrisIn, withTerms } from './terms.ts';
import type { UriTarget } from './uri-table.ts';

/**
 * A key of a record; `isHeading`: the first pass looked it up, so whoever has it now came after that; `isFresh`: made of a generated id,
 * which nobody else has.
 */
type BatchKey = KeyRow & { readonly isHeading: boolean; readonly isFresh: boolean };

/** A record in the form its rows are made from. */
export type BatchRecord = Stored & {
  readonly number: number;
  readonly temporaryUri: string;
  readonly kind: Kind;
  readonly id: number;
  readonly repoId: number | null;
  readonly keys: readonly BatchKey[];
};

/** What becomes of a block. */
export type PreparedBlock = {
  readonly records: readonly BatchRecord[];
  /** Records for which a stored or earlier one stands: temporary uri, real uri, id. */
  readonly reused: readonly (readonly [string, string, number])[];
  /** Real uris of records of the batch that the block refers to; `stored` where the record was there before. */
  readonly batchUris: ReadonlyMap<string, 'new' | 'stored'>;
  readonly newValues: readonly NewEnumerationValue[];
  /** As in BlockIndex. */
  readonly termUris: readonly string[];
};

/**
 * How a block is read for finding all faults: none is thrown, the bad records are left out and go into the list. `duplicates` are the
 * numbers of records whose uri came before. Not `refsAreKnown`: the table lacks records that could not be read, so that a ref to
 * nothing proves nothing.
 */
export type Lenient = {
  readonly faults: FaultList;
  readonly duplicates: ReadonlySet<number>;
  readonly refsAreKnown: boolean;
};

/** Prepares a block; `table` is that of the first pass. Fails with `import_failed` at the first record that cannot be stored, unless lenient. */
export function prepareBlock(
  bytes: Uint8Array,
  first: number,
  context: BlockContext,
  table: UriLookup,
  known: KnownTerms,
  lenient?: Lenient,
): PreparedBlock {
  const records: BatchRecord[] = [];
  const reused: (readonly [string, string, number])[] = [];
  const batchUris = new Map<string, 'new' | 'stored'>();
  const newValues = new Map<string, NewEnumerationValue>();
  const termUris = new Set<string>();
  const around: Around = {
    context,
    preparing: preparingOf(context),
    table,
    known,
    refsAreKnown: lenient?.refsAreKnown ?? true,
  };
  // Siblings refer to the same few records again and again.
  const resolved = new Map<string, string>();
  const resolve = (text: string): string => {
    const before = resolved.get(text);
    if (before !== undefined) return before;
    const target = table.get(text);
    const uri = target === null ? text : realUri(target, context);
    if (target !== null) batchUris.set(uri, target.kind >= existingFrom ? 'stored' : 'new');
    resolved.set(text, uri);
    return uri;
  };
  const take = (numbered: Numbered): void => {
    const { kind, uri } = kindOf(numbered);
    if (lenient?.duplicates.has(numbered.number) === true) throw duplicateUri(numbered);
    const target = table.get(uri);
    if (target === null) throw new Error(`the first pass did not see ${uri}`);
    if (target.kind >= existingFrom) {
      reused.push([uri, realUri(target, context), target.id]);
      return;
    }
    replaceUris(numbered.record, resolve, true);
    const record = recordOf(kind, numbered, target.id, uri, around);
    if (record === null) return;
    for (const termUri of termUrisIn(record.body)) termUris.add(termUri);
    for (const value of record.newValues) newValues.set(`${value.list}\n${value.value}`, value);
    records.push(record);
  };
  for (const [index, record] of numberedRecords(bytes, first, lenient !== undefined).entries()) {
    try {
      if (record instanceof Failure) throw record;
      take(record);
    } catch (error) {
      if (lenient === undefined || !(error instanceof Failure)) throw error;
      lenient.faults.add(error, first + index);
      if (lenient.faults.isFull) break;
    }
  }
  return {
    records,
    reused,
    batchUris,
    newValues: [...newValues.values()],
    termUris: [...termUris].filter((uri) => !known.has(uri)),
  };
}

type Around = {
  readonly context: BlockContext;
  readonly preparing: PrepareContext;
  readonly table: UriLookup;
  readonly known: KnownTerms;
  readonly refsAreKnown: boolean;
};

/** The record; null where nobody can tell whether its refs lead anywhere. */
function recordOf(
  kind: Kind,
  numbered: Numbered,
  id: number,
  uri: string,
  around: Around,
): (BatchRecord & { readonly newValues: readonly NewEnumerationValue[] }) | null {
  const { context, preparing, table, known } = around;
  if (!mayLiveIn(kind, context.repoId))
    throw importFailure(numbered, { repository: [noArchivalRecords] }, 'not_allowed');
  const prepared = checked(kind, numbered, preparing);
  let unresolved: { [path: string]: Json } | undefined;
  for (const link of prepared.links) {
    if (link.address === undefined && preparing.parseUri(link.uri) === null)
      (unresolved ??= {})[link.path] = [`Reference does not exist! (Reference: '${link.uri}')`];
  }
  if (unresolved !== undefined && !around.refsAreKnown) return null;
  if (unresolved !== undefined) throw importFailure(numbered, unresolved, 'unknown_reference');
  const body = withTerms(prepared.body, table, known);
  const stored = withFailuresOf(numbered, () =>
    splitBody(kind, body === prepared.body ? prepared : { ...prepared, body }, preparing.generatedValues, null),
  );
  const repoId = kind.scope === 'repository' ? context.repoId : null;
  const keys = keysOf(kind, stored.body, repoId, stored.place).map((key) => ({
    ...key,
    isFresh: isGenerated(kind, numbered.record, key),
    isHeading: kind.reusedBy?.includes(key.rule) === true && table.get(keyText(key)) !== null,
  }));
  return {
    ...stored,
    number: numbered.number,
    temporaryUri: uri,
    kind,
    id,
    repoId,
    keys,
    newValues: prepared.newEnumerationValues,
  };
}

/** Whether the record came without the property of a key, so that the value was made here from random digits. */
function isGenerated(kind: Kind, record: JsonObject, key: KeyRow): boolean {
  return (
    key.property === 'ref_id' &&
    kind.tree !== undefined &&
    (record['ref_id'] === undefined || record['ref_id'] === null || record['ref_id'] === '')
  );
}

function realUri(target: UriTarget, context: BlockContext): string {
  return uriOf(kindNamed(context.kindNames[target.kind % existingFrom] ?? ''), target.id, context.repoId);
}

/**
 * Replaces, in place, every string that is a uri of the batch, at any depth (contract 2.2, phase 3), but for the record's own
 * uri and what is under `_resolved`.
 */
function replaceUris(value: JsonObject, resolve: (text: string) => string, isTop: boolean): void {
  // The block was parsed for this pass alone, so its objects may be changed.
  const object = value as { [property: string]: Json | undefined };
  for (const property in object) {
    if (property === '_resolved' || (isTop && property === 'uri')) continue;
    const item = object[property];
    if (typeof item === 'string') {
      if (item.charCodeAt(0) === 0x2f) object[property] = resolve(item);
    } else if (Array.isArray(item)) object[property] = replaceItems(item, resolve);
    else if (isObject(item)) replaceUris(item, resolve, false);
  }
}

function replaceItems(items: readonly Json[], resolve: (text: string) => string): readonly Json[] {
  if (items.some((item) => typeof item === 'string' || Array.isArray(item))) {
    return items.map((item) => {
      if (typeof item === 'string') return resolve(item);
      if (Array.isArray(item)) return replaceItems(item, resolve);
      if (isObject(item)) replaceUris(item, resolve, false);
      return item;
    });
  }
  for (const item of items) if (isObject(item)) replaceUris(item, resolve, false);
  return items;
}
