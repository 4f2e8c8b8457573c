// Sort names by kind of agent; the first of each are recorded answers of the incumbent.
// Contract: behaviour-records.md, section 3.5.
import { describe, expect, test } from 'vitest';
import { existenceText, sortNameOf } from '#domain/rules/sort-name.ts';

const able = {
  primary_name: 'Able',
  name_order: 'inverted',
  title: 'T',
  prefix: 'Dr',
  rest_of_name: 'Ann',
  suffix: 'S',
  fuller_form: 'Annabel',
  number: 'II',
  dates: '1900-1950',
  qualifier: 'q',
};

describe('sortNameOf', () => {
  test.each([
    ['agent_person', able, 'Able, Ann, Dr, S, T, II (Annabel), 1900-1950 (q)'],
    ['agent_person', { ...able, name_order: 'direct' }, 'Ann Able, Dr, S, T, II (Annabel), 1900-1950 (q)'],
    ['agent_person', { primary_name: 'Able', name_order: 'direct' }, 'Able'],
    ['agent_person', { primary_name: 'Able', name_order: 'inverted' }, 'Able'],
    ['agent_family', { family_name: 'Fam', prefix: 'the' }, 'Fam, the'],
    [
      'agent_family',
      { family_name: 'Fam', prefix: 'the', qualifier: 'q', dates: '1900', location: 'Town' },
      'Fam, the (q) (1900) (Town)',
    ],
    ['agent_corporate_entity', { primary_name: 'Corp', subordinate_name_1: 'Div', number: '5' }, 'Corp. Div, 5'],
    [
      'agent_corporate_entity',
      {
        primary_name: 'Corp',
        subordinate_name_1: 'A',
        subordinate_name_2: 'B',
        number: '5',
        qualifier: 'q',
        dates: '1900',
        location: 'Town',
      },
      'Corp. A. B, 5 (q) (1900) (Town)',
    ],
    [
      'agent_software',
      { software_name: 'Soft', version: '2', manufacturer: 'Maker', qualifier: 'q', dates: '1999' },
      'Maker Soft 2 (q), 1999',
    ],
    ['agent_software', { software_name: 'Soft' }, 'Soft'],
  ] as const)('%s: %o', (kind, name, expected) => {
    expect(sortNameOf(kind, name)).toBe(expected);
  });

  test.each([
    ['agent_person', { primary_name: 'Able' }, 'Able (1900)'],
    ['agent_software', { software_name: 'Soft' }, 'Soft (1900)'],
    ['agent_family', { family_name: 'Fam' }, 'Fam'],
    ['agent_corporate_entity', { primary_name: 'Corp' }, 'Corp'],
  ] as const)('%s with a date of existence', (kind, name, expected) => {
    expect(sortNameOf(kind, name, '1900')).toBe(expected);
  });

  test('cuts at 255 characters without splitting one', () => {
    expect([...sortNameOf('agent_person', { primary_name: '𝄞'.repeat(300) })]).toHaveLength(255);
  });
});

test.each([
  [
    'an expression',
    { structured_date_single: { date_expression: 'about 1900', date_standardized: '1900-01-01' } },
    'about 1900',
  ],
  [
    'a year',
    { structured_date_single: { date_standardized: '1900-01-01', date_standardized_type: 'standard' } },
    '1900',
  ],
  [
    'the year of a month that stands first',
    { structured_date_single: { date_standardized: '05-1900', date_standardized_type: 'standard' } },
    '1900',
  ],
  [
    'a year with its type',
    { structured_date_single: { date_standardized: '1900-01', date_standardized_type: 'not_before' } },
    'Not Before 1900',
  ],
  [
    'a range of expressions',
    {
      structured_date_range: { begin_date_expression: 'a', end_date_expression: 'b', begin_date_standardized: '1900' },
    },
    'a-b',
  ],
  ['a begin expression', { structured_date_range: { begin_date_expression: 'a', end_date_standardized: '1950' } }, 'a'],
  [
    'a range of years',
    {
      structured_date_range: {
        begin_date_standardized: '1900-02',
        end_date_standardized: '1950',
        end_date_standardized_type: 'not_after',
      },
    },
    '1900-Not After 1950',
  ],
  ['a begin year', { structured_date_range: { begin_date_standardized: '1900' } }, '1900'],
  ['nothing', {}, ''],
])('shows %s of a date of existence', (_, date, expected) => {
  expect(existenceText(date)).toBe(expected);
});
