// Query text against the tree that is made of it, printed; and that whatever is typed is read, and printed text is stable.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { printQuery, withField } from '#domain/search/query/ast.ts';
import type { QueryNode } from '#domain/search/query/ast.ts';
import { parseLucene, parseQuery, toPlainWords } from '#domain/search/query/lucene.ts';
import { ParseError } from '#domain/search/query/scanner.ts';

const fields = new Set([
  'title',
  'years',
  'subjects',
  'agents',
  'notes',
  'create_time',
  'primary_type',
  'uri',
  'resource',
  'identifier',
]);
const options = { isField: (name: string) => fields.has(name) };

// Text as typed, the tree as printed, and where it could not be read as written the column that is named.
const table: readonly (readonly [string, string, number?])[] = [
  ['harbor', 'harbor'],
  ['harbor maps', 'harbor maps'],
  ['  harbor   maps  ', 'harbor maps'],
  ['Harbor MAPS', 'Harbor MAPS'],
  ['MS.2011-04/7', 'MS.2011-04/7'],
  ["O'Neill’s", "O'Neill’s"],
  ['Łódź 東京 مُحَمَّد', 'Łódź 東京 مُحَمَّد'],
  ['"harbor maps"', '"harbor maps"'],
  ['"harbor maps"~5', '"harbor maps"~5'],
  ['"harbor maps"~', '"harbor maps"'],
  ['""', '""'],
  ['"a \\"quoted\\" word"', '"a \\"quoted\\" word"'],
  ['"back\\\\slash"', '"back\\\\slash"'],
  ['a"b"c', 'a "b" c'],
  ['"a"b', '"a" b'],
  ['harbor AND maps', 'harbor maps'],
  ['harbor OR maps', 'harbor OR maps'],
  ['harbor NOT maps', 'harbor -maps'],
  ['harbor && maps', 'harbor maps'],
  ['harbor || maps', 'harbor OR maps'],
  ['harbor &&maps', 'harbor maps'],
  ['a&&b', 'a b'],
  ['a||b', 'a OR b'],
  ['AT&T', 'AT&T'],
  ['R&D AND x', 'R&D x'],
  ['! harbor', '\\! harbor'],
  ['!harbor', '-harbor'],
  ['harbor !maps', 'harbor -maps'],
  ['-harbor', '-harbor'],
  ['+harbor', 'harbor'],
  ['+harbor -maps', 'harbor -maps'],
  ['a +b -c', 'a b -c'],
  ['a - b', 'a \\- b'],
  ['a -', 'a \\-'],
  ['-', '\\-'],
  ['--a', '-\\-a'],
  ['a-b', 'a-b'],
  ['C++', 'C++'],
  ['NOT harbor', '-harbor'],
  ['NOT NOT harbor', 'harbor'],
  ['NOT -harbor', 'harbor'],
  ['-(a b)', '-(a b)'],
  ['-(-a)', '-(-a)'],
  ['NOT (a OR b)', '-(a OR b)'],
  ['and or not', 'and or not'],
  ['AND\\ x', 'AND\\ x'],
  ['\\AND', '\\AND'],
  ['a \\OR b', 'a \\OR b'],
  ['a AND b AND c', 'a b c'],
  ['a OR b OR c', 'a OR b OR c'],
  ['a AND b OR c', '(a b) OR c'],
  ['a OR b AND c', 'a OR (b c)'],
  ['a AND b OR c AND d', '(a b) OR (c d)'],
  ['(a OR b) AND c', '(a OR b) c'],
  ['a (b OR c)', 'a (b OR c)'],
  ['a b OR c', 'a b OR c'],
  ['a OR b c', 'a OR b c'],
  ['a OR b c OR d', 'a OR b OR c OR d'],
  ['a AND b c', 'a b c'],
  ['a AND NOT b', 'a -b'],
  ['a OR NOT b', 'a OR (-b)'],
  ['a OR -b', 'a OR (-b)'],
  ['+a OR b', 'a OR b'],
  ['a NOT b OR c', 'a (-b) OR c'],
  ['((a))', 'a'],
  ['(a b)', 'a b'],
  ['((a b) c)', '(a b) c'],
  ['((a OR b))', 'a OR b'],
  ['(a) (b)', 'a b'],
  ['a(b)c', 'a b c'],
  ['title:maps', 'title:maps'],
  ['title:"old maps"', 'title:"old maps"'],
  ['title:(a b)', 'title:a title:b'],
  ['title:(a OR b)', 'title:a OR title:b'],
  ['title:(a -b "c d"~3)', 'title:a -title:b title:"c d"~3'],
  ['title:(a subjects:b)', 'title:a subjects:b'],
  ['title:(a b)^2', '(title:a title:b)^2'],
  ['-title:foo', '-title:foo'],
  ['+title:foo', 'title:foo'],
  ['title:-foo', 'title:\\-foo'],
  ['title:foo:bar', 'title:foo\\:bar'],
  ['foo:bar', 'foo\\:bar'],
  ['foo:"bar baz"', 'foo\\: "bar baz"'],
  ['foo:(a b)', 'foo\\: (a b)'],
  ['a:b:c', 'a\\:b\\:c'],
  ['title: maps', 'title\\: maps'],
  ['title:', 'title\\:'],
  ['http://example.org/a/b', 'http\\://example.org/a/b'],
  ['agents:/agents/people/1', 'agents:\\/agents/people/1'],
  ['resource:"/repositories/2/resources/1"', 'resource:"/repositories/2/resources/1"'],
  ['id_0:MS-2011/05', 'id_0\\:MS-2011/05'],
  ['/agents/people/12', '\\/agents/people/12'],
  ['/repositories/2/', '\\/repositories/2/'],
  ['a/b', 'a/b'],
  ['/', '\\/'],
  ['subjects:*', 'subjects:*'],
  ['*:*', '*:*'],
  ['*', '*:*'],
  ['**', '*:*'],
  ['-*:*', '-*:*'],
  ['title:(*)', 'title:*'],
  ['map*', 'map*'],
  ['m?p', 'm?p'],
  ['*logy', '*logy'],
  ['ma*s', 'ma*s'],
  ['title:map*', 'title:map*'],
  ['what?', 'what?'],
  ['?', '\\?'],
  ['foo\\*bar', 'foo\\*bar'],
  ['foo\\*bar*', 'foo\\*bar*'],
  ['foo\\?', 'foo\\?'],
  ['harbor~', 'harbor~2'],
  ['harbor~1', 'harbor~1'],
  ['harbor~2', 'harbor~2'],
  ['harbor~9', 'harbor~2'],
  ['harbor~0', 'harbor'],
  ['harbor~0.5', 'harbor~2'],
  ['title:harbor~1', 'title:harbor~1'],
  ['a~b', 'a\\~b'],
  ['~a', '\\~a'],
  ['years:[1900 TO 1950]', 'years:[1900 TO 1950]'],
  ['years:{1900 TO 1950}', 'years:{1900 TO 1950}'],
  ['years:[1900 TO 1950}', 'years:[1900 TO 1950}'],
  ['years:[* TO 1950]', 'years:[* TO 1950]'],
  ['years:[1900 TO *]', 'years:[1900 TO *]'],
  ['years:["1900" TO "1950"]', 'years:[1900 TO 1950]'],
  ['create_time:{2020-01-01T00:00:00Z TO *}', 'create_time:{2020-01-01T00:00:00Z TO *}'],
  ['create_time:[NOW-7DAY TO NOW]', 'create_time:[NOW-7DAY TO NOW]'],
  ['title:[a\\ b TO "c d"]', 'title:["a b" TO "c d"]'],
  ['years:( [1 TO 2] OR 5)', 'years:[1 TO 2] OR years:5'],
  ['title:maps^4', 'title:maps^4'],
  ['maps^2.5', 'maps^2.5'],
  ['maps^.5', 'maps^0.5'],
  ['maps^=3', 'maps^=3'],
  ['"a b"^2', '"a b"^2'],
  ['"a b"~2^3', '"a b"~2^3'],
  ['map*^2', 'map*^2'],
  ['harbor~1^2', 'harbor~1^2'],
  ['(a b)^2', '(a b)^2'],
  ['(a)^2', 'a^2'],
  ['((a)^2)^3', '(a^2)^3'],
  ['(a b)^=1', '(a b)^=1'],
  ['a^2 OR b', 'a^2 OR b'],
  ['*:*^2', '*:*^2'],
  ['a\\ b', 'a\\ b'],
  ['a\\:b', 'a\\:b'],
  ['title\\:maps', 'title\\:maps'],
  ['\\(a\\)', '\\(a\\)'],
  ['\\\\', '\\\\'],
  ['a\\', 'a\\\\'],
  ['\\-a', '\\-a'],
  ['日本 OR -東京', '日本 OR (-東京)'],
  ['naïve café', 'naïve café'],
  ['1914-1918', '1914-1918'],
  ['$100', '$100'],
  ['50%', '50%'],
  ['a=b', 'a=b'],
  ['x<y', 'x<y'],
  ["'single'", "'single'"],
  ['foo, bar; baz.', 'foo, bar; baz.'],
  ['[draft', '\\[draft', 1],
  ['[draft]', '\\[draft\\]', 1],
  ['draft]', 'draft\\]'],
  ['{a}', '\\{a\\}', 1],
  ['a{b}', 'a\\{b\\}'],
  ['"unbalanced', '\\"unbalanced', 1],
  ['a "b c', 'a \\"b c', 3],
  ['((a', '\\(\\(a', 2],
  ['a)', 'a\\)', 2],
  [')', '\\)', 1],
  ['()', '\\(\\)', 1],
  ['a ()', 'a', 3],
  ['(a OR)', '\\(a OR\\)', 6],
  ['OR a', 'a', 1],
  ['a OR', 'a', 5],
  ['AND', '\\AND', 1],
  ['a AND', 'a', 6],
  ['a AND OR b', 'a b', 7],
  ['a OR OR b', 'a b', 6],
  ['NOT', '\\NOT', 4],
  ['a NOT', 'a', 6],
  ['a ^2', 'a \\^2', 3],
  ['a^', 'a\\^', 2],
  ['a^x', 'a\\^x', 2],
  ['title:[a', 'title\\:\\[a', 7],
  ['title:[a b]', 'title\\:\\[a b\\]', 7],
  ['title:[a TO b', 'title\\:\\[a TO b', 7],
  ['[a TO b]', '\\[a TO b\\]', 1],
  ['foo:[a TO b]', 'foo\\:\\[a TO b\\]'],
  ['title:[TO b]', 'title\\:\\[TO b\\]', 7],
  ['', '*:*'],
  [' \t ', '*:*'],
];

describe('reading query text', () => {
  it.each(table.map(([text, printed, column]) => ({ text, printed, column })))(
    'reads $text',
    ({ text, printed, column }) => {
      const { node, warnings } = parseQuery(text, options);
      expect(printQuery(node)).toBe(printed);
      expect(warnings.map((warning) => warning.column)).toEqual(column === undefined ? [] : [column]);
    },
  );

  it('reads escaped operators as words', () => {
    expect(parseLucene('\\AND', options)).toEqual({ kind: 'term', text: 'AND' });
    expect(parseLucene('title\\:maps', options)).toEqual({ kind: 'term', text: 'title:maps' });
  });

  it('keeps literal stars apart from live ones', () => {
    expect(parseLucene('a\\*b*', options)).toEqual({ kind: 'wildcard', pattern: 'a\\*b*' });
  });

  it('throws a typed error with the column for broken syntax', () => {
    expect(() => parseLucene('maps "old', options)).toThrow(ParseError);
    expect(() => parseLucene('maps "old', options)).toThrow(expect.objectContaining({ column: 6 }));
  });

  it.each(['/ha.*r/', 'title:/ha.*r/', 'a OR /x/', '/a\\/b/^2'])('refuses the regular expression in %s', (text) => {
    expect(() => parseQuery(text, options)).toThrow(expect.objectContaining({ code: 'unsupported_query' }));
  });

  it('refuses groups deeper than 50', () => {
    expect(() => parseQuery(`${'('.repeat(51)}a${')'.repeat(51)}`, options)).toThrow(Failure);
    expect(printQuery(parseQuery(`${'('.repeat(50)}a${')'.repeat(50)}`, options).node)).toBe('a');
  });

  it('takes a text apart into plain words', () => {
    expect(printQuery(toPlainWords('title:(a OR "b'))).toBe('title\\:\\(a \\"b');
  });

  it('gives a field to all nodes without one', () => {
    expect(printQuery(withField(parseLucene('a OR "b c" subjects:d^2 e~1 f*', options), 'title'))).toBe(
      'title:a OR title:"b c" subjects:d^2 title:e~1 title:f*',
    );
  });
});

// What the parser can make: optional clauses come in twos, a group holds more than one required clause.
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const someField = fc.option(fc.constantFrom(...fields), { nil: undefined });
const inField = (field: string | undefined) => (field === undefined ? {} : { field });
const tree: fc.Memo<QueryNode> = fc.memo((depth) =>
  depth <= 1 ? leaf : fc.oneof({ weight: 3, arbitrary: leaf }, group(depth), boost(depth)),
);
const bound = fc.option(
  text.filter((value) => value.trim() !== ''),
  { nil: undefined },
);
const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  fc.tuple(someField, text).map(([field, value]): QueryNode => ({ kind: 'term', ...inField(field), text: value })),
  fc
    .tuple(someField, text, fc.nat(9))
    .map(([field, value, slop]): QueryNode => ({ kind: 'phrase', ...inField(field), text: value, slop })),
  fc
    .tuple(someField, text, fc.integer({ min: 1, max: 2 }))
    .map(([field, value, distance]): QueryNode => ({ kind: 'fuzzy', ...inField(field), text: value, distance })),
  fc.tuple(someField, text).map(([field, value]): QueryNode => ({
    kind: 'wildcard',
    ...inField(field),
    pattern: `${value.replace(/[*?\\]/g, '\\$&')}*`,
  })),
  fc
    .tuple(fc.constantFrom(...fields), bound, bound, fc.boolean(), fc.boolean())
    .map(([field, from, to, includesFrom, includesTo]): QueryNode => ({
      kind: 'range',
      field,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      includesFrom,
      includesTo,
    })),
  fc.constantFrom<QueryNode>({ kind: 'all' }, { kind: 'exists', field: 'title' }),
);
const group = (depth: number): fc.Arbitrary<QueryNode> =>
  fc
    .tuple(
      fc.array(tree(depth - 1), { maxLength: 3 }),
      fc.array(tree(depth - 1), { minLength: 1, maxLength: 3 }),
      fc.array(tree(depth - 1), { maxLength: 2 }),
    )
    .map(([must, not, should]): QueryNode => ({
      kind: 'group',
      clauses: [
        ...must.map((node) => ({ occur: 'must' as const, node })),
        ...(should.length < 2 ? [] : should.map((node) => ({ occur: 'should' as const, node }))),
        ...not.map((node) => ({ occur: 'not' as const, node })),
      ],
    }));
const boost = (depth: number): fc.Arbitrary<QueryNode> =>
  fc
    .tuple(tree(depth - 1), fc.double({ min: 0, max: 1e6, noNaN: true }), fc.boolean())
    .map(([node, factor, isConstant]): QueryNode => ({ kind: 'boost', node, factor: Math.abs(factor), isConstant }));

describe('properties of query text', () => {
  const syntax = fc
    .array(
      fc.constantFrom(
        ...'ab()"~^*?[]{}:+-!&|\\/ 12'.split(''),
        ' AND ',
        ' OR ',
        ' NOT ',
        ' TO ',
        'title:',
        'years:[',
        '東',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

  it('reads anything, or throws the typed error alone', () => {
    fc.assert(
      fc.property(fc.oneof(syntax, fc.string({ unit: 'binary', maxLength: 60 })), (typed) => {
        try {
          parseQuery(typed, options);
        } catch (error) {
          expect(error).toMatchObject({ code: 'unsupported_query' });
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('reads what it printed of any text as an equal tree', () => {
    fc.assert(
      fc.property(syntax, (typed) => {
        try {
          const { node } = parseQuery(typed, options);
          expect(parseLucene(printQuery(node), options)).toEqual(node);
        } catch (error) {
          expect(error).toMatchObject({ code: 'unsupported_query' });
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('reads what it printed of any tree as an equal tree', () => {
    fc.assert(
      fc.property(tree(3), (node) => {
        expect(parseLucene(printQuery(node), options)).toEqual(node);
      }),
      { numRuns: 2000 },
    );
  });
});
