// Fields of single kinds.
import { expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { readKindFields } from '#domain/search/documents/kind-fields.ts';

it.each<[string, JsonObject, JsonObject]>([
  [
    'resource',
    { title: 'A', finding_aid_filing_title: 'Filed', id_0: 'X', id_1: '1' },
    { title: 'Filed', identifier: 'X-1', restrictions: 'false' },
  ],
  [
    'accession',
    { title: 'A', display_string: 'A', accession_date: '9999-12-31' },
    { title: 'A', accession_date: 'Unknown', accession_date_year: 9999 },
  ],
  [
    'repository',
    { uri: '/repositories/2', repo_code: 'R', name: 'Repo' },
    { title: 'R', repository: '/repositories/2', repo_sort: 'Repo' },
  ],
  [
    'event',
    { event_type: 'cataloged', linked_records: [{ ref: '/x/1', _resolved: { title: 'T' } }] },
    { title: 'cataloged', linked_record_uris: ['/x/1'], linked_record_titles: ['T'] },
  ],
  [
    'job',
    { job_type: 'report_job', job: { report_type: 'x_report' } },
    { title: 'x_report', job_report_type: 'x_report' },
  ],
])('reads the fields of %s', (kind, record, expected) => {
  expect(readKindFields(kind, record)).toMatchObject(expected);
});

it('takes the label for the title where a record has none', () => {
  expect(readKindFields('location', { building: 'B' })).toMatchObject({ title: 'B []' });
});

it('has the fields of sub-records', () => {
  expect(readKindFields('accession', { collection_management: { processors: 'Ann' } })).toMatchObject({
    processors: 'Ann',
  });
});
