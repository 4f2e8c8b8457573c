// What is particular to assessments.
import { expect, test } from 'vitest';
import { assessment } from '#domain/kinds/assessment.ts';
import { exampleOf, refusal, stored } from '#test/support/make/kind.ts';

test.each([
  ['10', '10'],
  ['10.5', '10.50'],
  ['10.25', '10.25'],
  ['10.00', '10'],
])('shows a value of %s as %s', (monetary_value, text) => {
  expect(stored(assessment, exampleOf(assessment, { monetary_value })).body['monetary_value']).toBe(text);
});

test.each([
  [
    'a value that is no sum',
    { monetary_value: '1,000' },
    { monetary_value: ['must be a number with no more than 2 decimal places'] },
  ],
  ['an end before the begin', { survey_end: '2019-01-01' }, { survey_end: ['must not be before begin'] }],
  ['no records', { records: [] }, { records: ['At least 1 item(s) is required'] }],
])('refuses %s', (_, changes, error) => expect(refusal(assessment, exampleOf(assessment, changes))).toEqual(error));

test('leaves flags that nobody set absent through an update', () => {
  const first = stored(assessment, exampleOf(assessment));
  const second = stored(assessment, exampleOf(assessment), first.body);
  expect(second.body).not.toHaveProperty('inactive');
  const set = stored(assessment, exampleOf(assessment, { inactive: true }));
  expect(stored(assessment, exampleOf(assessment), set.body).body['inactive']).toBe(false);
});
