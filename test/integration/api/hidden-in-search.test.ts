// What search answers says nothing of records that were suppressed or deleted, neither in fields nor in the JSON of records that named them
// (contract behaviour-records.md 5.2, 5.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';
import { shownBy } from '#test/support/make/instances.ts';

let api: TestApi;
let records: HttpRecords;
let viewer = '';
beforeAll(async () => {
  api = await startTestApi();
  records = await httpRecords(api);
  viewer = await api.userWith(['view_repository', 'update_accession_record'], records.repoId);
});
afterAll(async () => api[Symbol.asyncDispose]());

const related = (ref: string) => ({
  jsonmodel_type: 'accession_parts_relationship',
  ref,
  relator: 'forms_part_of',
  relator_type: 'part',
});

/** The documents that a viewer gets of the repository whose text names a uri. */
async function naming(uri: string, session = viewer): Promise<readonly string[]> {
  const { json } = await api.get(`/repositories/${records.repoId}/search?page=1&page_size=250&q=*`, session);
  return json.results
    .filter((document: object) => new RegExp(`${uri}(?!\\d)`).test(JSON.stringify(document)))
    .map((document: { id: string }) => document.id)
    .sort();
}

const suppress = async (uri: string, state: boolean): Promise<void> =>
  expect((await api.ask(`${uri}/suppressed?suppressed=${state}`, { method: 'POST' })).status).toBe(200);
const eventually = (uri: string, ids: readonly string[], session?: string): Promise<void> =>
  expect.poll(() => naming(uri, session)).toEqual([...ids].sort());

describe('a suppressed record', () => {
  it('is in no document of those that link to it, in either direction, until it is shown again', async () => {
    const below = await records.make('accession');
    const other = await records.make('accession', { related_accessions: [related(below)] });
    const above = await records.make('accession', { related_accessions: [related(other)] });
    const beside = await records.make('accession');
    const event = await records.make('event', {
      linked_records: [
        { ref: other, role: 'source' },
        { ref: beside, role: 'source' },
      ],
    });
    const assessment = await records.make('assessment', { records: [{ ref: other }, { ref: beside }] });
    const all = [above, below, other, event, assessment];
    await eventually(other, all);
    await suppress(other, true);
    await eventually(other, []);
    // Those who see suppressed records find it, with all that it names.
    await eventually(above, [above, other], api.session);
    await suppress(other, false);
    await eventually(other, all);
  });

  it('takes its links out of events and objects as well', async () => {
    const object = await records.make('digital_object');
    const accession = await records.make('accession', { instances: [shownBy(object)] });
    const event = await records.make('event', { linked_records: [{ ref: accession, role: 'source' }] });
    await eventually(object, [object, accession]);
    await eventually(event, [event, accession]);
    await suppress(object, true);
    await eventually(object, []);
    await suppress(event, true);
    await eventually(event, []);
    await suppress(object, false);
    await suppress(accession, true);
    await eventually(accession, []);
  });

  it('is not told by a container that holds it, which is not empty all the same', async () => {
    const container = await records.make('top_container', { indicator: 'H1' });
    const resource = await records.make('resource', {
      title: 'Sealed papers',
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
    });
    const holder = async (): Promise<any> =>
      (await api.get(`/repositories/${records.repoId}/search?page=1&q=id:"${container}"`, viewer)).json.results[0];
    await expect.poll(async () => (await holder())?.collection_uri_u_sstr).toEqual([resource]);
    await suppress(resource, true);
    await expect.poll(async () => JSON.stringify(await holder()).includes('Sealed')).toBe(false);
    expect(await holder()).toMatchObject({ empty_u_sbool: [false] });
    await eventually(resource, []);
  });
});

describe('a deleted record', () => {
  it('is in no document of those that named it, or that it named', async () => {
    const [object, other] = [await records.make('digital_object'), await records.make('accession')];
    const accession = await records.make('accession', {
      instances: [shownBy(object)],
      related_accessions: [related(other)],
    });
    const event = await records.make('event', { linked_records: [{ ref: accession, role: 'source' }] });
    await eventually(event, [accession, event]);
    await eventually(object, [accession, object]);
    await eventually(other, [accession, other]);
    for (const uri of [event, object, other]) expect((await api.del(uri)).status).toBe(200);
    for (const uri of [event, object, other]) await eventually(uri, [], api.session);
  });
});
