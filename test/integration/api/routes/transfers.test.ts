// Records that go to another repository, and components to another resource, over HTTP (contract 5.3, 5.4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTrees } from '#store/trees/invariants.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '../../../support/api.ts';
import { idOf, startTestApi } from '../../../support/api.ts';
import { resourceBody } from '../../../support/records.ts';

let api: TestApi;
let from = 0;
let to = 0;
let n = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  from = await api.repository('FROM');
  to = await api.repository('TO');
});
afterAll(async () => {
  expect(await checkTrees(api.database.reader)).toEqual([]);
  await api[Symbol.asyncDispose]();
});

const inFrom = (plural: string): string => `/repositories/${from}/${plural}`;
const accession = async (more: object = {}): Promise<string> =>
  api.create(inFrom('accessions'), {
    id_0: `A${(n += 1)}`,
    accession_date: '2020-01-02',
    title: 'An accession',
    ...more,
  });
const resource = async (more: object = {}): Promise<string> =>
  api.create(inFrom('resources'), resourceBody(`R${(n += 1)}`, { ...more }));
const component = async (root: string, title: string, more: object = {}): Promise<string> =>
  api.create(inFrom('archival_objects'), { title, level: 'file', resource: { ref: root }, ...more });
const box = async (more: object = {}): Promise<string> =>
  api.create(inFrom('top_containers'), { indicator: String((n += 1)), type: 'box', ...more });
const boxed = (uri: string): object => ({
  instances: [{ instance_type: 'text', sub_container: { top_container: { ref: uri } } }],
});
const shown = (uri: string): object => ({
  instances: [{ instance_type: 'digital_object', digital_object: { ref: uri } }],
});
const object = async (): Promise<string> =>
  api.create(inFrom('digital_objects'), { title: 'D', digital_object_id: `D${(n += 1)}` });
const event = async (...uris: readonly string[]): Promise<string> =>
  api.create(inFrom('events'), {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    linked_agents: [{ ref: '/agents/software/1', role: 'validator' }],
    linked_records: uris.map((ref) => ({ ref, role: 'source' })),
  });
const there = (uri: string): string => uri.replace(`/repositories/${from}/`, `/repositories/${to}/`);
const transfer = (uri: string, target = to, session?: string) =>
  api.post(`${uri}/transfer?target_repo=${encodeURIComponent(`/repositories/${target}`)}`, undefined, session);

const definitions = (repo: number): string => `/repositories/${repo}/assessment_attribute_definitions`;
const ownOf = async (repo: number) =>
  (await api.get(definitions(repo))).json.definitions.filter((each: { global: boolean }) => !each.global);
const labelsOf = async (repo: number): Promise<readonly string[]> =>
  (await ownOf(repo)).map((each: { type: string; position: number; label: string }) =>
    [each.type, each.position, each.label].join(' '),
  );
/** Gives a repository definitions of its own, by type and label, and their ids. */
async function define(repo: number, ...own: readonly (readonly [string, string])[]): Promise<readonly number[]> {
  await api.post(definitions(repo), { definitions: own.map(([type, label]) => ({ type, label })) });
  return (await ownOf(repo)).map((each: { id: number }) => each.id);
}
/** An assessment that rates by these definitions 1, 2, …, and the global `Interest` by 3. */
const assessment = async (repo: number, uris: readonly string[], ...rated: readonly (number | undefined)[]) =>
  api.create(`/repositories/${repo}/assessments`, {
    records: uris.map((ref) => ({ ref })),
    surveyed_by: [{ ref: '/agents/people/1' }],
    survey_begin: '2020-01-01',
    ratings: [...rated, 6].map((definition_id, index) => ({ definition_id, value: String(index + 1), note: 'n' })),
  });
const ratingsOf = async (uri: string): Promise<object> =>
  Object.fromEntries(
    (await api.get(uri)).json.ratings
      .filter((each: { note?: string }) => each.note !== undefined)
      .map((each: { label: string; value: string; note: string }) => [each.label, `${each.value} ${each.note}`]),
  );

describe('POST …/transfer', () => {
  it('moves an accession: the id stays, the old uri is gone and buried, the custody transfer is recorded', async () => {
    const uri = await accession();
    expect((await transfer(uri)).json).toEqual({ status: 'Moved', id: idOf(uri), merge_destination: to, target: to });
    expect([(await api.get(uri)).status, (await api.get(uri)).json]).toEqual([404, { error: 'Accession not found' }]);
    const moved = (await api.get(there(uri))).json;
    expect(moved).toMatchObject({ lock_version: 0, uri: there(uri), repository: { ref: `/repositories/${to}` } });
    const written = (await api.get(moved.linked_events[0].ref)).json;
    expect(written).toMatchObject({
      event_type: 'custody_transfer',
      repository: { ref: `/repositories/${to}` },
      linked_records: [{ ref: there(uri), role: 'transfer' }],
      linked_agents: [
        { ref: expect.stringMatching(/corporate/), role: 'transmitter' },
        { ref: expect.stringMatching(/corporate/), role: 'recipient' },
      ],
    });
    expect(
      await api.database.reader.any(sql.type(AnyRow)`
        SELECT uri FROM tombstone WHERE uri LIKE '%/accessions/%' ORDER BY n`),
    ).toEqual([{ uri }]);
    expect((await api.post(`${there(uri)}/transfer?target_repo=/repositories/${from}`)).status).toBe(200);
    expect((await api.get(uri)).status).toBe(200);
    expect(
      await api.database.reader.any(sql.type(AnyRow)`
        SELECT uri FROM tombstone WHERE uri LIKE '%/accessions/%' ORDER BY n`),
    ).toEqual([{ uri: there(uri) }]);
  });

  it('takes the components, digital objects and containers along, in their order, with uris that fit', async () => {
    const [container, digital] = [await box({ barcode: 'B-1' }), await object()];
    const part = await api.create(inFrom('digital_object_components'), {
      title: 'part',
      digital_object: { ref: digital },
    });
    const root = await resource(boxed(container));
    const first = await component(root, 'first', shown(digital));
    const below = await component(root, 'below', { parent: { ref: first }, ...boxed(container) });
    const second = await component(root, 'second');
    expect((await transfer(root)).json.status).toBe('Moved');
    expect((await api.get(there(below))).json).toMatchObject({
      resource: { ref: there(root) },
      parent: { ref: there(first) },
      instances: [{ sub_container: { top_container: { ref: there(container) } } }],
    });
    expect((await api.get(there(first))).json.instances[0].digital_object.ref).toBe(there(digital));
    expect((await api.get(there(second))).json.position).toBe(1);
    expect((await api.get(there(part))).json.digital_object.ref).toBe(there(digital));
    expect((await api.get(there(container))).json.collection).toMatchObject([{ ref: there(root) }]);
    for (const gone of [root, first, below, second, container, digital, part])
      expect((await api.get(gone)).status, gone).toBe(404);
    // Keys moved too: they are taken in the target, and free where they were.
    expect((await api.post(`/repositories/${to}/top_containers`, { indicator: '1', barcode: 'B-1' })).status).toBe(400);
    expect((await api.post(inFrom('top_containers'), { indicator: '1', barcode: 'B-1' })).status).toBe(200);
    expect(
      (
        await api.post(`/repositories/${to}/archival_objects`, {
          title: 'new',
          level: 'file',
          resource: { ref: there(root) },
        })
      ).status,
    ).toBe(200);
  });

  it('names every container and digital object that others use, and every identifier that is taken, at once', async () => {
    const [container, digital] = [await box({ barcode: 'B-2' }), await object()];
    await api.create(`/repositories/${to}/top_containers`, { indicator: '9', barcode: 'B-2' });
    const other = await accession({ ...boxed(container) });
    const user = await component(await resource(), 'other', shown(digital));
    const root = await resource({
      ead_id: 'EAD',
      instances: [
        ...(boxed(container) as { instances: object[] }).instances,
        ...(shown(digital) as { instances: object[] }).instances,
      ],
    });
    await api.create(`/repositories/${to}/resources`, resourceBody('T1', { ead_id: 'EAD' }));
    const reply = await transfer(root);
    expect([reply.status, reply.json]).toEqual([
      409,
      {
        error: {
          [user]: [{ json_property: 'instances', message: 'DIGITAL_OBJECT_IN_USE' }],
          [container]: [{ message: 'TOP_CONTAINER_IN_USE' }, { message: 'BARCODE_IN_USE' }],
          [root]: [{ json_property: 'ead_id', message: 'Must be unique' }],
        },
      },
    ]);
    expect([(await api.get(root)).status, (await api.get(other)).status]).toEqual([200, 200]);
    const alone = await transfer(digital);
    expect([alone.status, Object.values(alone.json.error)]).toEqual([
      409,
      [
        [{ json_property: 'instances', message: 'DIGITAL_OBJECT_HAS_LINK' }],
        [{ json_property: 'instances', message: 'DIGITAL_OBJECT_HAS_LINK' }],
      ],
    ]);
  });

  it('names a taken identifier in the shape of conflicts', async () => {
    const uri = await accession({ id_0: 'SAME' });
    await api.create(`/repositories/${to}/accessions`, { id_0: 'SAME', accession_date: '2020-01-01' });
    const reply = await transfer(uri);
    expect([reply.status, reply.json]).toEqual([
      409,
      { error: { [uri]: [{ json_property: 'id_0', message: 'That ID is already in use' }] } },
    ]);
  });

  it('takes an event along that speaks of it alone, copies one that speaks of others too, and drops links to what stays', async () => {
    const [uri, stays] = [await accession(), await accession()];
    const [own, both] = [await event(uri), await event(uri, stays)];
    const related = await resource({ related_accessions: [{ ref: uri }] });
    const scheme = await api.create(inFrom('classifications'), {
      identifier: 'c',
      title: 'C',
      linked_records: [{ ref: uri }],
    });
    expect((await transfer(uri)).status).toBe(200);
    expect((await api.get(there(own))).json.linked_records).toEqual([{ ref: there(uri), role: 'source' }]);
    expect((await api.get(both)).json.linked_records).toEqual([{ ref: stays, role: 'source' }]);
    const moved = (await api.get(there(uri))).json;
    expect([moved.related_resources, moved.classifications, moved.linked_events.length]).toEqual([[], [], 3]);
    const copied = moved.linked_events
      .map((each: { ref: string }) => each.ref)
      .filter((ref: string) => ref !== there(own));
    const events = await Promise.all(copied.map(async (ref: string) => (await api.get(ref)).json));
    expect(events.find((each) => each.event_type === 'accession')).toMatchObject({
      linked_records: [{ ref: there(uri), role: 'source' }],
      linked_agents: [{ ref: '/agents/software/1' }],
    });
    expect((await api.get(related)).json.related_accessions).toEqual([]);
    expect((await api.get(scheme)).json.linked_records).toEqual([]);
  });

  it('takes what assessments say of attributes along to those of the same type and label there', async () => {
    const [uri, stays] = [await accession(), await accession()];
    const [same, only] = await define(from, ['rating', 'Same'], ['rating', 'Only here'], ['format', 'Same']);
    await define(to, ['format', 'First'], ['rating', 'Same']);
    const own = await assessment(from, [uri], same, only);
    const both = await assessment(from, [uri, stays], same, only);
    expect((await transfer(uri)).status).toBe(200);
    const copy = Number(idOf(both)) + 1;
    for (const there of [idOf(own), copy])
      expect(await ratingsOf(`/repositories/${to}/assessments/${there}`)).toEqual({ Same: '1 n', Interest: '3 n' });
    expect(await ratingsOf(both)).toEqual({ Same: '1 n', 'Only here': '2 n', Interest: '3 n' });
    expect((await transfer(there(uri), from)).status).toBe(200);
    expect(await ratingsOf(own)).toEqual({ Same: '1 n', 'Only here': '2 n', Interest: '3 n' });
  });

  it('refuses an unknown or the same target, a caller without the permission there, and repositories without an agent', async () => {
    const uri = await accession();
    expect((await transfer(uri, 99_999_999)).json).toEqual({ error: { target_repo: ['Repository not found'] } });
    expect((await api.post(`${uri}/transfer?target_repo=nonsense`)).json).toEqual({
      error: { target_repo: ['Repository not found'] },
    });
    expect((await transfer(uri, from)).json).toEqual({
      error: { target_repo: ['The record is in this repository already'] },
    });
    expect((await transfer(`${inFrom('accessions')}/999999`)).json).toEqual({ error: 'Accession not found' });
    const session = await api.userWith(['view_repository', 'update_accession_record'], from);
    expect((await transfer(uri, to, session)).status).toBe(403);
    const bare = async (code: string): Promise<number> =>
      Number((await api.post('/repositories/with_agent', { repository: { repo_code: code, name: code } })).json.id);
    const [one, other] = [await bare('BARE1'), await bare('BARE2')];
    const lonely = (await api.post(`/repositories/${one}/accessions`, { id_0: 'L', accession_date: '2020-01-01' })).json
      .uri;
    const reply = await api.post(`${lonely}/transfer?target_repo=/repositories/${other}`);
    expect([reply.status, reply.json]).toEqual([
      400,
      { error: { target_repo: [expect.stringMatching(/^Neither repository has an agent/)] } },
    ]);
  });

  it('answers 202 with the job where the client does not wait', async () => {
    const reply = await api.ask(`${await accession()}/transfer?target_repo=/repositories/${to}`, {
      method: 'POST',
      headers: { prefer: 'respond-async' },
    });
    expect([reply.status, reply.json]).toEqual([
      202,
      {
        status: 'Accepted',
        id: expect.any(Number),
        uri: expect.stringMatching(new RegExp(`^/repositories/${from}/jobs/\\d+$`)),
      },
    ]);
  });
});

describe('POST /repositories/:repo_id/transfer', () => {
  it('moves everything but the groups, and nothing where an identifier is taken', async () => {
    const [one, other] = [await api.repository(), await api.repository()];
    const root = (await api.post(`/repositories/${one}/resources`, resourceBody('W1'))).json.uri;
    const node = (
      await api.post(`/repositories/${one}/archival_objects`, { title: 'n', level: 'file', resource: { ref: root } })
    ).json.uri;
    const clash = (await api.post(`/repositories/${other}/resources`, resourceBody('W1'))).json.uri;
    const refused = await api.post(`/repositories/${one}/transfer?target_repo=/repositories/${other}`);
    expect([refused.status, refused.json]).toEqual([
      409,
      { error: { [root]: [{ json_property: 'id_0', message: 'That ID is already in use' }] } },
    ]);
    expect((await api.del(clash)).status).toBe(200);
    expect((await api.post(`/repositories/${one}/transfer?target_repo=/repositories/${other}`)).json).toEqual({
      status: 'OK',
    });
    expect((await api.get(node.replace(`/repositories/${one}/`, `/repositories/${other}/`))).json.resource.ref).toBe(
      root.replace(`/repositories/${one}/`, `/repositories/${other}/`),
    );
    expect((await api.get(root)).status).toBe(404);
    expect((await api.get(`/repositories/${one}/groups`)).json).toHaveLength(6);
    expect((await api.del(`/repositories/${one}`)).json).toEqual({ status: 'Deleted', id: one });
  });
});

describe('POST /repositories/:repo_id/transfer, of what is set for the repository', () => {
  it('moves the definitions of attributes, to those of the same type and label where there are such, and what assessments say', async () => {
    const [one, other] = [await api.repository(), await api.repository()];
    const told = await api.create(`/repositories/${one}/accessions`, { id_0: 'told', accession_date: '2020-01-01' });
    const [same, only] = await define(
      one,
      ['rating', 'Same'],
      ['rating', 'Only here'],
      ['conservation_issue', 'Mould'],
    );
    await define(other, ['rating', 'Theirs'], ['rating', 'Same']);
    const uri = await assessment(one, [told], same, only);
    expect((await api.post(`/repositories/${one}/transfer?target_repo=/repositories/${other}`)).status).toBe(200);
    const moved = uri.replace(`/repositories/${one}/`, `/repositories/${other}/`);
    expect(await ratingsOf(moved)).toEqual({ Same: '1 n', 'Only here': '2 n', Interest: '3 n' });
    expect([await labelsOf(one), await labelsOf(other)]).toEqual([
      [],
      ['rating 0 Theirs', 'rating 1 Same', 'rating 2 Only here', 'conservation_issue 0 Mould'],
    ]);
    // What is used may not be deleted there either.
    expect((await api.post(definitions(other), { definitions: [] })).json).toEqual({ error: 'RECORD_IN_USE' });
    expect((await api.post(moved, (await api.get(moved)).json)).status).toBe(200);
    expect(await ratingsOf(moved)).toEqual({ Same: '1 n', 'Only here': '2 n', Interest: '3 n' });
  });

  it('moves default values and required fields, with refs that fit, where the target has none of its own', async () => {
    const [one, other] = [await api.repository(), await api.repository()];
    const kept = await api.create(`/repositories/${one}/top_containers`, { indicator: '1' });
    const set = (repo: number, setting: string, body: object) =>
      api.post(`/repositories/${repo}/${setting}`, { lock_version: 0, ...body });
    const defaults = { record_type: 'accession', defaults: { instances: [{ ref: kept }], title: 'Ours' } };
    await set(one, 'default_values/accession', defaults);
    await set(one, 'default_values/resource', { record_type: 'resource', defaults: { title: 'Ours' } });
    await set(other, 'default_values/resource', { record_type: 'resource', defaults: { title: 'Theirs' } });
    await set(one, 'required_fields/event', { record_type: 'event', subrecord_requirements: [] });
    expect((await api.post(`/repositories/${one}/transfer?target_repo=/repositories/${other}`)).status).toBe(200);
    const read = async (repo: number, setting: string) => (await api.get(`/repositories/${repo}/${setting}`)).json;
    expect(await read(other, 'default_values/accession')).toMatchObject({
      defaults: { instances: [{ ref: kept.replace(`/${one}/`, `/${other}/`) }], title: 'Ours' },
      uri: `/repositories/${other}/default_values/accession/${other}_accession`,
      lock_version: 0,
    });
    expect(await read(other, 'required_fields/event')).toMatchObject({ record_type: 'event' });
    expect(await read(one, 'default_values/accession')).toEqual({ error: 'DefaultValues not found' });
    expect(await read(one, 'required_fields/event')).toEqual({ error: 'RequiredFields not found' });
    expect((await read(other, 'default_values/resource')).defaults).toEqual({ title: 'Theirs' });
    expect((await read(one, 'default_values/resource')).defaults).toEqual({ title: 'Ours' });
  });
});

describe('POST /repositories/:repo_id/component_transfers', () => {
  const move = (part: string, target: string) =>
    api.post(`${inFrom('component_transfers')}?target_resource=${target}&component=${part}`);

  it('moves a component with all below it to the end of another resource, and records it', async () => {
    const [source, target] = [await resource(), await resource()];
    const part = await component(source, 'part');
    const below = await component(source, 'below', { parent: { ref: part } });
    await component(target, 'there already');
    const reply = await move(part, target);
    expect(reply.json).toEqual({ component: part, resource: target, event: expect.stringMatching(/\/events\/\d+$/) });
    expect(Object.keys(reply.json)).toEqual(['component', 'resource', 'event']);
    expect((await api.get(part)).json).toMatchObject({ lock_version: 1, position: 1, resource: { ref: target } });
    expect((await api.get(below)).json).toMatchObject({
      lock_version: 0,
      resource: { ref: target },
      parent: { ref: part },
    });
    expect((await api.get(reply.json.event)).json).toMatchObject({
      event_type: 'component_transfer',
      linked_records: [
        { ref: source, role: 'source' },
        { ref: target, role: 'outcome' },
        { ref: part, role: 'transfer' },
      ],
      linked_agents: [{ ref: '/agents/people/1', role: 'implementer' }],
    });
    expect((await move(part, target)).status).toBe(200);
  });

  it('refuses what does not exist, and a ref_id that the target has', async () => {
    const [source, target] = [await resource(), await resource()];
    const part = await component(source, 'part', { ref_id: 'same' });
    await component(target, 'other', { ref_id: 'same' });
    expect([
      (await move(`${inFrom('archival_objects')}/999999`, target)).status,
      (await move(`${inFrom('archival_objects')}/999999`, target)).json,
    ]).toEqual([404, { error: 'That which does not exist cannot be moved.' }]);
    expect((await move(part, `${inFrom('resources')}/999999`)).json).toEqual({
      error: `Can't relate to non-existent record: ${inFrom('resources')}/999999`,
    });
    expect([(await move(part, target)).status, (await move(part, target)).json]).toEqual([
      400,
      { error: { ref_id: ['An Archival Object Ref ID must be unique to its resource'] } },
    ]);
    expect((await api.get(part)).json.resource.ref).toBe(source);
  });
});
