// Which words of a query are looked for in all their forms, and how these count for the order.
import { describe, expect, it } from 'vitest';
import { parseAdvancedQuery } from '#domain/search/query/advanced.ts';
import { compileQuery } from '#domain/search/query/compile.ts';
import type { CompiledQuery } from '#domain/search/query/compile.ts';
import { writeCursor, withCursor } from '#domain/search/reply/cursor.ts';
import { isField } from '#domain/search/fields.ts';
import { lexemeQueriesOf } from '#domain/search/query/predicate.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { hasForms } from '#domain/search/query/stemming.ts';
import { expansionsOf, toTsquery } from '#domain/search/query/tsquery.ts';
import { parseQuery } from '#domain/search/query/lucene.ts';

const compile = (text: string): CompiledQuery =>
  compileQuery(parseQuery(text, { isField }).node, { now: 0, stem: 'en' });
const formsIn = ({ predicate }: CompiledQuery): readonly string[] =>
  (predicate === undefined ? [] : lexemeQueriesOf(predicate).flatMap(expansionsOf)).map((expansion) =>
    expansion.kind === 'inflections' ? `${expansion.language} ${expansion.prefix}${expansion.word}` : expansion.kind,
  );

describe('words in all their forms', () => {
  it.each<[string, readonly string[]]>([
    ['maps', ['en maps']],
    ['Éditions maps^3', ['en editions', 'en maps']],
    ['title:maps', ['en t=maps']],
    ['notes:maps', ['en maps']],
    ['title:(maps OR -letters)', ['en t=maps', 'en t=letters']],
    ['-maps', ['en maps']],
    ["children's", ['en childrens']],
    // Of a compound: written together, and its last part.
    ['record-keepings', ['en recordkeepings', 'en keepings']],
    // In quotes words are as they are written.
    ['"maps"', []],
    ['"harbor maps"', []],
    ['"harbor maps"~3', []],
    // Numbers and identifiers, and scripts without blanks, have no forms.
    ['1914 MS.2011-04/7 A4 2nd', []],
    ['東京', []],
    ['four_part_id:maps', []],
    ['identifier:maps', []],
    ['series_identifier_u_stext:maps', []],
    ['subjects:maps', []],
    // A pattern says itself what is open.
    ['map*', []],
    ['maps~1', ['fuzzy']],
    ['[a TO b]', ['en a', 'en to', 'en b']],
  ])('%s: %j', (text, expected) => {
    expect(formsIn(compile(text))).toEqual(expected);
  });

  it('are those of structured queries too, unless they are literal', () => {
    const formsOf = (more: object): readonly string[] => {
      const node = parseAdvancedQuery(
        JSON.stringify({ query: { jsonmodel_type: 'field_query', field: 'title', value: 'maps', ...more } }),
        'aq',
        { isLiteral: false, now: 0 },
      );
      return node === undefined ? ['no query'] : formsIn(compileQuery(node, { now: 0, stem: 'fr' }));
    };
    expect(formsOf({})).toEqual(['fr t=maps']);
    expect(formsOf({ literal: true })).toEqual([]);
  });

  it('are nothing that is looked for where no language is asked for', () => {
    expect(formsIn(compileQuery(parseQuery('maps', { isField }).node, { now: 0 }))).toEqual([]);
  });

  it('count for the order with the word as it was typed', () => {
    expect(
      compile('title:maps^2').scores.map(({ query, ...term }) => ({ ...term, query: toTsquery(query, new Map()) })),
    ).toEqual([
      { query: "'z='", boost: 2, isConstant: false },
      { query: "'t=maps'", boost: 2, isConstant: false, isAsTyped: true },
    ]);
    expect(
      compile('notes:maps')
        .scores.map(({ query }) => query)
        .at(-1),
    ).toEqual({ kind: 'word', word: 'maps', inNotes: true });
    expect(compile('maps^=2').scores).toHaveLength(1);
  });
});

it('tells words of letters from all others', () => {
  expect(['map', 'маpта', 'карта', 'חותם', 'ms2', '1914', 'k=ms', ''].map(hasForms)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

describe('the language of a request', () => {
  const stemOf = (stem: string | undefined, usual?: 'none' | 'de'): string | undefined =>
    buildSearchRequest({ page: 1, q: 'maps', stem }, { now: 0, ...(usual === undefined ? {} : { stem: usual }) }).stem;

  it('is what is asked, else what is usual; none is none', () => {
    expect([stemOf(undefined), stemOf('en'), stemOf('none'), stemOf('')]).toEqual([
      undefined,
      'en',
      undefined,
      undefined,
    ]);
    expect([stemOf(undefined, 'de'), stemOf('en', 'de'), stemOf('none', 'de'), stemOf('', 'de')]).toEqual([
      'de',
      'en',
      undefined,
      'de',
    ]);
  });

  it.each(['xx', 'EN', 'english', 'en,fr', 'toString'])('is refused by name where it is %s', (stem) => {
    expect(() => stemOf(stem)).toThrow(
      expect.objectContaining({
        code: 'bad_parameter',
        error: { stem: [expect.stringMatching(/^Must be one of: none, ar, ca, /)] },
      }),
    );
  });

  it('is part of what a cursor belongs to', () => {
    const [plain, stemmed] = [{}, { stem: 'en' }].map((more) =>
      buildSearchRequest({ page: 1, q: 'maps', ...more }, { now: 0 }),
    );
    if (plain === undefined || stemmed === undefined) throw new Error('two requests were made');
    expect(withCursor(stemmed, writeCursor(stemmed, ['/x'], 5)).cursor).toEqual({ after: ['/x'], total: 5 });
    expect(() => withCursor(plain, writeCursor(stemmed, ['/x'], 5))).toThrow(
      expect.objectContaining({ code: 'bad_parameter' }),
    );
  });
});
