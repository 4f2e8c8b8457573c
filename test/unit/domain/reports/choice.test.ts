// Parameters of reports: what clients send, in the forms in which they send it, and what is refused by name.
import { describe, expect, test } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { isCheckedAtOnce, parseReportChoice } from '#domain/reports/choice.ts';
import type { ReportChoice } from '#domain/reports/choice.ts';
import { reportOf } from '#domain/reports/reports.ts';

const read = (code: string, given: JsonObject): ReportChoice => {
  const report = reportOf(code, true);
  if (report === undefined) throw new Error(`no ${code}`);
  return parseReportChoice(report, given);
};
const refusal = (code: string, given: JsonObject): unknown => {
  try {
    return read(code, given);
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad_parameter') return error.error;
    throw error;
  }
};
const none = { from: null, to: null, rating: null, ratingValues: null, locations: null, template: null };

describe('parameters of a report', () => {
  test('that it does not declare are ignored', () => {
    expect(read('accession_report', { from: 'nonsense', rating: 'x', locations: 7, template: [] })).toEqual(none);
  });

  test('of a range of days count where the report is scoped', () => {
    expect(read('created_accessions_report', { from: '2020-01-01', to: '' })).toEqual({ ...none, from: '2020-01-01' });
    expect(read('accession_receipt_report', { from: 'nonsense' })).toEqual(none);
    expect(refusal('accession_receipt_report', { scope_by_date: '1', to: 'nonsense' })).toEqual({ to: ['Is no date'] });
    expect(refusal('created_accessions_report', { from: 2020 })).toEqual({ from: ['Is no date'] });
  });

  test('of ratings are an id and one value or several', () => {
    expect(read('assessment_rating_report', { rating: '3', values: ['4', 5] })).toEqual({
      ...none,
      rating: 3,
      ratingValues: ['4', '5'],
    });
    expect(read('assessment_rating_report', { rating: 3, values: '2' })).toEqual({
      ...none,
      rating: 3,
      ratingValues: ['2'],
    });
    expect(read('assessment_rating_report', { rating: '', values: null })).toEqual(none);
    for (const rating of ['x', '1; DROP TABLE record', -1, 1.5, '99999999999', {}, true])
      expect(refusal('assessment_rating_report', { rating })).toEqual({ rating: ['Must be the id of a record'] });
    expect(refusal('assessment_rating_report', { values: ['1', {}] })).toEqual({
      'values/1': ['Must be the value of a rating'],
    });
    expect(refusal('assessment_rating_report', { values: Array.from({ length: 101 }, () => '1') })).toEqual({
      values: [expect.any(String)],
    });
  });

  test('of locations may stand in `locations` or beside it', () => {
    const [building, place] = [
      { by: 'building', building: 'Main' },
      { by: 'place', start: 3, end: 9 },
    ];
    expect(read('location_holdings_report', { locations: { building: 'Main' } }).locations).toEqual(building);
    expect(read('location_holdings_report', { building: 'Main' }).locations).toEqual(building);
    expect(read('location_holdings_report', { locations: { repository_uri: '/repositories/2' } }).locations).toEqual({
      by: 'repository',
      repoId: 2,
    });
    expect(
      read('location_holdings_report', {
        locations: { location_start: { ref: '/locations/3' }, location_end: { ref: '/locations/9' } },
      }).locations,
    ).toEqual(place);
    expect(read('location_holdings_report', { location_start: '/locations/3' }).locations).toEqual({
      ...place,
      end: null,
    });
    expect(read('location_holdings_report', {}).locations).toBeNull();
    expect(refusal('location_holdings_report', { locations: { repository_uri: '/subjects/1' } })).toEqual({
      repository_uri: [expect.any(String)],
    });
    expect(refusal('location_holdings_report', { locations: { location_start: { ref: '/agents/people/1' } } })).toEqual(
      { location_start: [expect.any(String)] },
    );
    expect(refusal('location_holdings_report', { locations: { location_end: { ref: '/locations/1' } } })).toEqual({
      location_start: ['Property is required but was missing'],
    });
    expect(refusal('location_holdings_report', { locations: { building: 7 } })).toEqual({
      building: [expect.any(String)],
    });
    for (const locations of ['Main', [], { floor: '1' }])
      expect(refusal('location_holdings_report', { locations })).toEqual({ locations: [expect.any(String)] });
  });

  test('of custom reports are a template, by id or uri', () => {
    expect(read('custom_report', { template: '4' }).template).toBe(4);
    expect(read('custom_report', { template: '/repositories/2/custom_report_templates/4' }).template).toBe(4);
    expect(refusal('custom_report', {})).toEqual({ template: ['Property is required but was missing'] });
    expect(refusal('custom_report', { template: '/repositories/2/resources/4' })).toEqual({
      template: ['Must be the id of a record'],
    });
  });

  test('are checked when the job is made where more than days and flags are asked for', () => {
    const names = [
      'assessment_rating_report',
      'location_holdings_report',
      'custom_report',
      'accession_receipt_report',
      'resources_list_report',
    ];
    expect(
      names.filter((name) => {
        const report = reportOf(name, true);
        return report !== undefined && isCheckedAtOnce(report);
      }),
    ).toEqual(names.slice(0, 3));
  });
});

test('custom reports are there only where they are switched on', () => {
  expect(reportOf('custom_report', false)).toBeUndefined();
  expect(reportOf('custom_report', true)?.title).toBe('Custom Report');
});
