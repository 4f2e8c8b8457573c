// How large a query may be, and what reading it costs, whatever is sent.
import { describe, expect, it } from 'vitest';
import { isField } from '#domain/search/fields.ts';
import { refuseTooMuch, refuseTooWide } from '#domain/search/query/bounds.ts';
import { compileQuery } from '#domain/search/query/compile.ts';
import { parseQuery } from '#domain/search/query/lucene.ts';
import { parseAdvancedQuery } from '#domain/search/query/advanced.ts';
import { matchEvery } from '#domain/search/query/predicate.ts';

const parse = (text: string) => parseQuery(text, { isField }).node;
const refusal = (message: string) => expect.objectContaining({ code: 'unsupported_query', message });
const tooMany = refusal('The query has more than 1024 clauses');
const tooLong = refusal('A word or phrase of the query is longer than 4096 characters');
const address = (index: number): string => `"/repositories/2/archival_objects/${index}"`;
const addresses = (count: number): string => Array.from({ length: count }, (_, index) => address(index)).join(' OR ');

describe('a query', () => {
  it('may have 1,024 clauses, whatever they are', () => {
    const { predicate } = compileQuery(parse(`id:(${addresses(1024)})`), { now: 0 });
    expect(predicate).toMatchObject({ kind: 'any', parts: { length: 1024 } });
    expect(() => parse(`id:(${addresses(1025)})`)).toThrow(tooMany);
    for (const clause of ['a ', '*:* ', '-"a b" ', 'years:[1 TO 2] ', '(a*) ', 'title:* ', 'a~1^2 ']) {
      expect(() => parse(clause.repeat(1024))).not.toThrow();
      expect(() => parse(clause.repeat(1025))).toThrow(tooMany);
    }
  });

  it('has as many in its words where its syntax is broken', () => {
    expect(() => parse(`${'a '.repeat(1023)}"b`)).not.toThrow();
    expect(() => parse(`${'a '.repeat(1024)}"b`)).toThrow(tooMany);
  });

  it('may have 4,096 characters in a clause, and 262,144 altogether', () => {
    for (const clause of [
      (text: string) => text,
      (text: string) => `"${text.slice(2)}"`,
      (text: string) => `${text.slice(1)}*`,
    ]) {
      expect(() => parse(clause('a'.repeat(4096)))).not.toThrow();
      expect(() => parse(clause('a'.repeat(4097)))).toThrow(tooLong);
    }
    expect(() => parse(' '.repeat(262_144))).not.toThrow();
    expect(() => parse(' '.repeat(262_145))).toThrow(refusal('The query is longer than 262144 characters'));
  });

  it('has as many in all its fields together, where it is structured', () => {
    const read = (...values: readonly string[]) =>
      parseAdvancedQuery(
        JSON.stringify({
          query: {
            jsonmodel_type: 'boolean_query',
            op: 'OR',
            subqueries: values.map((value) => ({ jsonmodel_type: 'field_query', field: 'title', value })),
          },
        }),
        'aq',
        { isLiteral: false, now: 0 },
      );
    expect(() => read('a '.repeat(512), 'b '.repeat(512))).not.toThrow();
    expect(() => read('a '.repeat(512), 'b '.repeat(512), 'c')).toThrow(tooMany);
  });

  it('may be made elsewhere', () => {
    expect(() => refuseTooWide({ kind: 'phrase', text: 'a'.repeat(4097), slop: 0 })).toThrow(tooLong);
  });
});

it('keeps a search with all its filters within bounds', () => {
  const phrases = `"${'a '.repeat(2000)}" `.repeat(5);
  const wide = Array.from({ length: 2 }, () => compileQuery(parse(phrases), { now: 0 }).predicate ?? matchEvery([]));
  expect(() => refuseTooMuch(matchEvery(wide.slice(0, 1)))).not.toThrow();
  expect(() => refuseTooMuch(matchEvery(wide))).toThrow(expect.objectContaining({ code: 'unsupported_query' }));
});

// What was slow to read, or looks as if it were: each filled up to the longest text. Time grows with the length alone; a look back at all that was
// read before takes minutes for these.
const filled = (text: string, before = '', after = ''): string =>
  before + text.repeat(Math.floor((262_144 - before.length - after.length) / text.length)) + after;
describe('a hostile text is read in a moment', () => {
  it.each([
    ['parentheses', filled('(')],
    ['closing parentheses', filled(')')],
    ['groups', filled('(a) ', '('.repeat(50))],
    ['quotation marks', filled('"')],
    ['a quotation mark that is never closed', filled('a ', '"')],
    ['stars', filled('*')],
    ['patterns', filled('a*b? ')],
    ['a pattern', filled('*a?')],
    ['a near spelling with a long number', filled('1', 'a~', 'x')],
    ['near spellings', filled('a~')],
    ['proximity with a long number', filled('1', '"a b"~', 'x')],
    ['a boost with a long number', filled('1', 'a^1.', 'x')],
    ['slashes', filled('/')],
    ['a beginning of a regular expression', filled('a', '/')],
    ['backslashes', filled('\\')],
    ['colons', filled('a:')],
    ['fields', filled('title:')],
    ['operators', filled('NOT ')],
    ['operators without blanks', filled('a||')],
    ['blanks', filled(' ', '/a', 'b')],
    ['a range that is never closed', filled(' ', 'years:[')],
    ['a script without blanks', filled('東京')],
    ['hyphens', filled('a-')],
    ['tags', filled('<a')],
    ['one word', filled('a')],
  ])('%s', (_, text) => {
    const started = performance.now();
    try {
      compileQuery(parse(text), { now: 0, stem: 'en' });
    } catch (error) {
      expect(error).toMatchObject({ code: 'unsupported_query' });
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
