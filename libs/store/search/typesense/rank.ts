// The order of hits as `sort_by`. Typesense's own text score needs its own matching, which counts and finds otherwise than ours; so relevance
// is a ladder of conditions: the identifier typed, words in titles, words in short fields; then the weight of the kind; then the shorter one.
import type { CompiledQuery, ScoreTerm } from '#domain/search/query/compile.ts';
import { isAddress } from '#domain/search/fields.ts';
import type { Field } from '#domain/search/fields.ts';
import { toBareWord } from '#domain/search/lexeme.ts';
import type { SortKey } from '#domain/search/query/request.ts';
import { wordsOf } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords } from '#domain/search/query/tsquery.ts';
import { both, either, oneOf, printFilter } from './filter.ts';
import type { Filter } from './filter.ts';
import { lexemeField, partsOf, toToken } from './token.ts';

const mostKeys = 3;
const mostTerms = 16;
const mostWords = 50;

/**
 * The text of `sort_by`. `fields` are those that the collection has by now: ordering by another would be an error, and says nothing since no
 * document has it. Undefined where every document is equal: then the order is that of entry.
 */
export function toSortBy(
  sort: readonly SortKey[],
  compiled: CompiledQuery,
  expanded: ExpandedWords,
  fields: ReadonlySet<string>,
): string | undefined {
  const isRanked = sort.length === 0;
  const score = relevance(compiled, expanded);
  const keys = isRanked
    ? [
        ...(score === undefined ? [] : [`${score}:desc`]),
        ...(compiled.scores.length === 0 ? [] : ['factor:desc', 'len:asc']),
      ]
    : sort.flatMap((key) =>
        key.field === 'score'
          ? score === undefined
            ? []
            : [`${score}:${directionOf(key)}`]
          : fieldKey(key.field, directionOf(key), fields),
      );
  return keys.length === 0 ? undefined : keys.slice(0, mostKeys).join(',');
}

const directionOf = (key: SortKey): string => (key.isDescending ? 'desc' : 'asc');

function fieldKey(field: Field, direction: string, fields: ReadonlySet<string>): readonly string[] {
  const name = sortFieldOf(field);
  return fields.has(name) ? [`${name}(missing_values: last):${direction}`] : [];
}

/** The field of the collection that orders by an index field. */
export function sortFieldOf(field: Field): string {
  if (field.column !== undefined) return isAddress(field) ? 'uri_sort' : field.column;
  return field.type === 'int' ? `n_${field.name}` : `s_${field.name}`;
}

/** `_eval` with the better conditions first; undefined where nothing is scored. */
function relevance({ scores, key }: CompiledQuery, expanded: ExpandedWords): string | undefined {
  // A ladder of conditions is no sum: there a term of all forms has the word as typed in it.
  const terms = scores
    .filter((term) => term.isAsTyped !== true)
    .slice(0, mostTerms)
    .map((term) => bareWords(term, expanded))
    .filter((words) => words.length > 0);
  const inField = (name: string): readonly Filter[] => terms.map((words) => oneOf(name, words));
  const titles = inField('w_title');
  const shorts = inField('w_short');
  const ladder: readonly (readonly [Filter, number])[] = [
    ...(key === undefined ? [] : [[oneOf(lexemeField('k=', 'word'), [toToken(partsOf(key).rest)]), 100] as const]),
    ...(terms.length === 0
      ? []
      : ([
          [both(titles), 80],
          [both(shorts), 60],
          [either(titles), 40],
          [either(shorts), 20],
        ] as const)),
  ];
  const steps = ladder.flatMap(([filter, score]) => {
    const text = printFilter(filter);
    return text === undefined ? [] : [`(${text}):${score}`];
  });
  return steps.length === 0 ? undefined : `_eval([${steps.join(',')}])`;
}

function bareWords(term: ScoreTerm, expanded: ExpandedWords): readonly string[] {
  return wordsOf(term.query, expanded)
    .slice(0, mostWords)
    .map((word) => toToken(toBareWord(word)));
}
