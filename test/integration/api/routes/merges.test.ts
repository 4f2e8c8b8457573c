// Merges over HTTP of records that are no agents: what moves, of trees too; and how a merge of any kind is undone (contract trees-and-jobs 4).
// Contract: behaviour-records.md, section 5.6. Agents: agent-merges.test.ts, agent-detail-merges.test.ts.
import { afterAll, describe, expect, it } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { beside } from '#test/support/lock-waits.ts';
import { mergesOf, refs } from '#test/support/merge-requests.ts';
import { linksOf } from '#test/support/merge-state.ts';
import { resourceBody } from '#test/support/records.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => {
  expect(await checkTrees(api.database.reader)).toEqual([]);
  await api[Symbol.asyncDispose]();
});
const repoId = await api.repository();
const repo = `/repositories/${repoId}`;
const { person, accession, merge, undo } = mergesOf(api, repoId);
let n = 0;
const get = async (uri: string) => (await api.get(uri)).json;
const resource = async (more: object = {}): Promise<string> =>
  api.create(`${repo}/resources`, resourceBody(`R${(n += 1)}`, more as never));
const component = async (root: string, title: string, more: object = {}): Promise<string> =>
  api.create(`${repo}/archival_objects`, { title, level: 'file', resource: { ref: root }, ...more });
const subject = async (): Promise<string> =>
  api.create('/subjects', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term: `Term ${(n += 1)}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
const inRepo = (more = ''): string => `?repo_id=${repoId}${more}`;

describe('POST /merge_requests/…', () => {
  it('merges subjects: one link is left where a record had both', async () => {
    const [kept, gone, other] = [await subject(), await subject(), await subject()];
    const both = await accession({ subjects: refs(gone, other, kept) });
    const agent = await person({ agent_functions: [{ subjects: refs(gone, kept) }] });
    expect((await merge('subject', kept, [gone])).json).toMatchObject({
      status: 'Updated',
      merge_destination_uri: kept,
    });
    expect((await get(both)).subjects).toEqual(refs(other, kept));
    expect((await get(agent)).agent_functions[0].subjects).toEqual(refs(kept));
    expect((await merge('subject', kept, ['/agents/people/1'])).json).toEqual({
      error: { merge_request: ['This merge request can only merge subject records'] },
    });
  });

  it('merges container profiles', async () => {
    const profile = (): Promise<string> =>
      api.create('/container_profiles', {
        name: `P${(n += 1)}`,
        dimension_units: 'inches',
        extent_dimension: 'height',
        depth: '1',
        height: '1',
        width: '1',
      });
    const [kept, gone] = [await profile(), await profile()];
    const box = await api.create(`${repo}/top_containers`, { indicator: '1', container_profile: { ref: gone } });
    expect((await merge('container_profile', kept, [gone])).status).toBe(200);
    expect((await get(box)).container_profile).toEqual({ ref: kept });
  });

  it('merges top containers: plain doubles go, others stay; locations and a common profile are taken over', async () => {
    const profile = await api.create('/container_profiles', {
      name: `P${(n += 1)}`,
      dimension_units: 'inches',
      extent_dimension: 'height',
      depth: '1',
      height: '1',
      width: '1',
    });
    const shelf = await api.create('/locations', { building: `B${(n += 1)}`, barcode: `S${n}` });
    const box = (more: object = {}): Promise<string> =>
      api.create(`${repo}/top_containers`, { indicator: String((n += 1)), ...more });
    const [kept, gone, third] = [
      await box(),
      await box({
        barcode: 'gone',
        container_profile: { ref: profile },
        container_locations: [{ ref: shelf, status: 'current', start_date: '2020-01-01' }],
      }),
      await box({ container_profile: { ref: profile } }),
    ];
    const instance = (ref: string, more: object = {}): object => ({
      instance_type: 'text',
      sub_container: { top_container: { ref }, ...more },
    });
    const root = await resource({
      instances: [
        instance(gone),
        instance(kept),
        instance(third, { type_2: 'folder', indicator_2: '2' }),
        instance(third),
      ],
    });
    const before = await linksOf(api.database);
    const reply = await merge('top_container', kept, [gone, third], inRepo());
    expect(reply.json).toMatchObject({ deleted_uris: [gone, third] });
    expect(
      (await get(root)).instances.map(
        (each: { sub_container: { indicator_2?: string; top_container: { ref: string } } }) => [
          each.sub_container.top_container.ref,
          each.sub_container.indicator_2,
        ],
      ),
    ).toEqual([
      [kept, undefined],
      [kept, '2'],
    ]);
    expect(await get(kept)).toMatchObject({
      container_profile: { ref: profile },
      container_locations: [{ ref: shelf, status: 'current' }],
    });
    const body = await get(kept);
    expect((await api.post(kept, body)).status).toBe(200);
    // The survivor was saved since: without a change of its body, so nothing depends on that.
    expect((await undo(reply)).json).toMatchObject({ restored_uris: [gone, third] });
    expect(await linksOf(api.database)).toEqual(before);
    expect(await get(kept)).not.toHaveProperty('container_profile');
    expect((await api.post(`${repo}/top_containers`, { indicator: 'x', barcode: 'gone' })).status).toBe(400);
    expect((await merge('top_container', kept, [gone], `?repo_id=${await api.repository()}`)).json).toEqual({
      error: { merge_request: ['All records to merge must be in the repository specified'] },
    });
  });

  it('merges resources: trees joined at the end, agents and subjects taken over, the event written; and undoes it', async () => {
    const [agent, topic, late] = [await person(), await subject(), await accession()];
    const kept = await resource({ linked_agents: [{ ref: agent, role: 'creator' }] });
    const gone = await resource({
      linked_agents: [
        { ref: agent, role: 'creator' },
        { ref: agent, role: 'subject' },
      ],
      subjects: refs(topic),
      collection_management: { processing_plan: 'Soon' },
      related_accessions: refs(late),
    });
    const own = await component(kept, 'own');
    const [one, two] = [await component(gone, 'one'), await component(gone, 'two')];
    const below = await component(gone, 'below', { parent: { ref: one } });
    const plan: string = (await get(gone)).collection_management.uri;
    const before = await linksOf(api.database);
    const preview = await merge('resource', kept, [gone], inRepo('&dry_run=true'));
    expect(preview.json.preview.components).toBe(3);
    const reply = await merge('resource', kept, [gone], inRepo());
    expect(reply.json).toEqual({
      status: 'Updated',
      id: idOf(kept),
      selections: [],
      merge_destination_uri: kept,
      deleted_uris: [gone],
    });
    expect([(await get(own)).position, (await get(one)).position, (await get(two)).position]).toEqual([0, 1, 2]);
    expect(await get(below)).toMatchObject({ resource: { ref: kept }, parent: { ref: one } });
    const merged = await get(kept);
    expect(merged).toMatchObject({
      subjects: refs(topic),
      linked_agents: [{ role: 'creator' }, { role: 'subject' }],
      related_accessions: [{ ref: late }],
    });
    expect(await get(merged.linked_events[0].ref)).toMatchObject({
      event_type: 'component_transfer',
      outcome: 'pass',
      outcome_note: expect.stringMatching(/^R\d+ -- Resource R\d+$/),
      linked_records: [{ ref: kept, role: 'outcome' }],
      linked_agents: [{ role: 'implementer' }],
    });
    const feed = async (): Promise<string[]> =>
      (await api.get('/delete-feed?page=1&page_size=250')).json.results.filter((uri: string) =>
        [gone, plan].includes(uri),
      );
    expect(await feed()).toHaveLength(2);
    expect((await undo(reply)).json).toEqual({
      status: 'Restored',
      id: expect.any(Number),
      uri: kept,
      restored_uris: [gone],
    });
    // What is back is not told as deleted, nor are its parts.
    expect([await feed(), (await api.get(plan)).status]).toEqual([[], 200]);
    expect(await linksOf(api.database)).toEqual(before);
    expect([
      (await get(one)).position,
      (await get(two)).position,
      (await get(below)).resource.ref,
      (await get(gone)).lock_version,
    ]).toEqual([0, 1, gone, 1]);
    expect(await get(kept)).toMatchObject({ subjects: [], linked_events: [] });
    const again = await undo(reply);
    expect([again.status, again.json]).toEqual([409, { error: 'The merge was undone already' }]);
  });

  it('refuses resources of which components have one ref_id, in the preview too', async () => {
    const [kept, gone] = [await resource(), await resource()];
    await component(kept, 'a', { ref_id: 'one' });
    await component(gone, 'b', { ref_id: 'one' });
    for (const more of ['', '&dry_run=true'])
      expect((await merge('resource', kept, [gone], inRepo(more))).json).toEqual({
        error: { ref_id: ['An Archival Object Ref ID must be unique to its resource'] },
      });
    expect((await api.get(gone)).status).toBe(200);
  });

  it('merges digital objects: two instances stay beside each other', async () => {
    const object = (): Promise<string> =>
      api.create(`${repo}/digital_objects`, { title: 'D', digital_object_id: `D${(n += 1)}` });
    const [kept, gone] = [await object(), await object()];
    const part = await api.create(`${repo}/digital_object_components`, {
      title: 'part',
      digital_object: { ref: gone },
    });
    const instance = (ref: string): object => ({ instance_type: 'digital_object', digital_object: { ref } });
    const root = await resource({ instances: [instance(gone), instance(kept)] });
    const reply = await merge('digital_object', kept, [gone], inRepo());
    expect(reply.status).toBe(200);
    expect((await get(root)).instances.map((each: { digital_object: unknown }) => each.digital_object)).toMatchObject([
      { ref: kept },
      { ref: kept },
    ]);
    expect((await get(part)).digital_object.ref).toBe(kept);
    expect((await undo(reply)).status).toBe(200);
    expect((await get(root)).instances.map((each: { digital_object: unknown }) => each.digital_object)).toMatchObject([
      { ref: gone },
      { ref: kept },
    ]);
  });
});

describe('POST /merge_requests/:id/undo', () => {
  it('leaves what was removed since, keeps edits, and is refused where refs cannot be told apart', async () => {
    const [kept, gone] = [await person(), await person()];
    const agents = { linked_agents: [{ ref: gone, role: 'creator' }] };
    const [edited, unlinked, deleted, doubled] = [
      await accession(agents),
      await accession(agents),
      await accession(agents),
      await accession(agents),
    ];
    const reply = await merge('agent', kept, [gone]);
    const save = async (uri: string, more: object): Promise<void> =>
      expect((await api.post(uri, { ...(await get(uri)), ...more })).status).toBe(200);
    await save(edited, { title: 'edited' });
    await save(unlinked, { linked_agents: [] });
    await api.del(deleted);
    await save(doubled, {
      linked_agents: [
        { ref: kept, role: 'creator' },
        { ref: kept, role: 'subject' },
      ],
    });
    const refused = await undo(reply);
    expect([refused.status, refused.json]).toEqual([409, { error: { [doubled]: [{ message: 'LINKED_SINCE' }] } }]);
    expect((await api.get(gone)).status).toBe(404);
    await api.del(doubled);
    expect((await undo(reply)).status).toBe(200);
    expect(await get(edited)).toMatchObject({ title: 'edited', linked_agents: [{ ref: gone }] });
    expect((await get(unlinked)).linked_agents).toEqual([]);
  });

  it('leaves components that were deleted since, and is refused where they stand elsewhere', async () => {
    const [kept, gone] = [await resource({}), await resource({})];
    const component = (root: string, title: string): Promise<string> =>
      api.create(`${repo}/archival_objects`, { title, level: 'file', resource: { ref: root } });
    const own = await component(kept, 'own');
    const [first, deleted, last] = [
      await component(gone, 'first'),
      await component(gone, 'deleted'),
      await component(gone, 'last'),
    ];
    const reply = await merge('resource', kept, [gone], inRepo());
    await api.del(deleted);
    const move = (uri: string, under: string): Promise<unknown> => api.post(`${uri}/parent?position=0${under}`);
    await move(last, `&parent=${own.split('/').at(-1)}`);
    const refused = await undo(reply);
    expect([refused.status, refused.json]).toEqual([409, { error: { [last]: [{ message: 'MOVED_SINCE' }] } }]);
    await move(last, '');
    expect((await undo(reply)).status).toBe(200);
    for (const uri of [first, last]) expect((await get(uri)).resource.ref).toBe(gone);
    expect((await get(own)).resource.ref).toBe(kept);
    expect((await api.get(deleted)).status).toBe(404);
    expect((await get(`${gone}/tree/root`)).child_count).toBe(2);
  });

  it('is refused, naming the record, where somebody takes a key at that moment', async () => {
    const [kept, gone, third] = [await person(), await person(), await person()];
    const name = (await get(gone)).names[0];
    const reply = await merge('agent', kept, [gone]);
    const number = Number(third.split('/').at(-1));
    const take = sql`
      UPDATE unique_key u SET value = k.value FROM merge_key k WHERE k.kind = 'agent_person' AND k.id = ${Number(gone.split('/').at(-1))} AND k.rule = u.rule AND u.kind = k.kind AND u.id = ${number}`;
    const refused = await beside(
      api.database,
      (tx) => tx.run(take),
      () => undo(reply),
    );
    expect([refused.status, refused.json]).toEqual([409, { error: { [third]: [{ message: 'KEY_TAKEN' }] } }]);
    await api.del(third);
    expect((await undo(reply)).status).toBe(200);
    expect((await get(gone)).names[0]).toMatchObject({ primary_name: name.primary_name });
  });

  it('is refused where what was merged was brought back from its history; merged again, it leads on to where it went last', async () => {
    const [kept, gone, second] = [await person(), await person(), await person()];
    const reply = await merge('agent', kept, [gone]);
    expect((await api.post(`${gone}/history/0/restore`)).status).toBe(200);
    const refused = await undo(reply);
    expect([refused.status, refused.json]).toEqual([409, { error: { [gone]: [{ message: 'RESTORED_SINCE' }] } }]);
    expect((await merge('agent', second, [gone])).status).toBe(200);
    expect((await api.get(gone)).headers.get('link')).toBe(`<${second}>; rel="successor-version"`);
  });

  it('needs the permission of the merge, and shows it', async () => {
    const [kept, gone] = [await person(), await person()];
    const reply = await merge('agent', kept, [gone]);
    const address = /<([^>]+)>; rel="related"/.exec(reply.headers.get('link') ?? '')?.[1] ?? '';
    const session = await api.userWith(['view_repository'], repoId);
    expect([
      (await api.get(address, session)).status,
      (await api.post(`${address}/undo`, undefined, session)).status,
    ]).toEqual([403, 403]);
    expect((await api.get(address)).json).toMatchObject({
      type: 'agent',
      merge_destination_uri: kept,
      deleted_uris: [gone],
      merged_by: 'admin',
    });
    expect((await api.post('/merge_requests/99999/undo')).json).toEqual({ error: 'Merge not found' });
    await merge('agent', await person(), [kept]);
    expect((await undo(reply)).status).toBe(409);
  });
});
