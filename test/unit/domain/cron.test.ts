// Schedules in five fields are told from what cron would not take.
import { expect, test } from 'vitest';
import { isCron } from '#domain/cron.ts';

test.each(['', '* * * * *', '30 2 * * 0', '*/15 0-6,22 1-31/2 12 7', '0 0 1 1 *'])('%j is a schedule', (text) => {
  expect(isCron(text)).toBe(true);
});

test.each([
  '* * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 8',
  '5-1 * * * *',
  '*/0 * * * *',
  'daily',
  '* * * * * *',
])('%j is none', (text) => {
  expect(isCron(text)).toBe(false);
});
