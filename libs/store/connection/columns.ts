// What columns hold as they come from PostgreSQL (reader.ts says in which form): the parts that row schemas are made of. Each is made once, as
// making one costs a hundred times as much as a check.
import { z } from 'zod';

const int = z.int();
const number = z.number();
const text = z.string();
const time = z.string().endsWith('Z');
const bool = z.boolean();

/** Sorts of columns; `maybe` is one that may be null. */
export const column = {
  /** Ids and counts: int, bigint, and numeric that is whole. */
  int,
  maybeInt: int.nullable(),
  /** numeric and float. */
  number,
  maybeNumber: number.nullable(),
  /** Text, uuid, dates without a time, and json, which comes as its text. */
  text,
  maybeText: text.nullable(),
  /** timestamptz: 'YYYY-MM-DDTHH:MM:SSZ'. */
  time,
  maybeTime: time.nullable(),
  bool,
  maybeBool: bool.nullable(),
  /** int[], as of array_agg and ARRAY(…). */
  ints: z.array(int),
  texts: z.array(text),
  bytes: z.instanceof(Buffer),
} as const;

/** Rows that nobody reads, of a SELECT that is run for what it does. */
export const UnreadRow = z.unknown();
/** Rows without columns: SELECT FROM …, which asks whether there is one. */
export const EmptyRow = z.strictObject({});
/** Rows of an id. */
export const IdRow = z.strictObject({ id: int });
/** Rows of one number, `n`. */
export const NumberRow = z.strictObject({ n: int });
/** Rows of the JSON text of a body. */
export const BodyRow = z.strictObject({ body: text });
/** Rows of what the uri of a record is made of. */
export const AddressRow = z.strictObject({ kind: text, id: int, repo_id: int.nullable() });
/** Rows of records of a kind: the id and the JSON text of the body. */
export const StoredRow = z.strictObject({ id: int, body: text });
/** Rows of a count. */
export const CountRow = z.strictObject({ count: int });
/** Rows of the version of a record. */
export const LockVersionRow = z.strictObject({ lock_version: int });
