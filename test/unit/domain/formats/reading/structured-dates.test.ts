// Structured dates: what the rules want of ends and ranges.
import { expect, test } from 'vitest';
import { dateRange, singleDate, standardForm } from '#domain/formats/reading/structured-dates.ts';

test('a range whose end has words gives its begin words too', () => {
  expect(dateRange('existence', { standard: '1900' }, { expression: 'now' })).toMatchObject({
    structured_date_range: {
      begin_date_expression: '1900',
      begin_date_standardized: '1900',
      end_date_expression: 'now',
    },
  });
});

test('a range without a begin is a single end', () => {
  expect(dateRange('existence', {}, { standard: '1950' })).toMatchObject({
    date_type_structured: 'single',
    structured_date_single: { date_role: 'end', date_standardized: '1950' },
  });
});

test('an end before its begin keeps only its words', () => {
  const date = dateRange('existence', { standard: '1950' }, { standard: '1900', expression: '1900' });
  expect(date).toMatchObject({
    structured_date_range: { begin_date_standardized: '1950', end_date_expression: '1900' },
  });
  expect(JSON.stringify(date)).not.toContain('end_date_standardized');
});

test('a form that is no day of the calendar is none, and nothing gives nothing', () => {
  expect([standardForm('1900-02-30'), standardForm('18700102'), standardForm('1900-02')]).toEqual([
    undefined,
    undefined,
    '1900-02',
  ]);
  expect(singleDate('usage', { standard: 'c. 1900' })).toBeUndefined();
});

test('an end in its order needs no words, also where its begin has some', () => {
  const date = dateRange('existence', { standard: '1900', expression: 'May 1900' }, { standard: '1910' });
  expect(date).toMatchObject({
    structured_date_range: { begin_date_expression: 'May 1900', end_date_standardized: '1910' },
  });
  expect(JSON.stringify(date)).not.toContain('end_date_expression');
});
