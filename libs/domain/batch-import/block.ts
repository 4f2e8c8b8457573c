// One block of a batch import (contract trees-and-jobs 2): its records, their kinds, and the words of what is wrong with one.
// Pure: ids, lists and the table of temporary uris come from outside. See docs/decisions/0008.
import { parseUri } from '../addresses.ts';
import { Failure, fail } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';
import type { Kind } from '../kind.ts';
import { kinds } from '../kinds/index.ts';
import type { Enumerations, PrepareContext, Prepared } from '../checking/context.ts';
import { prepare } from '../checking/prepare.ts';
import { createRecordScanner } from './record-scanner.ts';
import { unstorable } from '../storable-json.ts';
import type { RecordAddress } from '../uri.ts';
import type { UriTarget } from './uri-table.ts';

/** What both passes need to know. `kindNames` numbers the kinds for the uri table. */
export type BlockContext = {
  readonly repoId: number;
  readonly kindNames: readonly string[];
  readonly enumerations: Enumerations;
  readonly publishDefault: boolean;
  readonly newHexId: () => string;
};

/** The table of temporary uris as this folder reads it. */
export type UriLookup = { get(uri: string): UriTarget | null };

/** Kinds of records that are not to be written (again) are numbered from here on in the uri table. */
export const existingFrom = 0x80;

/** A record of a block and its number in the file, from 0. */
export type Numbered = { readonly record: JsonObject; readonly number: number };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a block. Fails with `malformed_body`, naming the record, where it is no JSON, or cannot be stored. The objects are the caller's to change. */
export function parseBlock(bytes: Uint8Array, first: number): readonly JsonObject[] {
  const parsed = tryParse(bytes);
  if (parsed instanceof Error)
    throw [...elementsOf(bytes, first)].find((each) => each instanceof Error) ?? malformed(first, parsed);
  return parsed;
}

/** The records of a block with their numbers, as parseBlock gives them. Lenient: those that cannot be parsed come as their failure. */
export function numberedRecords(bytes: Uint8Array, first: number, isLenient: boolean): readonly (Numbered | Failure)[] {
  const parsed = isLenient ? tryParse(bytes) : parseBlock(bytes, first);
  return parsed instanceof Error
    ? [...elementsOf(bytes, first)]
    : parsed.map((record, index) => ({ record, number: first + index }));
}

/** The records of a block one by one, for finding the first that is wrong: what cannot be parsed comes as the failure to throw. */
export function* elementsOf(bytes: Uint8Array, first: number): Generator<Numbered | Failure> {
  const scanner = createRecordScanner(1);
  for (const element of scanner.push(bytes)) {
    const number = first + element.first;
    const parsed = tryParse(element.bytes);
    const record = parsed instanceof Error ? undefined : parsed[0];
    yield parsed instanceof Error || record === undefined ? malformed(number, parsed) : { record, number };
  }
}

function tryParse(bytes: Uint8Array): readonly JsonObject[] | Error {
  try {
    const text = decoder.decode(bytes);
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed) || !parsed.every(isObject)) return new SyntaxError('every element must be an object');
    // As of every other body: the database would fail at it, or could not give it back.
    const wrong = unstorable(parsed, text);
    return wrong === null ? parsed : new SyntaxError(wrong);
  } catch (error) {
    return error instanceof Error ? error : new SyntaxError('not JSON');
  }
}

function malformed(number: number, error: unknown): Failure {
  return fail(
    'malformed_body',
    `Had some trouble parsing your request: record ${number + 1}: ${error instanceof Error ? error.message : 'not JSON'}`,
  );
}

/** The kind of a type if its records may come in a batch. Users, groups and repositories have routes of their own, and permissions. */
export function importableKind(type: string): Kind | undefined {
  const kind = kinds.get(type);
  return kind !== undefined &&
    (kind.madeWhenNamed === true || (kind.uniform !== false && kind.may.create !== undefined))
    ? kind
    : undefined;
}

/** The kind and temporary uri of a record of a batch. Fails where it has no uri or no known type. */
export function kindOf({ record, number }: Numbered): { readonly kind: Kind; readonly uri: string } {
  const type = textOf(record, 'jsonmodel_type');
  const uri = textOf(record, 'uri');
  const kind = type === undefined ? undefined : importableKind(type);
  if (type === undefined)
    throw importFailure({ record, number }, { jsonmodel_type: ['Property is required but was missing'] });
  if (kind === undefined)
    throw importFailure(
      { record, number },
      { jsonmodel_type: [`Invalid value '${type}'. Records of this type cannot be imported`] },
    );
  if (uri === undefined || uri === '')
    throw importFailure({ record, number }, { uri: ['Property is required but was missing'] });
  return { kind, uri };
}

/** The failure of one record: it names the record, its number in the file from 1, its kind, and what is wrong with which property. */
export function importFailure(
  { record, number }: Numbered,
  errors: Json,
  errorClass = 'invalid_record',
  cause?: Failure,
): Failure {
  const title = textOf(record, 'title') ?? textOf(record, 'uri') ?? `record ${number + 1}`;
  return fail(
    'import_failed',
    {
      record_title: title.slice(0, 300),
      record_type: textOf(record, 'jsonmodel_type') ?? null,
      record_uri: textOf(record, 'uri') ?? null,
      record_number: number + 1,
      error_class: cause?.code ?? errorClass,
      errors,
    },
    {},
    cause,
  );
}

/** The failure of a record whose uri came before. */
export function duplicateUri(numbered: Numbered): Failure {
  return importFailure(
    numbered,
    { uri: [`The uri ${textOf(numbered.record, 'uri') ?? ''} occurs more than once in the batch`] },
    'duplicate_uri',
  );
}

/** A record cleaned, checked and completed. Refs to records of the batch may be temporary still. Fails with `import_failed`. */
export function checked(kind: Kind, numbered: Numbered, preparing: PrepareContext): Prepared {
  return withFailuresOf(numbered, () => prepare(kind, numbered.record, preparing));
}

/** What checking the records of a block needs. Made for each block: it remembers the uris that it has parsed, for siblings share most of theirs. */
export function preparingOf(context: BlockContext): PrepareContext {
  const addresses = new Map<string, RecordAddress | null>();
  const parseOnce = (uri: string): RecordAddress | null => {
    let address = addresses.get(uri);
    if (address === undefined) addresses.set(uri, (address = parseUri(uri)));
    return address;
  };
  const generatedValues = { newHexId: context.newHexId, publishDefault: context.publishDefault };
  return {
    operation: 'create',
    enumerations: context.enumerations,
    generatedValues,
    parseUri: parseOnce,
    acceptTemporary: true,
    createEnumerationValues: true,
  };
}

/** Runs `work`; a failure of it becomes that of the record. */
export function withFailuresOf<Result>(numbered: Numbered, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure && error.code !== 'import_failed')
      throw importFailure(numbered, error.error, error.code, error);
    throw error;
  }
}

/** Looks for the first record before number `end` that is wrong by itself, and throws its failure. */
export function checkBlock(bytes: Uint8Array, first: number, end: number, context: BlockContext): void {
  const preparing = preparingOf(context);
  for (const element of elementsOf(bytes, first)) {
    if (element instanceof Failure) throw element;
    if (element.number >= end) return;
    const { kind } = kindOf(element);
    checked(kind, element, preparing);
  }
}
