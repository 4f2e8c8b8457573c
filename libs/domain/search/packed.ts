// Search documents as they go to the database: lines of COPY text, facet values and words counted over all of them, so that the process
// that writes many thousands has nothing left to build.
import { copyLine, copyLineWithJson } from '../batch/copy-text.ts';
import type { Audience, SearchDocument } from './document.ts';
import { isFieldWord } from './lexeme.ts';

/** What the writer must know of a document besides its row. `audience` is the number that is stored. */
export type PackedHead = {
  readonly id: string;
  readonly uri: string;
  readonly kind: string;
  readonly recordId: number;
  readonly audience: number;
  readonly echo: string;
  readonly targets: readonly string[];
  /** Places in `values` of the whole. */
  readonly values: readonly number[];
  /** The ends of two lines of COPY text: of the document, whose number, facet values and change come before it, and of its body. */
  readonly document: string;
  readonly body: string;
};

/** The columns of the lines, in order. */
export const packedColumns = {
  document: ['id', 'uri', 'kind', 'record_id', 'repo_id', 'audience', 'published', 'suppressed', 'factor', 'len', 'title_sort', 'identifier_sort', 'create_time', 'user_mtime', 'system_mtime', 'sorts', 'head', 'tsv'],
  body: ['echo', 'targets', 'stored'],
} as const;

/** Documents in the order in which they are written, by id and audience. */
export type PackedDocuments = {
  readonly heads: readonly PackedHead[];
  readonly values: readonly (readonly [field: string, value: string])[];
  /** Every listed word with the number of new documents that hold it. */
  readonly words: readonly (readonly [word: string, count: number])[];
};

const audienceNumbers: { readonly [audience in Audience]: number } = { all: 0, staff: 1, public: 2, shared: 3 };

/**
 * Packs documents. `isNew` tells whether the index has none of the record yet. Each is packed as it comes, so that where they are made one by
 * one, memory holds the lines alone.
 */
export function packDocuments(documents: Iterable<SearchDocument>, isNew: (document: SearchDocument) => boolean): PackedDocuments {
  const places = new Map<string, number>();
  const values: (readonly [string, string])[] = [];
  const placeOf = (value: readonly [string, string]): number => {
    const key = `${value[0]}\u0000${value[1]}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, values.length);
    return values.push(value) - 1;
  };
  const counts = new Map<string, number>();
  const heads: PackedHead[] = [];
  for (const one of documents) {
    const step = isNew(one) ? 1 : 0;
    for (const lexeme of one.vectors.lexemes) counts.set(lexeme, (counts.get(lexeme) ?? 0) + step);
    heads.push({
      id: one.id, uri: one.uri, kind: one.kind, recordId: one.recordId, audience: audienceNumbers[one.audience], echo: one.echo, targets: one.targets,
      values: [...new Set(one.values.map(placeOf))], document: documentLine(one), body: copyLineWithJson([one.echo, `{${one.targets.join(',')}}`], JSON.stringify(one.stored)),
    });
  }
  // Written in one order by all, so that two writers cannot wait for each other.
  heads.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.audience - b.audience));
  // Words are looked at once a batch and not once a document.
  const words = [...counts].filter(([lexeme]) => isListed(lexeme)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { heads, values, words };
}

function documentLine(one: SearchDocument): string {
  return copyLine([
    one.id, one.uri, one.kind, one.recordId, one.repoId, audienceNumbers[one.audience], one.isPublished, one.isSuppressed, one.factor, one.vectors.length, one.titleSort, one.identifierSort,
    one.createTime, one.userMtime, one.systemMtime, JSON.stringify(one.sorts), one.vectors.head, one.vectors.tsv,
  ]);
}

/**
 * Whether the word list has a lexeme. Words of a field are listed as bare words. Values that name one record each would fill the list and are
 * never looked for by pattern.
 */
export function isListed(lexeme: string): boolean {
  return !isFieldWord(lexeme) && (!lexeme.startsWith('x=') || !/^x=[^=]*=\/|^x=(ref_id|slug|ark_name|classification_path|classification_paths|files|job_data)=/.test(lexeme));
}
