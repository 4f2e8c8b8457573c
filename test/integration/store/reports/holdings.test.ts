// The report of what locations hold over HTTP: which locations, what of the repository stands there now, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';
import { askReport, makeReport, reportRows } from '#test/support/report-job.ts';

let api: TestApi;
let repoId: number;
const code = 'location_holdings_report';
const shelves: { [name: string]: string } = {};

const created = async (path: string, body: object): Promise<string> => {
  const reply = await api.post(path, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.uri;
};
const inBox = (ref: string) => ({
  instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref } } }],
});

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  const other = await api.repository();
  const R = `/repositories/${repoId}`;
  const shelf = async (building: string, indicator: string, more: object = {}) => {
    shelves[`${building} ${indicator}`] = await created('/locations', {
      building,
      coordinate_1_label: 'Shelf',
      coordinate_1_indicator: indicator,
      ...more,
    });
  };
  for (const indicator of ['2', '9', '10', '11', 'x'])
    await shelf('Main', indicator, indicator === '10' ? { temporary: 'loan' } : {});
  await shelf('Annex', '9', { owner_repo: { ref: R } });
  const box = (repository: string, indicator: string, ...stands: (readonly [string, string])[]) =>
    created(`${repository}/top_containers`, {
      indicator,
      type: 'box',
      barcode: `b${indicator}`,
      container_locations: stands.map(([name, status]) => ({
        ref: shelves[name],
        status,
        start_date: '2020-01-01',
        ...(status === 'previous' ? { end_date: '2021-01-01' } : {}),
      })),
    });
  const now = await box(R, '1', ['Main 9', 'current']);
  const before = await box(R, '2', ['Main 10', 'previous'], ['Main 11', 'current']);
  const theirs = await box(`/repositories/${other}`, '3', ['Main 9', 'current']);
  const resource = await created(`${R}/resources`, resourceBody('R1', { title: 'Papers' }));
  for (const title of ['File 1', 'File 2'])
    await created(`${R}/archival_objects`, { title, level: 'file', resource: { ref: resource }, ...inBox(now) });
  await created(`${R}/accessions`, { title: 'Gift', id_0: 'A1', accession_date: '2020-03-01', ...inBox(before) });
  await created(
    `/repositories/${other}/resources`,
    resourceBody('R9', { title: 'Secret of another', ...inBox(theirs) }),
  );
});
afterAll(() => api[Symbol.asyncDispose]());

const rows = (parameters: object) => reportRows(api, { repoId, code, parameters });
const shelvesOf = async (parameters: object): Promise<readonly string[]> =>
  (await rows(parameters)).map((row) => `${row['building']} ${row['coordinate_1_indicator']}`).toSorted();
const ref = (name: string) => ({ ref: shelves[name] });

describe('the report of holdings', () => {
  test('shows what of the repository stands at a location now', async () => {
    const [found, ...others] = await rows({ locations: { location_start: ref('Main 9') } });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      building: 'Main',
      coordinate_1_indicator: '9',
      accessions: [],
      resources: [{ identifier: 'R1', record_title: 'Papers' }],
      top_containers: [{ top_container: expect.stringContaining('Box 1'), barcode: 'b1' }],
    });
    expect((await rows({ locations: { location_start: ref('Main 11') } }))[0]).toMatchObject({
      accessions: [{ identifier: 'A1', record_title: 'Gift' }],
      resources: [],
      top_containers: [{ barcode: 'b2' }],
    });
    expect((await rows({ locations: { location_start: ref('Main 10') } }))[0]).toMatchObject({
      accessions: [],
      top_containers: [],
    });
  });

  test('takes the locations of a building, of their owner, or all', async () => {
    expect(await shelvesOf({ locations: { building: 'Main' } })).toEqual([
      'Main 10',
      'Main 11',
      'Main 2',
      'Main 9',
      'Main x',
    ]);
    expect(await shelvesOf({ building: 'Annex' })).toEqual(['Annex 9']);
    expect(await shelvesOf({ locations: { building: "Main' OR true --" } })).toEqual([]);
    expect(await shelvesOf({ locations: { repository_uri: `/repositories/${repoId}` } })).toEqual(['Annex 9']);
    expect(await shelvesOf({})).toHaveLength(6);
  });

  test('takes those from one to another, numbers as numbers, in either order', async () => {
    const range = { location_start: ref('Main 9'), location_end: ref('Main 11') };
    expect(await shelvesOf({ locations: range })).toEqual(['Main 10', 'Main 11', 'Main 9']);
    expect(
      await shelvesOf({ locations: { location_start: range.location_end, location_end: range.location_start } }),
    ).toEqual(['Main 10', 'Main 11', 'Main 9']);
    expect(await shelvesOf({ locations: { location_start: ref('Main 9'), location_end: ref('Main x') } })).toEqual([
      'Main 9',
      'Main x',
    ]);
    expect(
      await shelvesOf({ locations: { location_start: ref('Annex 9'), location_end: ref('Main 2') } }),
    ).toHaveLength(6);
    expect(await shelvesOf({ locations: { location_start: ref('Main 9'), location_end: ref('Main 9') } })).toEqual([
      'Main 9',
    ]);
  });

  test.each(['csv', 'html', 'pdf', 'rtf', 'xlsx'])('comes as %s', async (format) => {
    const { status, bytes } = await makeReport(api, { repoId, code, format, parameters: { building: 'Main' } });
    expect(status).toBe('completed');
    expect(bytes.length).toBeGreaterThan(200);
  });

  test('is refused with the name of the parameter that is wrong, before there is a job', async () => {
    for (const [parameters, error] of [
      [{ locations: 'Main' }, { locations: [expect.any(String)] }],
      [
        { locations: { location_start: { ref: '/locations/99999' } } },
        { location_start: ["Reference does not exist! (Reference: '/locations/99999')"] },
      ],
      [
        { locations: { location_start: ref('Main 9'), location_end: { ref: '/locations/99999' } } },
        { location_end: [expect.any(String)] },
      ],
      [{ locations: { repository_uri: 'nonsense' } }, { repository_uri: [expect.any(String)] }],
    ]) {
      const reply = await askReport(api, { repoId, code, parameters: parameters ?? {} });
      expect([reply.status, reply.json]).toEqual([400, { error }]);
    }
  });

  test('and other reports name a container once that has come back to where it stood before', async () => {
    const own = await api.repository();
    const R = `/repositories/${own}`;
    const place = { ...ref('Main 10'), start_date: '2020-01-01' };
    const returned = await created(`${R}/top_containers`, {
      indicator: '7',
      type: 'box',
      container_locations: [
        { ...place, status: 'previous', end_date: '2021-01-01' },
        { ...place, status: 'current', start_date: '2022-01-01' },
      ],
    });
    await created(`${R}/resources`, resourceBody('R7', { title: 'Returned', ...inBox(returned) }));
    const of = (report: string) => reportRows(api, { repoId: own, code: report, parameters: {} });
    const shelflist = await of('shelflist_report');
    expect(shelflist.flatMap((row) => row['holdings'])).toEqual([
      { top_container: 'Box 7', repository: expect.any(String) },
    ]);
    const [held] = await of('resource_locations_list_report');
    expect(held?.['locations']).toMatchObject([{ location: 'Main [Shelf: 10]' }]);
    const [instances] = await of('resource_instances_list_report');
    expect(instances?.['instances']).toMatchObject([{ location: 'Main [Shelf: 10]' }]);
  });

  test('and an event is told of once that speaks of a record in two roles', async () => {
    const own = await api.repository();
    const R = `/repositories/${own}`;
    const gift = await created(`${R}/accessions`, { title: 'Gift', id_0: 'A1', accession_date: '2020-03-01' });
    const agent = await created('/agents/people', {
      names: [{ primary_name: 'Notary', name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
    });
    await created(`${R}/events`, {
      event_type: 'copyright_transfer',
      outcome_note: 'Signed',
      date: { date_type: 'single', label: 'event', begin: '2020' },
      linked_agents: [{ ref: agent, role: 'implementer' }],
      linked_records: [
        { ref: gift, role: 'source' },
        { ref: gift, role: 'outcome' },
      ],
    });
    const [found] = await reportRows(api, { repoId: own, code: 'accession_report', parameters: {} });
    expect(found).toMatchObject({ rights_transferred: true, rights_transferred_note: 'Signed' });
  });
});
