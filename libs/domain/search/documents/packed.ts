// Search documents as they go to the database: rows of binary COPY, facet values and words counted over all of them, so that the process
// that writes many thousands has nothing left to build, and what a thread hands over is bytes that are moved.
import { createHash } from 'node:crypto';
import { CopyWriter } from '../../batch-import/copy-binary.ts';
import type { Audience, SearchDocument } from './document.ts';
import { unlistedFields } from '../fields.ts';
import { documentVersion } from './version.ts';
import { isFieldWord } from '../lexeme.ts';
import { isNeighbours } from './neighbours.ts';
import { isHeadPlace } from './vector.ts';

/** What the writer must know of a document besides its row. `audience` is the number that is stored. */
type PackedHead = {
  readonly id: string;
  readonly uri: string;
  readonly kind: string;
  readonly recordId: number;
  readonly audience: number;
  readonly shownDigest: string;
  readonly targets: readonly string[];
  /** Of all that is written of the document, and of the version of documents: equal where nothing would be written but what is there. */
  readonly digest: string;
  /** Places in `values` of the whole. */
  readonly values: readonly number[];
  /** Where in `rows` of the whole the ends of two rows stand: of the document, whose number, facet values and change come before it, and of its body. */
  readonly document: ByteRange;
  readonly body: ByteRange;
};

/** Bytes from one place up to another. */
export type ByteRange = readonly [from: number, to: number];

/** The columns of the ends of rows, in order. */
export const packedColumns = {
  document: [
    'id',
    'uri',
    'kind',
    'record_id',
    'repo_id',
    'audience',
    'published',
    'suppressed',
    'factor',
    'len',
    'title_sort',
    'identifier_sort',
    'create_time',
    'user_mtime',
    'system_mtime',
    'sorts',
    'head',
    'tsv',
  ],
  body: ['echo', 'targets', 'stored'],
} as const;

/** Documents in the order in which they are written, by id and audience. */
export type PackedDocuments = {
  readonly heads: readonly PackedHead[];
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly values: readonly (readonly [field: string, value: string])[];
  /** Every listed word with the number of new documents that hold it. */
  readonly words: readonly (readonly [word: string, count: number])[];
};

const audienceNumbers: { readonly [audience in Audience]: number } = { all: 0, staff: 1, public: 2, shared: 3 };

/**
 * Packs documents. `isNew` tells whether the index has none of the record yet. Each is packed as it comes, so that where they are made one by
 * one, memory holds the bytes alone.
 */
export function packDocuments(
  documents: Iterable<SearchDocument>,
  isNew: (document: SearchDocument) => boolean,
): PackedDocuments {
  const values = new ValueList();
  // Counters and not numbers, so that a word that was met is looked up once a document and not twice.
  const counts = new Map<string, { count: number }>();
  const heads: Omit<PackedHead, 'digest'>[] = [];
  const rows = new CopyWriter();
  for (const one of documents) {
    const step = isNew(one) ? 1 : 0;
    for (const { lexeme } of one.vector.lexemes) {
      const word = counts.get(lexeme);
      if (word === undefined) counts.set(lexeme, { count: step });
      else word.count += step;
    }
    const from = rows.length;
    writeDocument(rows, one);
    const to = rows.length;
    rows.text(one.shownDigest).texts(one.targets).text(JSON.stringify(one.stored));
    heads.push({
      id: one.id,
      uri: one.uri,
      kind: one.kind,
      recordId: one.recordId,
      audience: audienceNumbers[one.audience],
      shownDigest: one.shownDigest,
      targets: one.targets,
      values: values.placesOf(one.values),
      document: [from, to],
      body: [to, rows.length],
    });
  }
  // Written in one order by all, so that two writers cannot wait for each other.
  heads.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.audience - b.audience));
  // Words are looked at once a batch and not once a document.
  const words = [...counts]
    .flatMap(([lexeme, { count }]) => (isListed(lexeme) ? [[lexeme, count] as const] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = rows.finish();
  return {
    heads: heads.map((head) => ({ ...head, digest: digestOf(head, bytes, values.all) })),
    rows: bytes,
    values: values.all,
    words,
  };
}

function digestOf(
  { values, document: [from], body: [, to] }: Omit<PackedHead, 'digest'>,
  rows: Uint8Array,
  all: PackedDocuments['values'],
): string {
  return createHash('sha1')
    .update(JSON.stringify([documentVersion, ...values.map((place) => all[place])]))
    .update(rows.subarray(from, to))
    .digest('base64url');
}

/** The facet values of all documents, each once. */
class ValueList {
  readonly all: (readonly [field: string, value: string])[] = [];
  readonly #places = new Map<string, Map<string, number>>();

  /** The places of values, each once. */
  placesOf(values: SearchDocument['values']): readonly number[] {
    const places = new Set<number>();
    for (const value of values) places.add(this.#placeOf(value));
    return [...places];
  }

  #placeOf(value: readonly [field: string, value: string]): number {
    const [field, text] = value;
    const ofField = this.#places.get(field) ?? new Map<string, number>();
    const known = ofField.get(text);
    if (known !== undefined) return known;
    this.#places.set(field, ofField.set(text, this.all.length));
    return this.all.push(value) - 1;
  }
}

// As packedColumns.document has it.
function writeDocument(rows: CopyWriter, one: SearchDocument): void {
  rows
    .text(one.id)
    .text(one.uri)
    .text(one.kind)
    .int4(one.recordId)
    .int4(one.repoId)
    .int2(audienceNumbers[one.audience])
    .bool(one.isPublished)
    .bool(one.isSuppressed)
    .float4(one.factor)
    .int4(one.vector.length)
    .text(one.titleSort)
    .text(one.identifierSort)
    .time(one.createTime)
    .time(one.userMtime)
    .time(one.systemMtime)
    .jsonb(JSON.stringify(one.sorts))
    .tsvector(one.vector.lexemes, isHeadPlace)
    .tsvector(one.vector.lexemes);
}

const unlistedValue = new RegExp(`^x=[^=]*=/|^x=(${unlistedFields.join('|')})=`);

/**
 * Whether the word list has a lexeme. Words of a field are listed as bare words; keys and neighbours are not, nor are values that name one
 * record each, which would fill the list and are never looked for by pattern.
 */
export function isListed(lexeme: string): boolean {
  return (
    !lexeme.startsWith('k=') &&
    !isNeighbours(lexeme) &&
    !isFieldWord(lexeme) &&
    (!lexeme.startsWith('x=') || !unlistedValue.test(lexeme))
  );
}
