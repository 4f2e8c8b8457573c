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
    'top_container',
    { long_display_string: 'Box 1: Series', indicator: '1', barcode: '3', collection: [] },
    { title: 'Box 1: Series', indicator_u_icusort: '1', barcode_u_sstr: ['3'], empty_u_sbool: [true] },
  ],
  [
    'agent_person',
    { names: [{ authorized: true, authority_id: 'n1', source: 'naf', rules: 'rda' }] },
    { authority_id: 'n1', source: 'naf', rules: 'rda', is_user: false },
  ],
  [
    'assessment',
    { uri: '/repositories/2/assessments/12', survey_begin: '2019-01-02', survey_end: '2020-01-02' },
    {
      title_sort: '0000000012',
      assessment_id: 12,
      assessment_survey_year: [2019, 2020],
      assessment_completed: true,
      assessment_inactive: false,
    },
  ],
  [
    'job',
    { job_type: 'report_job', job: { report_type: 'x_report' } },
    { title: 'x_report', job_report_type: 'x_report' },
  ],
])('reads the fields of %s', (kind, record, expected) => {
  expect(readKindFields(kind, record)).toMatchObject(expected);
});
