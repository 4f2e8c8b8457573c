// By what search documents and the records they are made of are known to each other.
import { z } from 'zod';
import type { PackedDocuments } from '#domain/search/documents/packed.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';

type Head = PackedDocuments['heads'][number];

/** A record by kind and id. */
export const RecordKey = z.strictObject({ kind: column.text, id: column.int });
export type RecordKey = z.infer<typeof RecordKey>;

/** The keys of records as rows (kind, id). */
export const keysOf = (records: readonly RecordKey[]): Fragment =>
  sql.fragment`${sql.unnest(
    records.map(({ kind, id }) => [kind, id]),
    ['text', 'int4'],
  )}`;

/** The text of a record's key, for maps. */
export const keyOf = ({ kind, id }: RecordKey): string => `${kind} ${id}`;

/** The same of a document. */
export const keyOfHead = ({ kind, recordId }: Head): string => keyOf({ kind, id: recordId });

/** The digest of a document as it is stored in an edition of the index. */
export const storedDigest = ({ digest }: Head, edition: number): string => `${edition}.${digest}`;
