// Query text against the tsquery it becomes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '#domain/search/query/lucene.ts';
import { compileFilter, compileQuery } from '#domain/search/query/compile.ts';
import { isField } from '#domain/search/fields.ts';
import type { Predicate } from '#domain/search/query/predicate.ts';
import { expansionsOf, toTsquery, wordsOf } from '#domain/search/query/tsquery.ts';

const now = Date.UTC(2026, 0, 15, 12);
const compile = (text: string) => compileQuery(parseQuery(text, { isField }).node, { now });

// Lexeme parts as tsquery text, the others as data.
function show(predicate: Predicate | undefined): unknown {
  if (predicate === undefined) {
    return 'all';
  }
  return predicate.kind === 'lexemes' ? toTsquery(predicate.query, new Map()) : predicate;
}

describe('what a query matches', () => {
  it.each([
    ['title:maps', "'t=maps'"],
    ['maps', "('maps' | 'k=maps')"],
    ['harbor maps', "(('harbor' & 'maps') | 'k=harbormaps')"],
    ['re-armament', "(('rearmament' | ('re' <-> 'armament')) | 'k=rearmament')"],
    ['title:re-armament', "('t=rearmament' | ('t=re' <-> 't=armament'))"],
    ['"MC 319"', "(('mc' <-> '319') | 'k=mc319')"],
    ['"a b"~1', "(('a' <1> 'b') | ('a' <2> 'b'))"],
    ['"a b"~2', "(('a' <1> 'b') | ('a' <2> 'b') | ('a' <3> 'b') | ('b' <1> 'a'))"],
    ['title:a OR title:b', "('t=a' | 't=b')"],
    ['title:a -title:b', "('t=a' & !'t=b')"],
    ['-a', "('v=all' & !'a')"],
    ['a OR -b', "('a' | ('v=all' & !'b'))"],
    ['a (-b -c)', "('a' & ('v=all' & !'b' & !'c'))"],
    ['a b OR c', "'a'"],
    ['title:(a OR b) notes:c', "(('t=a' | 't=b') & 'c':D)"],
    ['map*', "'map':*"],
    ['title:map*', "'t=map':*"],
    ['MS.20*', "('ms20':* | ('ms' <-> '20':*))"],
    ['primary_type:resource', "'x=primary_type=resource'"],
    ['publish:true', "'x=publish=true'"],
    ['published:true', "'x=publish=true'"],
    ['subjects:"Peace movements"', "'x=subjects=Peace movements'"],
    ['primary_type:arch*', "'x=primary_type=arch':*"],
    ['type_u_ssort:Box', "'x=type_u_ssort=box'"],
    ['identifier:MS-3', "('k=ms3' | ('i=ms' <-> 'i=3'))"],
    ['identifier:MS-3*', "'k=ms3':*"],
    ['level:*', "'h=level'"],
    ['-level:*', "('v=all' & !'h=level')"],
    ['years:1914', "('y=1914' | 'y=19+' | 'y=191+')"],
    ['years:[1900 TO 1950]', "('y=190x' | 'y=19+' | 'y=191x' | 'y=192x' | 'y=193x' | 'y=194x' | 'y=1950' | 'y=195+')"],
    ['years:[1800 TO 1899]', "'y=18xx'"],
    ['years:{1899 TO 1911}', "('y=190x' | 'y=19+' | 'y=1910' | 'y=191+')"],
    ['years:[1950 TO 1900]', "'z='"],
    ['any_u_stext:maps', "'z='"],
    ['any_u_utext:"old maps"~2', "'z='"],
    ['any_u_typeahead_utext:m*', "'z='"],
    ['any_u_stext:[a TO b]', "'z='"],
    ['-any_u_utext:maps~1', "('v=all' & !'z=')"],
    ['any_u_stext:*', "'h=any_u_stext'"],
    ['*:*', 'all'],
    ['- ! ?', "'z='"],
    ['title:- harbor', "'harbor'"],
    ['東京', "('東京' | 'k=東京')"],
    ['title:東京大学', "('t=東京' <-> 't=京大' <-> 't=大学')"],
    ['title:"東京大学"', "('t=東京' <-> 't=京大' <-> 't=大学' <-> 't=学')"],
    ['title:東', "'t=東'"],
    ["title:'quoted", "'t=quoted'"],
    ['subjects:"it\'s \\\\ a"', "'x=subjects=it''s \\\\ a'"],
  ])('of %s', (text, expected) => {
    expect(show(compile(text).predicate)).toBe(expected);
  });

  it.each([
    ['uri:"/agents/people/1"', { kind: 'equals', column: 'uri', value: '/agents/people/1' }],
    ['id:\\/agents*', { kind: 'starts', column: 'id', value: '/agents' }],
    [
      'title_sort:[Box TO *]',
      { kind: 'compare', column: 'title_sort', field: 'title_sort', from: { value: 'box', isIncluded: true } },
    ],
    [
      'create_time:[2020 TO 2021}',
      {
        kind: 'compare',
        column: 'create_time',
        field: 'create_time',
        from: { value: '2020-01-01T00:00:00.000Z', isIncluded: true },
        to: { value: '2021-01-01T00:00:00.000Z', isIncluded: false },
      },
    ],
    [
      'create_time:[* TO 2021-02]',
      {
        kind: 'compare',
        column: 'create_time',
        field: 'create_time',
        to: { value: '2021-02-28T23:59:59.999Z', isIncluded: true },
      },
    ],
    [
      'user_mtime:[NOW-1DAY TO *]',
      {
        kind: 'compare',
        column: 'user_mtime',
        field: 'user_mtime',
        from: { value: '2026-01-14T12:00:00.000Z', isIncluded: true },
      },
    ],
  ])('of %s, without lexemes', (text, expected) => {
    expect(compile(text).predicate).toEqual(expected);
  });

  it('checks wide proximity by positions', () => {
    expect(compile('title:"a b c"~3').predicate).toMatchObject({
      kind: 'every',
      parts: [{ kind: 'lexemes' }, { kind: 'near', words: ['t=a', 't=b', 't=c'], places: 5 }],
    });
  });

  it('leaves patterns, near spellings and ranges of values to the word list', () => {
    const expansions = (text: string) => {
      const { predicate } = compile(text);
      return predicate?.kind === 'lexemes' ? expansionsOf(predicate.query) : [];
    };
    expect(expansions('*lo_y')).toEqual([{ kind: 'pattern', prefix: '', like: '%loy' }]);
    expect(expansions('title:m?ps')).toEqual([{ kind: 'pattern', prefix: 't=', like: 't=m_ps' }]);
    expect(expansions('first_term_type:*op?')).toEqual([
      { kind: 'pattern', prefix: 'x=first_term_type=', like: 'x=first\\_term\\_type=%op_' },
    ]);
    // In words of one spelling, and in values as they are.
    expect(expansions('type_u_ssort:*Bóx?')).toEqual([
      { kind: 'pattern', prefix: 'x=type_u_ssort=', like: 'x=type\\_u\\_ssort=%box_' },
    ]);
    expect(expansions('level:*Box?')).toEqual([{ kind: 'pattern', prefix: 'x=level=', like: 'x=level=%Box_' }]);
    expect(expansions('title:Rabit~1')).toEqual([{ kind: 'fuzzy', prefix: 't=', word: 'rabit', distance: 1 }]);
    expect(expansions('level:[a TO m}')).toEqual([
      {
        kind: 'between',
        prefix: 'x=level=',
        from: 'a',
        to: 'm',
        includesFrom: true,
        includesTo: false,
        isNumeric: false,
      },
    ]);
    expect(expansions('assessment_id:[2 TO *]')).toEqual([
      { kind: 'between', prefix: 'x=assessment_id=', from: '2', includesFrom: true, includesTo: true, isNumeric: true },
    ]);
  });

  it.each([
    'a*',
    '?a',
    'title:*a',
    'years:x',
    'create_time:soon',
    'create_time:[NOW-1FORTNIGHT TO *]',
    'notes:[a TO b]',
    'assessment_id:[a TO 2]',
  ])('refuses %s', (text) => {
    expect(() => compile(text)).toThrow(expect.objectContaining({ code: 'unsupported_query' }));
  });

  it('refuses unknown fields of structured queries', () => {
    expect(() => compileFilter({ kind: 'term', field: 'nonsense', text: 'a' }, { now })).toThrow(
      expect.objectContaining({ code: 'unsupported_query' }),
    );
  });
});

describe('what is scored', () => {
  const scores = (text: string) =>
    compile(text).scores.map(({ query, boost, isConstant }) => [
      toTsquery(query, new Map()),
      boost,
      ...(isConstant ? ['constant'] : []),
    ]);

  it('scores positive words with their boosts, optional ones too', () => {
    expect(scores('a b^2 OR c -d')).toEqual([
      ["'a'", 1],
      ["'b'", 2],
      ["'c'", 1],
    ]);
    expect(scores('(a title:b^3)^2')).toEqual([
      ["'a'", 2],
      ["'t=b'", 6],
    ]);
    expect(scores('a^=4')).toEqual([["'a'", 4, 'constant']]);
  });

  it('does not score exact values, ranges or filters', () => {
    expect(scores('primary_type:resource years:[1900 TO 1910] level:*')).toEqual([]);
    expect(scores('publish:true^=2')).toEqual([["'x=publish=true'", 2, 'constant']]);
  });

  it('tries an identifier only for a query of plain words', () => {
    expect([
      compile('RG 13-A').key,
      compile('"RG 13-A"').key,
      compile('rg OR x').key,
      compile('title:rg').key,
      compile('rg -x').key,
    ]).toEqual(['k=rg13a', 'k=rg13a', undefined, undefined, undefined]);
  });
});

describe('properties of compiling', () => {
  it('compiles or refuses anything that is typed, and quotes every lexeme', () => {
    const typed = fc
      .array(
        fc.constantFrom(...`ab'()"~^*?[]{}:+-!&|\\/ 12`.split(''), ' AND ', ' OR ', 'title:', 'years:', 'level:', '東'),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(typed, (text) => {
        try {
          const { predicate, scores } = compile(text);
          const printed = predicate?.kind === 'lexemes' ? toTsquery(predicate.query, new Map()) : '';
          const syntax = printed.replace(/'(?:[^'\\]|''|\\\\)*'/g, 'x');
          expect(syntax).toMatch(/^[x()&|!<>\-0-9 :*D]*$/);
          scores.forEach(({ query }) => wordsOf(query, new Map()));
        } catch (error) {
          expect(error).toMatchObject({ code: 'unsupported_query' });
        }
      }),
      { numRuns: 3000 },
    );
  });
});
