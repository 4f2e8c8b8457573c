// Conditions as text: read back by the rules of the server, they mean what they meant.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  both,
  compares,
  either,
  everything,
  nothing,
  oneOf,
  operationsOf,
  opposite,
  printFilter,
} from '#store/search/typesense/filter.ts';
import type { Filter } from '#store/search/typesense/filter.ts';
import { collectionFields } from '#store/search/typesense/schema.ts';
import { StandInCollection } from '#test/support/typesense/collection.ts';
import type { StandInDocument } from '#test/support/typesense/collection.ts';
import { readFilter } from '#test/support/typesense/filter.ts';

const collection = new StandInCollection({ name: 'c', fields: collectionFields() });

/** What a condition says, without any text. */
function fits(filter: Filter, document: StandInDocument): boolean {
  switch (filter.kind) {
    case 'everything':
      return true;
    case 'nothing':
      return false;
    case 'in':
      return filter.values.some((value) => [document[filter.field]].flat().includes(value)) !== filter.isNot;
    case 'number':
      return Number(document[filter.field]) >= Number(filter.comparison.slice(2));
    case 'and':
      return filter.parts.every((part) => fits(part, document));
    case 'or':
      return filter.parts.some((part) => fits(part, document));
  }
}

const fields = ['l_all', 'l_t', 'p_all'];
const leaf = fc
  .record({
    field: fc.constantFrom(...fields),
    values: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    isNot: fc.boolean(),
  })
  .map(({ field, values, isNot }) => (isNot ? opposite(oneOf(field, values)) : oneOf(field, values)));
const { tree } = fc.letrec<{ tree: Filter }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.constantFrom<Filter>(everything, nothing, compares('len', '>=2')),
    fc
      .record({ isAnd: fc.boolean(), parts: fc.array(tie('tree'), { maxLength: 4 }) })
      .map(({ isAnd, parts }) => (isAnd ? both(parts) : either(parts))),
  ),
}));
const document = fc.record({
  audience: fc.constant(0),
  len: fc.integer({ min: 0, max: 4 }),
  ...Object.fromEntries(fields.map((field) => [field, fc.uniqueArray(fc.constantFrom('a', 'b', 'c'))])),
});

describe('a printed condition', () => {
  it('is read by the server as it was meant, with one rank for all operators', () => {
    fc.assert(
      fc.property(tree, document, (filter, one) => {
        if (operationsOf(filter) > 100) return;
        expect(readFilter(printFilter(filter) ?? '', collection)(one)).toBe(fits(filter, one));
      }),
      { numRuns: 2000 },
    );
  });

  it('counts as many operations as the server does, at most', () => {
    const parts = (count: number) =>
      both(Array.from({ length: count }, (_, index) => oneOf(fields[index % 3] ?? '', [`w${index}`])));
    expect(operationsOf(parts(50))).toBe(99);
    expect(() => readFilter(printFilter(parts(50)) ?? '', collection)).not.toThrow();
    expect(() => readFilter(printFilter(parts(51)) ?? '', collection)).toThrow('too many operations');
  });

  it('puts the values of one field into one list', () => {
    expect(printFilter(either([oneOf('l_all', ['a']), oneOf('l_t', ['b']), oneOf('l_all', ['c'])]))).toBe(
      '(l_all:=[`a`,`c`] || l_t:=`b`)',
    );
    expect(printFilter(both([opposite(oneOf('l_all', ['a'])), opposite(oneOf('l_all', ['c']))]))).toBe(
      'l_all:!=[`a`,`c`]',
    );
  });
});
