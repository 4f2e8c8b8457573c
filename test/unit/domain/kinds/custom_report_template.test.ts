// What is particular to templates of custom reports (contract 6.14).
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { customRecordTypes, customReportTemplate } from '#domain/kinds/custom_report_template.ts';
import { exampleOf, refusal, stored } from '#test/support/make/kind.ts';

const choosing = (choice: unknown) => exampleOf(customReportTemplate, { data: JSON.stringify(choice) });
const dates = (range: object) =>
  choosing({ custom_record_type: 'accession', fields: { accession_date: { include: '1', ...range } } });

test.each([
  [
    'nothing chosen',
    choosing({ custom_record_type: 'accession', fields: {} }),
    { field: ['custom report must include field or subreport'] },
  ],
  [
    'a field that only filters',
    choosing({ fields: { publish: { value: 'true' } } }),
    { field: ['custom report must include field or subreport'] },
  ],
  [
    'a range without end',
    dates({ range_start: '2020-01-01' }),
    { data_accession_fields_accession_date_range_end: ['missing end filter date'] },
  ],
  [
    'a range without start',
    dates({ range_end: '2020-01-01', range_start: '' }),
    { data_accession_fields_accession_date_range_start: ['missing start filter date'] },
  ],
  [
    'more rows than can be counted',
    { ...choosing({ custom_record_type: 'accession', fields: { title: { include: '1' } } }), limit: 1e30 },
    { limit: ['Must be between 0 and 2147483647'] },
  ],
  ['no JSON', exampleOf(customReportTemplate, { data: 'x' }), { data: ['must be the JSON text of an object'] }],
])('refuses %s', (_, body, error) => expect(refusal(customReportTemplate, body)).toEqual(error));

test('refuses a record type that there is not, and knows those of the catalogue', () => {
  const title = { title: { include: '1' } };
  for (const type of ['accessions', 'global', 'toString'])
    expect(refusal(customReportTemplate, choosing({ custom_record_type: type, fields: title }))).toEqual({
      data: [
        expect.stringMatching(`^custom_record_type: Invalid value '${type}'.  Must be one of: accession, agent, `),
      ],
    });
  const catalogue: object = JSON.parse(
    readFileSync(new URL('../../../../db/reference/custom-report-fields.json', import.meta.url), 'utf8'),
  );
  expect(new Set(customRecordTypes)).toEqual(new Set(Object.keys(catalogue).filter((type) => type !== 'global')));
});

test('takes a part alone', () =>
  expect(stored(customReportTemplate, choosing({ subreports: { extent: { include: '1' } } })).label).toBe(
    'Accessions',
  ));
