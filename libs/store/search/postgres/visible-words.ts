// What a caller may see as words of a query, so that the index gives documents that are seen, and what it gives is not thrown away one by one: where few documents of very many are
// published, or few are of the caller's repositories. The condition of visibility (conditions.ts) decides all the same.
import { forPublic } from '#domain/search/documents/public-copy.ts';
import { findField } from '#domain/search/fields.ts';
import { toExactLexeme } from '#domain/search/lexeme.ts';
import { lexemeQueriesOf, lexemes } from '#domain/search/query/predicate.ts';
import { any, every, toTsquery, word } from '#domain/search/query/tsquery.ts';
import type { LexemeQuery } from '#domain/search/query/tsquery.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import type { Visibility } from '../port.ts';

// Beyond so many, repositories are no words of the query: their documents are told apart one by one.
const mostRepositories = 50;

/** The lexeme of an exact value of a field by its name. */
export function exact(name: string, value: string): LexemeQuery {
  const field = findField(name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return word(toExactLexeme(field, value));
}

/** Parts of a query with what the caller may see. */
export function toVisibleText(parts: readonly LexemeQuery[], visibility: Visibility): string {
  return toSeenText([...parts, ...visibleWords(visibility)], visibility);
}

/** Parts of a query as this caller asks them. */
export function toSeenText(parts: readonly LexemeQuery[], { mayNotSeeUnpublished }: Visibility): string {
  const asked = lexemes(every(parts));
  const [query] = lexemeQueriesOf(mayNotSeeUnpublished ? forPublic(asked) : asked);
  return toTsquery(query ?? every([]), new Map());
}

/** The condition on documents `d` of the index alone; true of all where the caller may see all. */
export function toVisibleWords(visibility: Visibility): Fragment {
  return visibleWords(visibility).length === 0
    ? sql.fragment`true`
    : sql.fragment`d.tsv @@ ${toVisibleText([], visibility)}::tsquery`;
}

function visibleWords({ repositories, mayNotSeeUnpublished }: Visibility): readonly LexemeQuery[] {
  const own =
    repositories === 'all' || repositories.length > mostRepositories
      ? []
      : [any([...repositories.map((id) => `/repositories/${id}`), 'global'].map((uri) => exact('repository', uri)))];
  return [...own, ...(mayNotSeeUnpublished ? [exact('publish', 'true')] : [])];
}
