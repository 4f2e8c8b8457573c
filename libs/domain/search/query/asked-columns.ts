// What a query asks of documents that stands in short columns of theirs as well, of what kind they are and of which repository: to tell by these that a document does not
// match is a tenth of looking into its vector, which stands elsewhere.
import { indexedKinds } from '../declared.ts';
import type { Predicate } from './predicate.ts';
import type { LexemeQuery } from './tsquery.ts';

/** Kinds and repositories (null: of none) that all documents have which match; not all that have them do. Undefined where a query asks none. */
export type AskedColumns = {
  readonly kinds: readonly string[] | undefined;
  readonly repositories: readonly (number | null)[] | undefined;
};

/** Reads what a predicate asks as a whole: of one that is a choice, or among others in one, nothing follows for all documents. */
export function readAskedColumns(predicate: Predicate): AskedColumns {
  const parts = conjunctsOf(predicate);
  return { kinds: firstOf(parts, 'x=types=', kindOf), repositories: firstOf(parts, 'x=repository=', repositoryOf) };
}

function conjunctsOf(predicate: Predicate): readonly LexemeQuery[] {
  if (predicate.kind === 'every') return predicate.parts.flatMap(conjunctsOf);
  if (predicate.kind !== 'lexemes') return [];
  const { query } = predicate;
  return query.kind === 'every' ? query.parts : [query];
}

/** The values of the first part that is one value of a field, or a choice of several, each of which says something. */
function firstOf<Value>(
  parts: readonly LexemeQuery[],
  prefix: string,
  valueOf: (text: string) => Value | undefined,
): readonly Value[] | undefined {
  for (const part of parts) {
    const words = part.kind === 'any' ? part.parts : [part];
    const values = words.map((word) =>
      word.kind === 'word' && word.isPrefix !== true && word.inNotes !== true && word.word.startsWith(prefix)
        ? valueOf(word.word.slice(prefix.length))
        : undefined,
    );
    const said = values.filter((value) => value !== undefined);
    if (said.length > 0 && said.length === values.length) return said;
  }
  return undefined;
}

// Of the types of a document one is the name of its kind; others group kinds, or say that it is for the public.
const kindOf = (type: string): string | undefined => (indexedKinds.has(type) ? type : undefined);

function repositoryOf(text: string): number | null | undefined {
  if (text === 'global') return null;
  const id = /^\/repositories\/(\d{1,9})$/.exec(text)?.[1];
  return id === undefined ? undefined : Number(id);
}
