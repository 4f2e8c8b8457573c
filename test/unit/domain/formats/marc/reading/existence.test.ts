// Dates of existence (046) of authority records that stand among bibliographic ones.
import { expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import type { Reading } from '#test/support/import-reading.ts';
import { marcField as field, marcRecord } from '#test/support/marc-document.ts';

const read = async (type: string, fields: string): Promise<Reading> =>
  readFormat(type, marcRecord(fields, { leader: '00000nz  a2200000n  4500', number: 'n1' }));
const dates = field('046', ' ', ' ', { f: '18700102', g: '1955?' });

test.each([['marcxml'], ['marcxml_subjects_and_agents'], ['marcxml_accession'], ['marcxml_auth_agent']])(
  'an agent of an authority record that %s reads has its dates of existence',
  async (type) => {
    const { of, report } = await read(type, dates + field('100', '1', ' ', { a: 'Roe, Ann' }));
    expect(of('agent_person')).toMatchObject([
      {
        dates_of_existence: [
          {
            date_label: 'existence',
            structured_date_range: {
              begin_date_expression: '18700102',
              begin_date_standardized: '1870-01-02',
              end_date_expression: '1955?',
              end_date_standardized: '1955',
            },
          },
        ],
      },
    ]);
    expect(report.dropped).toEqual([]);
  },
);

test('a birth alone is a single date, and what tells neither end is none', async () => {
  const of = async (parts: Record<string, string>) =>
    (await read('marcxml', field('046', ' ', ' ', parts) + field('110', '2', ' ', { a: 'A Society' }))).of(
      'agent_corporate_entity',
    )[0];
  expect(await of({ s: '1901' })).toMatchObject({
    dates_of_existence: [{ structured_date_single: { date_role: 'begin', date_standardized: '1901' } }],
  });
  expect(await of({ k: '1901' })).not.toHaveProperty('dates_of_existence');
});

test('a subject has no dates, and is told of them', async () => {
  const { records, report } = await read('marcxml', dates + field('151', ' ', ' ', { a: 'Rome' }));
  expect(records).toMatchObject([{ jsonmodel_type: 'subject' }]);
  expect(report.dropped).toMatchObject([{ element: 'datafield 046', text: '$f 18700102 $g 1955?' }]);
});
