// Search documents as they go to the database: COPY text for records that the index does not have yet, one JSON text of rows for the
// others, facet values and words counted over all of them, so that the process that writes many thousands has nothing left to build.
import { copyLine } from '../batch/copy-text.ts';
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
  /** The lines of a document of a record that is new to the index; null: its row is among `rows`. */
  readonly fresh: FreshLines | null;
};

/** The ends of two lines of COPY text: of the document, whose number, facet values and change come before it, and of its body. */
export type FreshLines = { readonly document: string; readonly body: string };

/** The columns of FreshLines, in order. */
export const freshColumns = {
  document: ['id', 'uri', 'kind', 'record_id', 'repo_id', 'audience', 'published', 'suppressed', 'factor', 'len', 'title_sort', 'identifier_sort', 'create_time', 'user_mtime', 'system_mtime', 'sorts', 'head', 'tsv'],
  body: ['stored', 'echo', 'targets'],
} as const;

/** Documents in the order in which they are written (by id and audience), `rows` being a JSON array in the same order of those that are not fresh. */
export type PackedDocuments = {
  readonly heads: readonly PackedHead[];
  readonly rows: string;
  readonly values: readonly (readonly [field: string, value: string])[];
  /** Every listed word with the number of new documents that hold it. */
  readonly words: readonly (readonly [word: string, count: number])[];
};

const audienceNumbers: { readonly [audience in Audience]: number } = { all: 0, staff: 1, public: 2, shared: 3 };

/** Packs documents. `isNew` tells whether the index has none of the record yet. */
export function packDocuments(documents: readonly SearchDocument[], isNew: (document: SearchDocument) => boolean): PackedDocuments {
  // Written in one order by all, so that two writers cannot wait for each other.
  const ordered = [...documents].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : audienceNumbers[a.audience] - audienceNumbers[b.audience]));
  const places = new Map<string, number>();
  const values: (readonly [string, string])[] = [];
  const placeOf = (value: readonly [string, string]): number => {
    const key = `${value[0]}\u0000${value[1]}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, values.length);
    return values.push(value) - 1;
  };
  const heads = ordered.map((one): PackedHead => ({
    id: one.id, uri: one.uri, kind: one.kind, recordId: one.recordId, audience: audienceNumbers[one.audience], echo: one.echo, targets: one.targets,
    values: [...new Set(one.values.map(placeOf))],
    fresh: isNew(one) ? freshLines(one) : null,
  }));
  return { heads, rows: `[${ordered.filter((one) => !isNew(one)).map(rowOf).join(',')}]`, values, words: countWords(ordered, isNew) };
}

function freshLines(one: SearchDocument): FreshLines {
  return {
    document: copyLine([
      one.id, one.uri, one.kind, one.recordId, one.repoId, audienceNumbers[one.audience], one.isPublished, one.isSuppressed, one.factor, one.vectors.length, one.titleSort, one.identifierSort,
      one.createTime, one.userMtime, one.systemMtime, JSON.stringify(one.sorts), one.vectors.head, one.vectors.tsv,
    ]),
    body: copyLine([JSON.stringify(one.stored), one.echo, `{${one.targets.join(',')}}`]),
  };
}

function rowOf(one: SearchDocument): string {
  return JSON.stringify({
    id: one.id, uri: one.uri, kind: one.kind, record_id: one.recordId, repo_id: one.repoId, audience: audienceNumbers[one.audience], published: one.isPublished,
    suppressed: one.isSuppressed, factor: one.factor, len: one.vectors.length, title_sort: one.titleSort, identifier_sort: one.identifierSort,
    create_time: one.createTime, user_mtime: one.userMtime, system_mtime: one.systemMtime, sorts: one.sorts, head: one.vectors.head, tsv: one.vectors.tsv,
    echo: one.echo, targets: `{${one.targets.join(',')}}`, stored: one.stored,
  });
}

function countWords(documents: readonly SearchDocument[], isNew: (document: SearchDocument) => boolean): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const document of documents) {
    const step = isNew(document) ? 1 : 0;
    for (const lexeme of document.vectors.lexemes) counts.set(lexeme, (counts.get(lexeme) ?? 0) + step);
  }
  // Looked at once a batch and not once a document.
  return [...counts].filter(([lexeme]) => isListed(lexeme)).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Whether the word list has a lexeme. Words of a field are listed as bare words. Values that name one record each would fill the list and are
 * never looked for by pattern.
 */
export function isListed(lexeme: string): boolean {
  return !isFieldWord(lexeme) && (!lexeme.startsWith('x=') || !/^x=[^=]*=\/|^x=(ref_id|slug|ark_name|classification_path|classification_paths|files|job_data)=/.test(lexeme));
}
