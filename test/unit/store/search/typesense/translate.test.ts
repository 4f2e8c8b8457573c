// What is asked of Typesense for queries of every kind of syntax: the condition of the documents, their order, or what of the query is refused.
// Read beside the contract (behaviour-search.md sections 3 and 4) and decision 0014 before it was kept.
import { expect, it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { findField } from '#domain/search/fields.ts';
import { lexemeQueriesOf, lexemes, matchNot } from '#domain/search/query/predicate.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { any, expansionKey, expansionsOf, operandsOf } from '#domain/search/query/tsquery.ts';
import type { ExpandedWords, Expansion, LexemeQuery } from '#domain/search/query/tsquery.ts';
import { compile } from '#store/search/postgres/match.ts';
import { operationsOf, printFilter } from '#store/search/typesense/filter.ts';
import { sortFieldOf, toSortBy } from '#store/search/typesense/rank.ts';
import { partsOf, toPairToken, toToken } from '#store/search/typesense/token.ts';
import { prefixesOf, toFilter } from '#store/search/typesense/translate.ts';
import { refuseInexpressible } from '#store/search/typesense/unsupported.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const now = Date.UTC(2026, 0, 15, 12, 34, 56);
const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true } as const;

/** Two words for each look-up, as the word list gives them: of the look-up's own prefix. */
const wordsFor = (expansion: Expansion): readonly string[] =>
  ['tide', 'Tide table'].map((found) => `${expansion.prefix}${found}`);

const alwaysTold = [
  'tide',
  'Tide table',
  'level=tide',
  'level=Tide table',
  'assessment_id=tide',
  'assessment_id=Tide table',
  'create_time',
  'user_mtime',
  'system_mtime',
  '/repositories/2',
  '/repositories/2/resources/1',
  '/a',
  '/b',
];

/** Digests say nothing to a reader: each is told as the text that it is made of. */
function told(text: string | undefined, words: readonly string[]): string | null {
  const rests = [...new Set([...words, ...alwaysTold].flatMap((each) => [each, partsOf(each).rest]))];
  const digests = rests.flatMap((rest) => [
    [toToken(rest), `<${rest}>`] as const,
    ...rests.map((right) => [toPairToken(rest, right), `<${rest}+${right}>`] as const),
  ]);
  return (
    digests
      .filter(([token]) => token.startsWith('zz'))
      .reduce((all, [token, shown]) => all.replaceAll(token, shown), text ?? '') || null
  );
}

function askedFor(parameters: Partial<SearchParameters>, mayNotSeeUnpublished = false): unknown {
  const request = buildSearchRequest({ page: 1, ...parameters }, { now });
  try {
    refuseInexpressible(request);
    const { compiled, predicate } = compile(request, { ...staff, mayNotSeeUnpublished });
    const queries = lexemeQueriesOf(predicate);
    const lookedUp = queries.flatMap((query) => [...expansionsOf(query), ...prefixesOf(query)]);
    const expanded: ExpandedWords = new Map(lookedUp.map((each) => [expansionKey(each), wordsFor(each)]));
    const operands = queries
      .flatMap(operandsOf)
      .flatMap((operand) => (operand.kind === 'word' ? [operand.word] : []))
      .concat(compiled.key ?? []);
    const filter = toFilter(predicate, expanded);
    const opposite = toFilter(matchNot(predicate), expanded);
    // Of the rarer sort keys the collection has those that a document brought: `n_` and `s_`.
    const fields = new Set(['title_sort', 'identifier_sort', 'uri_sort', 'create_time', 's_level']);
    return {
      lookedUp,
      filter: told(printFilter(filter), operands),
      operations: operationsOf(filter),
      opposite: told(printFilter(opposite), operands),
      sort: told(toSortBy(request.sort, compiled, expanded, fields), operands),
    };
  } catch (error) {
    if (error instanceof Failure) return { [error.code]: error.extra['unsupported'] ?? error.error };
    throw error;
  }
}

const texts = {
  words: [
    'harbour',
    'Häfen Straße',
    'MS-001.2',
    '漁港 records',
    '*:*',
    'foo:bar',
    'harbour board tide table',
    // Seventeen, of which sixteen rank.
    'a b c d e f g h i j k l m n o p q',
  ],
  phrases: [
    '"harbour board"',
    '"MS 20 a"',
    '"a b"~1',
    '"a b"~5',
    'title:"harbour board"',
    'notes:"low tide"',
    '"a m*"',
  ],
  booleans: [
    'a AND b',
    'a OR b OR c',
    'a NOT b',
    '-a',
    'NOT (a OR b)',
    'NOT (a AND b)',
    '-title:a -title:b c',
    '(a OR title:b) c',
  ],
  fields: [
    'title:maps',
    'notes:tide',
    'level:*',
    '-level:*',
    'publish:true',
    'identifier:MS-3',
    'primary_type:resource',
    'published:false',
    'suppressed:true',
    'title_sort:maps',
    'uri:"/repositories/2/resources/1"',
    'id:"/repositories/2/resources/1"',
  ],
  wildcards: [
    'map*',
    'm?p',
    '*',
    'title:har*r',
    'identifier:MS*',
    'k:MS*',
    `identifier:${'m'.repeat(40)}*`,
    `identifier:${'m'.repeat(41)}*`,
    'uri:"/repositories/2"*',
    'uri:\\/repositories*',
    'level:f*',
    'notes:ti*',
    'title_sort:har*',
    'subjects_id:a*',
  ],
  fuzzy: ['harbor~', 'title:tide~1', 'title_sort:tide~'],
  ranges: [
    'years:[1868 TO 1871]',
    'years:[* TO *]',
    'create_time:[2024-01-01T00:00:00Z TO 2024-02-01T00:00:00Z}',
    'create_time:{2024-01-01T00:00:00Z TO *]',
    '-create_time:{2024-01-01T00:00:00Z TO 2024-02-01T00:00:00Z]',
    '-user_mtime:[* TO 2024-01-01T00:00:00Z}',
    'system_mtime:2024-05',
    'level:[a TO f}',
    'identifier:[a TO b]',
    'uri:["/a" TO "/b"]',
    'title_sort:[a TO b]',
    'title_sort:[* TO b]',
    'assessment_id:[2 TO 10]',
  ],
  boosts: ['title:maps^4', 'a^1 b', 'a^=1', 'a -b^3', '"a b"^3'],
} as const;

it.each(Object.entries(texts))('asks for %s', async (name, queries) => {
  await expectKept(keptText(Object.fromEntries(queries.map((q) => [q, askedFor({ q })])), 2), `typesense/${name}.json`);
});

const others: { readonly [name: string]: Partial<SearchParameters> } = {
  nothing: {},
  types: { type: ['resource', 'agent'] },
  'a filter of a boost': { filter_query: ['level:file^3'] },
  'what is left out': { exclude: ['/a', '/b'] },
  'terms of filters': { filter_term: ['{"level":"file","publish":true}'] },
  'orders by fields': { q: 'maps', sort: 'title asc, create_time desc, level asc' },
  'orders by a field that no document has': { q: 'maps', sort: 'year_sort desc, identifier asc' },
  'an order by score': { q: 'maps', sort: 'score desc, uri desc' },
  'an order by score without words': { sort: 'score desc' },
  'orders by four fields': { sort: 'title asc, create_time desc, level asc, uri asc' },
  'forms of a language': { q: 'harbours', stem: 'en' },
  'parts that it does not answer': { q: 'a', explain: true, relax: true, did_you_mean: true },
  'parts that it answers': { q: 'a', hl: true, page: 3, page_size: 20, fields: ['title'], facet: ['level'] },
};

it('asks for what stands beside the query', async () => {
  const outcomes = Object.fromEntries(Object.entries(others).map(([name, each]) => [name, askedFor(each)]));
  await expectKept(keptText(outcomes, 2), 'typesense/parameters.json');
});

it('asks for the public what the public may find', async () => {
  const queries = ['primary_type:resource', 'types:pui', 'NOT types:pui', 'published:true'];
  const outcomes = Object.fromEntries(queries.map((q) => [q, askedFor({ q }, true)]));
  await expectKept(keptText(outcomes, 2), 'typesense/public.json');
});

it('takes phrases of up to 1024 pairs of words, and no more', () => {
  const wide = (count: number): [LexemeQuery, ExpandedWords] => {
    const expansion = { kind: 'pattern', prefix: '', like: 'a%' } as const;
    return [
      {
        kind: 'sequence',
        parts: [
          { kind: 'expand', expansion },
          { kind: 'expand', expansion },
        ],
      },
      new Map([[expansionKey(expansion), Array.from({ length: count }, (_, index) => `w${index}`)]]),
    ];
  };
  const pairs = (count: number): unknown => {
    const [query, expanded] = wide(count);
    const filter = toFilter(lexemes(query), expanded);
    return filter.kind === 'in' ? filter.values.length : filter;
  };
  expect(pairs(32)).toBe(1024);
  expect(() => pairs(33)).toThrow(/a phrase with patterns that fit more than 1024 pairs of words/);
});

it('finds nothing by a choice of nothing, and everything by its opposite', () => {
  expect([false, true].map((isNot) => printFilter(toFilter(lexemes(any([])), new Map(), isNot)))).toEqual([
    'audience:=-1',
    undefined,
  ]);
});

it('orders by the columns of the collection, and by fields of its own for texts and numbers', () => {
  const names = ['title_sort', 'identifier_sort', 'uri', 'create_time', 'level', 'years'];
  expect(names.map((name) => [name, sortFieldOf(findField(name) ?? expect.fail(name))])).toEqual([
    ['title_sort', 'title_sort'],
    ['identifier_sort', 'identifier_sort'],
    ['uri', 'uri_sort'],
    ['create_time', 'create_time'],
    ['level', 's_level'],
    ['years', 'n_years'],
  ]);
});
