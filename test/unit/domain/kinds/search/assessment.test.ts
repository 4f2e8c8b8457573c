// Search fields of assessments.
import { expect, it } from 'vitest';
import { assessmentFields } from '#domain/kinds/search/assessment.ts';
import { readKindFields } from '#domain/search/documents/kind-fields.ts';

it('reads number, years, completion and flags', () => {
  const record = { uri: '/repositories/2/assessments/12', survey_begin: '2019-01-02', survey_end: '2020-01-02' };
  expect(readKindFields('assessment', record)).toMatchObject({
    title_sort: '0000000012',
    assessment_id: 12,
    assessment_survey_year: [2019, 2020],
    assessment_completed: true,
    assessment_inactive: false,
  });
});

it('names formats that have a value, and ratings that have a note', () => {
  const read = (name: string, record: object) => assessmentFields[name]?.read({ ...record }, {});
  const formats = [{ label: 'Maps', value: 'true' }, { label: 'Film' }];
  expect(read('assessment_formats', { formats })).toEqual(['Maps']);
  expect(read('assessment_ratings', { ratings: [{ label: 'Interest', note: 'x' }] })).toEqual(['Interest']);
});
