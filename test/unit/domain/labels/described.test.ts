// Labels of accessions and components.
// Contract: behaviour-records.md, section 3.4.
import { expect, test } from 'vitest';
import { accessionLabel, archivalObjectLabel, componentLabel, shownLevel } from '#domain/labels/described.ts';

const dates = [
  { begin: '1900', end: '1950' },
  { date_type: 'bulk', expression: '1910s' },
];

test.each([
  [accessionLabel, { title: 'T', id_0: 'A' }, 'T'],
  [accessionLabel, { id_0: 'A', id_1: '1' }, 'A-1'],
  [archivalObjectLabel, { title: 'First', dates: [{ expression: '1900-1950' }] }, 'First, 1900-1950'],
  [archivalObjectLabel, { title: 'T', dates }, 'T, 1900 - 1950, bulk: 1910s'],
  [archivalObjectLabel, { dates }, '1900 - 1950, bulk: 1910s'],
  [archivalObjectLabel, { title: 'T' }, 'T'],
  [componentLabel, { title: 'T', label: 'L', dates: [{ begin: '1900' }] }, 'T, 1900'],
  [componentLabel, { label: 'L', dates: [{ begin: '1900' }] }, 'L1900'],
  [componentLabel, { label: 'L' }, 'L'],
  [componentLabel, { dates: [{ begin: '1900' }] }, '1900'],
])('%o of %o', (label, body, expected) => {
  expect(label(body)).toBe(expected);
});

test.each([
  [{ level: 'series' }, 'series'],
  [{ level: 'otherlevel', other_level: 'accession' }, 'accession'],
  [{ level: 'series', other_level: 'x' }, 'series'],
  [{}, null],
])('shows the level of %o', (body, expected) => {
  expect(shownLevel(body)).toBe(expected);
});
