// The report of ratings over HTTP: which assessments, with which values, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { sql } from '#store/connection/sql.ts';
import { resourceBody } from '#test/support/records.ts';
import { askReport, makeReport, reportRows } from '#test/support/report-job.ts';

let api: TestApi;
let repoId: number;
const code = 'assessment_rating_report';
const housing = 2;

const created = async (path: string, body: object): Promise<string> => {
  const reply = await api.post(path, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.uri;
};

let researchValue = 0;
let assess: (surveyBegin: string, values: Record<string, string>) => Promise<string>;
let halfRated = '';

beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository();
  const R = `/repositories/${repoId}`;
  const agent = await created('/agents/people', {
    names: [{ primary_name: 'Surveyor', name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
  });
  const resource = await created(`${R}/resources`, resourceBody('R1', { title: 'Papers' }));
  const definitions = (await api.get(`${R}/assessment_attribute_definitions`)).json.definitions as {
    id: number;
    label: string;
    type: string;
  }[];
  const definitionOf = (label: string): number => definitions.find((each) => each.label === label)?.id ?? 0;
  researchValue = definitionOf('Research Value');
  assess = (survey_begin, values) =>
    created(`${R}/assessments`, {
      records: [{ ref: resource }],
      surveyed_by: [{ ref: agent }],
      survey_begin,
      surveyed_extent: '3 boxes',
      ratings: Object.entries(values).map(([label, value]) => ({
        definition_id: definitionOf(label),
        value,
        note: `${label} is ${value}`,
      })),
    });
  await assess('2020-01-01', { 'Housing Quality': '2', Interest: '3', 'Documentation Quality': '4' });
  await assess('2021-01-01', { 'Housing Quality': '5' });
  halfRated = await assess('2019-01-01', { Interest: '2.5', 'Documentation Quality': ' 3.0 ' });
  const unrated = await assess('2022-01-01', {});
  // As it may come with a load, or was stored before: under an id that no definition can have.
  const said = JSON.stringify([{ definition_id: 2 ** 31, value: '1' }]);
  await api.database.transaction((tx) =>
    tx.run(sql`
      UPDATE record SET body = with_property(body, 'ratings', ${said}::json) WHERE kind = 'assessment' AND id = ${idOf(unrated)}`),
  );
});
afterAll(() => api[Symbol.asyncDispose]());

const rows = (parameters: object) => reportRows(api, { repoId, code, parameters });

describe('the report of ratings', () => {
  test('is listed with its parameters', async () => {
    expect((await api.get('/reports', null)).json.reports[code]).toEqual({
      code,
      model: 'AssessmentRatingReport',
      params: [
        ['scope_by_date', 'Boolean', expect.any(String)],
        ['from', 'Date', expect.any(String)],
        ['to', 'Date', expect.any(String)],
        ['rating', 'Rating', expect.any(String)],
        ['values', 'RatingValues', expect.any(String)],
      ],
    });
  });

  test('shows one rating with its note, the records and who surveyed', async () => {
    expect(await rows({ rating: String(housing), values: ['1', '2', '3'] })).toEqual([
      {
        assessment_id: expect.any(Number),
        linked_records: [{ record_type: 'resource', record_title: 'Papers' }],
        rating: 'Housing Quality',
        value: '2',
        note: 'Housing Quality is 2',
        surveyed_by: [{ name: 'Surveyor' }],
        surveyed_extent: '3 boxes',
        survey_begin: '2020-01-01',
        survey_end: null,
      },
    ]);
    expect((await rows({ rating: housing })).map((row) => row['value'])).toEqual(['2', '5']);
  });

  test('keeps to values and to a range of days, and shows all ratings where none is named', async () => {
    expect((await rows({ rating: housing, values: 5 })).map((row) => row['value'])).toEqual(['5']);
    expect(
      (await rows({ rating: housing, scope_by_date: true, from: '2020-06-01', to: '2022-01-01' })).map(
        (row) => row['value'],
      ),
    ).toEqual(['5']);
    expect((await rows({})).map((row) => row['rating'])).toEqual([
      'Housing Quality',
      'Interest',
      'Documentation Quality',
      'Research Value',
      'Housing Quality',
      'Interest',
      'Documentation Quality',
      'Research Value',
    ]);
  });

  test('adds up the rating that nobody gives', async () => {
    expect((await rows({ rating: researchValue })).map((row) => row['value'])).toEqual(['7', '5.5']);
  });

  test('adds up what the record adds up', async () => {
    const ratings = (await api.get(halfRated)).json.ratings as { definition_id: number; value?: string }[];
    const [row] = await rows({ rating: researchValue, scope_by_date: true, to: '2019-12-31' });
    expect(row?.['value']).toBe(ratings.find((each) => each.definition_id === researchValue)?.value);
  });

  test.each(['json', 'csv', 'html', 'pdf', 'rtf', 'xlsx'])('comes as %s', async (format) => {
    const { status, bytes } = await makeReport(api, { repoId, code, format, parameters: { rating: housing } });
    expect(status).toBe('completed');
    expect(bytes.length).toBeGreaterThan(200);
  });

  test('is refused with the name of the parameter that is wrong, before there is a job', async () => {
    for (const [parameters, error] of [
      [{ rating: 'nonsense' }, { rating: ['Must be the id of a record'] }],
      [{ rating: 99_999 }, { rating: ['There is no rating 99999'] }],
      [{ values: [{}] }, { 'values/0': [expect.any(String)] }],
      [{ scope_by_date: '1', from: 'nonsense' }, { from: ['Is no date'] }],
    ]) {
      const reply = await askReport(api, { repoId, code, parameters: parameters ?? {} });
      expect([reply.status, reply.json]).toEqual([400, { error }]);
    }
    expect(
      (await askReport(api, { repoId, code, session: await api.userWith(['view_repository'], repoId) })).status,
    ).toBe(403);
  });

  test('adds up what the record does, halves too, and so does the list of assessments', async () => {
    const uri = await assess('2023-01-01', { Interest: '2.5', 'Documentation Quality': ' 3 ' });
    const shown = (await api.get(uri)).json.ratings as { label: string; value?: string }[];
    const total = shown.find(({ label }) => label === 'Research Value')?.value;
    expect(total).toBe('5.5');
    const own = { scope_by_date: true, from: '2022-12-31' };
    expect((await rows({ ...own, rating: researchValue })).map((row) => row['value'])).toEqual([total]);
    const [listed] = await reportRows(api, { repoId, code: 'assessment_list_report', parameters: own });
    expect(listed?.['ratings']).toEqual([
      { rating: 'Interest', value: '2.5', note: 'Interest is 2.5' },
      { rating: 'Documentation Quality', value: ' 3 ', note: 'Documentation Quality is  3 ' },
      { rating: 'Research Value', value: total, note: null },
    ]);
  });

  test('adds up what records show as the sum: numbers with decimals too', async () => {
    for (const [interest, documentation] of [
      ['3.5', '2'],
      ['2.0', 'good'],
      ['1.25', '1.75'],
    ] as const) {
      const uri = await assess('2023-01-01', { Interest: interest, 'Documentation Quality': documentation });
      const { ratings } = (await api.get(uri)).json as { ratings: { definition_id: number; value?: string }[] };
      const shown = ratings.find((rating) => rating.definition_id === researchValue)?.value;
      const reported = (await rows({ rating: researchValue })).find((row) => row['assessment_id'] === idOf(uri));
      expect(reported?.['value']).toBe(shown);
    }
  });
});
