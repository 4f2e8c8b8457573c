// Ratings, formats and conservation issues as stored and as shown (contract 6.12).
import { expect, test } from 'vitest';
import { objectsOf } from '#domain/json.ts';
import { keepGivenAttributes, showAttributes } from '#domain/rules/assessment-attributes.ts';

const definition = (id: number, label: string, more: object = {}) => ({
  id,
  type: 'rating',
  label,
  global: true,
  readonly: false,
  ...more,
});
const definitions = [
  definition(6, 'Interest'),
  definition(7, 'Documentation Quality'),
  definition(8, 'Research Value', { readonly: true }),
  definition(34, 'Own', { global: false }),
  definition(9, 'Glass', { type: 'format' }),
];
const shown = (ratings: readonly object[]) =>
  objectsOf(showAttributes({ _definitions: definitions, ratings: JSON.parse(JSON.stringify(ratings)) }), 'ratings');

test('keeps entries with a value or a note', () => {
  const ratings = [{ definition_id: 6 }, { definition_id: 7, value: '2' }, { definition_id: 34, note: 'n' }];
  expect(keepGivenAttributes({ ratings })).toEqual({ formats: [], conservation_issues: [], ratings: ratings.slice(1) });
});

test('shows one entry for each definition of the type, and none for other ids', () => {
  const record = showAttributes({
    a: 1,
    _definitions: definitions,
    ratings: [
      { definition_id: 34, note: 'n' },
      { definition_id: 99, value: '1' },
    ],
    formats: [{ definition_id: 9, value: 'true' }],
  });
  expect(record).toMatchObject({
    a: 1,
    formats: [{ value: 'true', global: true, label: 'Glass', readonly: false, definition_id: 9 }],
    conservation_issues: [],
  });
  expect(Object.keys(record)).not.toContain('_definitions');
  expect(objectsOf(record, 'ratings').at(-1)).toEqual({
    note: 'n',
    global: false,
    label: 'Own',
    readonly: false,
    definition_id: 34,
  });
  expect(objectsOf(record, 'ratings')).toHaveLength(4);
});

test.each([
  [
    'both',
    [
      { definition_id: 6, value: '4' },
      { definition_id: 7, value: '3' },
    ],
    '7',
  ],
  [
    'decimals',
    [
      { definition_id: 6, value: '0.1' },
      { definition_id: 7, value: ' 0.2' },
    ],
    '0.3',
  ],
  [
    'one beside digits without end',
    [
      { definition_id: 6, value: '4' },
      { definition_id: 7, value: '9'.repeat(400) },
    ],
    '4',
  ],
  [
    'one',
    [
      { definition_id: 6, value: '4' },
      { definition_id: 7, value: 'good' },
    ],
    '4',
  ],
  [
    'none',
    [
      { definition_id: 6, value: 'high' },
      { definition_id: 8, value: '9' },
    ],
    undefined,
  ],
])('sums the research value of %s', (_, ratings, sum) => expect(shown(ratings)[2]?.['value']).toBe(sum));
