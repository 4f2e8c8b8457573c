// Templates of custom reports: what is taken of them, and what of a hostile one is left out or refused.
import { describe, expect, test } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { readCustomChoice } from '#domain/reports/custom.ts';

const field = (name: string, data_type: string, sortable = false) => ({
  name,
  data_type,
  ...(sortable ? { sortable } : {}),
});
const catalogue = {
  global: { fields: [field('created_by', 'User', true), field('create_time', 'Date', true)], subreports: [] },
  accession: {
    fields: [
      field('title', 'String', true),
      field('publish', 'Boolean'),
      field('accession_date', 'Date', true),
      field('acquisition_type', 'Enum'),
    ],
    subreports: [{ name: 'extent', code: 'extent_subreport' }],
  },
};
const read = (template: unknown, limit = 100) =>
  readCustomChoice(typeof template === 'string' ? template : JSON.stringify(template), limit, catalogue);
const refusal = (template: unknown): unknown => {
  try {
    return read(template);
  } catch (error) {
    if (error instanceof Failure) return [error.code, error.error];
    throw error;
  }
};
const title = { title: { include: '1' } };

describe('a template', () => {
  test('gives fields, parts, conditions and order', () => {
    expect(
      read(
        {
          custom_record_type: 'accession',
          sort_by: 'accession_date',
          subreports: { extent: { include: '1' } },
          fields: {
            ...title,
            publish: { value: 'true' },
            accession_date: { include: '1', range_start: '2020-01-01', range_end: '2021-01-01' },
            acquisition_type: { values: ['123', 'x', 4] },
            created_by: { include: '', values: ['admin'] },
          },
        },
        7,
      ),
    ).toEqual({
      recordType: 'accession',
      sortBy: 'accession_date',
      limit: 7,
      leftOut: [],
      parts: [{ name: 'extent', code: 'extent_subreport' }],
      fields: [
        { name: 'title', isShown: true, filter: null },
        { name: 'publish', isShown: false, filter: { by: 'flag', flag: true } },
        { name: 'accession_date', isShown: true, filter: { by: 'days', from: '2020-01-01', to: '2021-01-01' } },
        {
          name: 'acquisition_type',
          isShown: false,
          filter: { by: 'value_ids', list: 'accession_acquisition_type', ids: [123, 4] },
        },
        { name: 'created_by', isShown: false, filter: { by: 'texts', texts: ['admin'] } },
      ],
    });
  });

  test('that names what nobody knows is told so, and loses it', () => {
    const hostile = "title') FROM record; DROP TABLE record; --";
    const choice = read({
      custom_record_type: 'accession',
      sort_by: 'publish',
      fields: {
        ...title,
        [hostile]: { include: '1' },
        toString: { include: '1' },
        constructor: { include: '1' },
        ['__proto__']: { include: '1' },
      },
      subreports: { [hostile]: { include: '1' }, valueOf: { include: '1' } },
    });
    expect(choice).toMatchObject({ fields: [{ name: 'title' }], parts: [], sortBy: null });
    expect(choice.fields).toHaveLength(1);
    expect(choice.leftOut).toEqual([
      `${JSON.stringify(hostile)} is no field of accession`,
      '"toString" is no field of accession',
      '"constructor" is no field of accession',
      '"__proto__" is no field of accession',
      `${JSON.stringify(hostile)} is no part of accession`,
      '"valueOf" is no part of accession',
      'accession cannot be sorted by "publish"',
    ]);
  });

  test.each([
    ['no JSON', '{'],
    ['no object', '[1]'],
    ['no type', { fields: title }],
    ['global', { custom_record_type: 'global', fields: { created_by: { include: '1' } } }],
    ['no known type', { custom_record_type: 'toString', fields: title }],
    ['nothing to show', { custom_record_type: 'accession', fields: { title: { include: '' } } }],
    ['unknown things alone', { custom_record_type: 'accession', fields: { nonsense: { include: '1' } } }],
    [
      'half a range',
      { custom_record_type: 'accession', fields: { ...title, accession_date: { range_start: '2020-01-01' } } },
    ],
    [
      'a range of nonsense',
      { custom_record_type: 'accession', fields: { ...title, accession_date: { range_start: 'x', range_end: "'" } } },
    ],
  ])('with %s is refused', (_what, template) => {
    expect(refusal(template)).toEqual(['bad_parameter', { template: [expect.any(String)] }]);
  });
});

test('the values of a condition are one or several texts and numbers; what is none of these asks for nothing', () => {
  const asked = (values: unknown): unknown =>
    read({
      custom_record_type: 'accession',
      fields: { ...title, acquisition_type: { include: '1', values } },
    }).fields.at(-1)?.filter;
  const ids = (...values: readonly number[]): object => expect.objectContaining({ by: 'value_ids', ids: values });
  expect([['1', 2], '3', 4].map(asked)).toEqual([ids(1, 2), ids(3), ids(4)]);
  expect([null, undefined, '', [], [null, '', {}], {}, true].map(asked)).toEqual(Array(7).fill(null));
});
