// By what search documents and the records they are made of are known to each other.
import type { PackedDocuments } from '#domain/search/documents/packed.ts';
import type { RecordKey } from '../../records/record-key.ts';

type Head = PackedDocuments['heads'][number];

/** The text of a record's key, for maps. */
export const keyOf = ({ kind, id }: RecordKey): string => `${kind} ${id}`;

/** The same of a document. */
export const keyOfHead = ({ kind, recordId }: Head): string => keyOf({ kind, id: recordId });

/** The digest of a document as it is stored in an edition of the index. */
export const storedDigest = ({ digest }: Head, edition: number): string => `${edition}.${digest}`;
