// What of a request Typesense cannot answer as asked: found before anything is sent, all of it at once, in the words of the query.
import { fail } from '#domain/errors.ts';
import { printQuery } from '#domain/search/query/ast.ts';
import type { QueryNode } from '#domain/search/query/ast.ts';
import { findField, isAddress } from '#domain/search/fields.ts';
import type { Field } from '#domain/search/fields.ts';
import { exactPrefix } from '#domain/search/lexeme.ts';
import { isListed } from '#domain/search/documents/packed.ts';
import type { SearchRequest } from '#domain/search/query/request.ts';
import { trailingStar } from '#domain/search/query/words.ts';
import { analyseRuns } from '#domain/text/analyse.ts';

const mostSortKeys = 3;

// Which parts of a request are answered here. One that is not, or that this adapter has never heard of, is refused where it is set: passed over,
// it would make a wrong reply.
const answeredParts: { readonly [part in keyof SearchRequest]-?: boolean } = {
  page: true,
  pageSize: true,
  query: true,
  filters: true,
  types: true,
  excludedIds: true,
  sort: true,
  facets: true,
  facetMinCount: true,
  fields: true,
  isHighlighted: true,
  now: true,
  warnings: true,
  isStructured: true,
  stem: true,
  suggests: false,
  isExplained: false,
  isRelaxed: false,
  cursor: false,
};
const isAnswered = new Map<string, boolean>(Object.entries(answeredParts));

/** Throws `not_expressible` with every part of the request that the index cannot answer. */
export function refuseInexpressible(request: SearchRequest): void {
  const found = [
    ...(request.query === undefined ? [] : partsOf(request.query, true)),
    ...request.filters.flatMap((filter) => partsOf(filter, false)),
    ...Object.entries(request).flatMap(([part, value]) =>
      value === undefined || value === false || isAnswered.get(part) === true ? [] : [part],
    ),
    ...(request.sort.length > mostSortKeys ? [`sort by more than ${mostSortKeys} fields`] : []),
  ];
  if (found.length > 0) throw notExpressible([...new Set(found)]);
}

/** The failure for parts of a query, each a text such as `"maps harbor"~4 (proximity)`. */
export function notExpressible(parts: readonly string[]): Error {
  return fail(
    'not_expressible',
    `The search index of this installation (Typesense) cannot answer: ${parts.join('; ')}`,
    { unsupported: [...parts] },
  );
}

/** `isScored`: boosts mean something. Filters may carry them, to no effect. */
function partsOf(node: QueryNode, isScored: boolean): readonly string[] {
  switch (node.kind) {
    case 'group':
      return node.clauses.flatMap((clause) => partsOf(clause.node, isScored && clause.occur !== 'not'));
    case 'boost':
      return [
        ...(isScored && (node.isConstant || node.factor !== 1) ? [`${printQuery(node)} (boost)`] : []),
        ...partsOf(node.node, isScored),
      ];
    case 'phrase':
      if (isOrderedKey(fieldOf(node.field))) return [`${printQuery(node)} (sort key)`];
      return node.slop > 0 && wordsIn(node.text) > 1 ? [`${printQuery(node)} (proximity)`] : [];
    case 'wildcard':
      if (isOrderedKey(fieldOf(node.field))) return [`${printQuery(node)} (sort key)`];
      return isUnlisted(fieldOf(node.field), node.pattern)
        ? [`${printQuery(node)} (beginning of an address or of a name of one record)`]
        : [];
    case 'range':
      return node.from === undefined && node.to === undefined
        ? []
        : isOrderedText(fieldOf(node.field))
          ? [`${printQuery(node)} (range of texts)`]
          : [];
    case 'term':
    case 'fuzzy':
      return isOrderedKey(fieldOf(node.field)) ? [`${printQuery(node)} (sort key)`] : [];
    default:
      return [];
  }
}

const fieldOf = (name: string | undefined): Field | undefined => (name === undefined ? undefined : findField(name));

/** Titles are compared whole by the key that orders them. */
const isOrderedKey = (field: Field | undefined): boolean => field?.column === 'title_sort';

/** Patterns are made into words by the word list, which leaves out values that name one record each. */
function isUnlisted(field: Field | undefined, pattern: string): boolean {
  const stem = trailingStar(pattern);
  return isAddress(field) || (field?.type === 'string' && stem !== undefined && !isListed(exactPrefix(field) + stem));
}

/** Sort keys are kept for ordering alone; other texts have their values in the word list. */
function isOrderedText(field: Field | undefined): boolean {
  return field?.type === 'sort' || isAddress(field);
}

function wordsIn(text: string): number {
  return analyseRuns(text).reduce((sum, run) => sum + run.parts.length, 0);
}
