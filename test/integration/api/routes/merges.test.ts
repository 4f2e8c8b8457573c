// Merges over HTTP: requests of both releases, what moves, what is refused, previews, old addresses, undoing (contract trees-and-jobs 4).
// Contract: behaviour-records.md, section 5.6.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTrees } from '#store/trees/invariants.ts';
import { AnyRow } from '#test/support/rows.ts';
import { IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from '../../../support/api.ts';
import { idOf, startTestApi } from '../../../support/api.ts';
import { personBody, resourceBody } from '../../../support/records.ts';

let api: TestApi;
let repo = '';
let repoId = 0;
let n = 0;
beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository();
  repo = `/repositories/${repoId}`;
});
afterAll(async () => {
  expect(await checkTrees(api.database.reader)).toEqual([]);
  await api[Symbol.asyncDispose]();
});

const get = async (uri: string) => (await api.get(uri)).json;
const refs = (...uris: readonly string[]): { ref: string }[] => uris.map((ref) => ({ ref }));
const person = async (more: object = {}): Promise<string> =>
  api.create('/agents/people', personBody(`Person ${(n += 1)}`, more as never));
const accession = async (more: object = {}): Promise<string> =>
  api.create(`${repo}/accessions`, { id_0: `A${(n += 1)}`, accession_date: '2020-01-01', ...more });
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
const event = async (body: object): Promise<string> =>
  api.create(`${repo}/events`, {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    ...body,
  });
const merge = (what: string, destination: string, candidates: readonly string[], query = ''): Promise<Reply> =>
  api.post(`/merge_requests/${what}${query}`, {
    jsonmodel_type: 'merge_request',
    merge_destination: { ref: destination },
    merge_candidates: refs(...candidates),
  });
const inRepo = (more = ''): string => `?repo_id=${repoId}${more}`;
const undo = (reply: Reply): Promise<Reply> =>
  api.post(`${/<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1]}/undo`);
const linksOf = async (): Promise<unknown> =>
  api.database.reader.any(sql.type(AnyRow)`
    SELECT source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref::text, target_ordinal FROM link WHERE source_kind <> 'event' OR source_id <> ALL (SELECT event_id FROM merge WHERE event_id IS NOT NULL) ORDER BY 1, 2, 3`);

describe('POST /merge_requests/agent', () => {
  it('moves every link, once for each record and role, and leaves nothing of the candidate', async () => {
    const [kept, gone] = [await person(), await person()];
    const plain = await accession({ linked_agents: [{ ref: gone, role: 'creator', relator: 'aut' }] });
    const both = await accession({
      linked_agents: [
        { ref: gone, role: 'creator' },
        { ref: kept, role: 'creator', title: 'kept' },
        { ref: gone, role: 'subject' },
      ],
    });
    const nested = await accession({
      rights_statements: [
        {
          rights_type: 'copyright',
          status: 'copyrighted',
          jurisdiction: 'US',
          start_date: '2000-01-01',
          linked_agents: [
            { ref: gone, role: 'rights_holder' },
            { ref: kept, role: 'rights_holder' },
          ],
        },
        {
          rights_type: 'copyright',
          status: 'copyrighted',
          jurisdiction: 'US',
          start_date: '2000-01-01',
          linked_agents: [{ ref: gone, role: 'rights_holder' }],
        },
      ],
    });
    const told = await event({
      linked_agents: [{ ref: gone, role: 'validator' }],
      linked_records: [
        { ref: gone, role: 'source' },
        { ref: kept, role: 'source' },
      ],
    });
    const reply = await merge('agent', kept, [gone]);
    expect([reply.status, reply.json]).toEqual([
      200,
      { status: 'Updated', id: idOf(kept), selections: [], merge_destination_uri: kept, deleted_uris: [gone] },
    ]);
    expect(Object.keys(reply.json)).toEqual(['status', 'id', 'selections', 'merge_destination_uri', 'deleted_uris']);
    expect((await get(plain)).linked_agents).toMatchObject([{ ref: kept, role: 'creator', relator: 'aut' }]);
    expect((await get(plain)).lock_version).toBe(0);
    expect((await get(both)).linked_agents).toMatchObject([
      { ref: kept, role: 'creator', title: 'kept' },
      { ref: kept, role: 'subject' },
    ]);
    expect(
      (await get(nested)).rights_statements.map((each: { linked_agents: unknown }) => each.linked_agents),
    ).toMatchObject([[{ ref: kept }], [{ ref: kept }]]);
    expect(await get(told)).toMatchObject({
      linked_agents: [{ ref: kept }],
      linked_records: [{ ref: kept, role: 'source' }],
    });
    expect((await get(told)).linked_records).toHaveLength(1);
    expect((await get(kept)).lock_version).toBe(1);
    expect(
      await api.database.reader.any(sql.type(AnyRow)`
        SELECT FROM link WHERE target_kind = 'agent_person' AND target_id = ${idOf(gone)}`),
    ).toEqual([]);
    expect(await api.database.reader.any(sql.type(AnyRow)`SELECT uri FROM tombstone WHERE uri = ${gone}`)).toEqual([
      { uri: gone },
    ]);
    expect((await api.get(gone)).json).toEqual({ error: 'AgentPerson not found' });
    // The records that held refs can be saved as they were read.
    const body = await get(both);
    expect((await api.post(both, body)).status).toBe(200);
  });

  it('moves relations between agents, and drops those among the merged', async () => {
    const [kept, gone, other] = [await person(), await person(), await person()];
    const child = (ref: string): object => ({
      jsonmodel_type: 'agent_relationship_parentchild',
      relator: 'is_child_of',
      ref,
    });
    const friend = (ref: string): object => ({
      jsonmodel_type: 'agent_relationship_associative',
      relator: 'is_associative_with',
      ref,
    });
    const third = await person({ related_agents: [child(gone), friend(kept)] });
    await api.post(gone, {
      ...(await get(gone)),
      related_agents: [...(await get(gone)).related_agents, friend(kept), child(other)],
    });
    await api.post(kept, { ...(await get(kept)), related_agents: [...(await get(kept)).related_agents, child(other)] });
    const before = await linksOf();
    const reply = await merge('agent', kept, [gone]);
    expect(reply.status).toBe(200);
    expect(
      (await get(kept)).related_agents
        .map((each: { ref: string; relator: string }) => `${each.relator} ${each.ref}`)
        .toSorted(),
    ).toEqual([`is_associative_with ${third}`, `is_child_of ${other}`, `is_parent_of ${third}`]);
    expect((await get(other)).related_agents).toHaveLength(1);
    expect((await undo(reply)).json).toMatchObject({ status: 'Restored', uri: kept, restored_uris: [gone] });
    expect(await linksOf()).toEqual(before);
  });

  it('takes the other spelling too, and agents of different kinds with their true uris', async () => {
    const [kept, gone] = [
      await person(),
      await api.create('/agents/families', { names: [{ family_name: 'Family', sort_name_auto_generate: true }] }),
    ];
    const linked = await accession({ linked_agents: [{ ref: gone, role: 'source' }] });
    const reply = await api.post('/merge_requests/agent', {
      target: { ref: kept },
      victims: [{ ref: gone }, { ref: kept }],
    });
    expect(reply.json).toMatchObject({ status: 'Updated', merge_destination_uri: kept, deleted_uris: [gone] });
    expect((await get(linked)).linked_agents).toMatchObject([{ ref: kept, role: 'source' }]);
  });

  it('says where a merged record is, over several merges', async () => {
    const [a, b, c] = [await person(), await person(), await person()];
    await merge('agent', b, [a]);
    expect((await api.get(a)).headers.get('link')).toBe(`<${b}>; rel="successor-version"`);
    const second = await merge('agent', c, [b]);
    expect([
      (await api.get(a)).status,
      (await api.get(a)).headers.get('link'),
      (await api.get(b)).headers.get('link'),
    ]).toEqual([404, `<${c}>; rel="successor-version"`, `<${c}>; rel="successor-version"`]);
    await undo(second);
    expect([(await api.get(a)).headers.get('link'), (await api.get(b)).status]).toEqual([
      `<${b}>; rel="successor-version"`,
      200,
    ]);
    expect((await api.get('/agents/people/999999')).headers.get('link')).toBeNull();
  });

  it.each([
    ['nothing', {}, 400, { merge_destination: ['Property is required but was missing'] }],
    [
      'no candidates',
      { merge_destination: { ref: '/agents/people/1' }, merge_candidates: [] },
      400,
      { merge_candidates: ['At least 1 item(s) is required'] },
    ],
    [
      'another kind',
      { merge_destination: { ref: '/agents/people/1' }, merge_candidates: [{ ref: '/subjects/1' }] },
      400,
      { merge_request: ['Agent merge request can only merge agent records'] },
    ],
    [
      'an unknown record',
      { merge_destination: { ref: '/agents/people/1' }, merge_candidates: [{ ref: '/agents/people/99999999' }] },
      404,
      'AgentPerson not found',
    ],
    [
      'the agent of a user',
      { merge_destination: { ref: '/agents/corporate_entities/1' }, merge_candidates: [{ ref: '/agents/people/1' }] },
      409,
      'linked_to_user',
    ],
    [
      "the service's own agent",
      { merge_destination: { ref: '/agents/people/1' }, merge_candidates: [{ ref: '/agents/software/1' }] },
      403,
      'Access denied',
    ],
    [
      "a repository's agent",
      { merge_destination: { ref: '/agents/people/1' }, merge_candidates: [{ ref: '/agents/corporate_entities/1' }] },
      409,
      "This agent is linked to a repository and can't be removed",
    ],
  ])('refuses %s', async (_, body, status, error) => {
    const reply = await api.post('/merge_requests/agent', { jsonmodel_type: 'merge_request', ...body });
    expect([reply.status, reply.json.error]).toEqual([status, error]);
    if (reply.json.warning !== undefined)
      expect(Object.keys(reply.json)).toEqual(['error', 'warning', 'invalid_object']);
  });

  it('refuses a caller without the permission, and one without a session', async () => {
    const [kept, gone] = [await person(), await person()];
    const body = { merge_destination: { ref: kept }, merge_candidates: refs(gone) };
    const session = await api.userWith(['view_repository', 'manage_agent_record'], repoId);
    expect((await api.post('/merge_requests/agent', body, session)).status).toBe(403);
    expect((await api.post('/merge_requests/agent', body, null)).json).toEqual({ error: 'Access denied' });
  });

  it('previews without storing anything', async () => {
    const [kept, gone] = [await person(), await person()];
    await accession({
      linked_agents: [
        { ref: gone, role: 'creator' },
        { ref: gone, role: 'subject' },
      ],
    });
    const reply = await merge('agent', kept, [gone], '?dry_run=true');
    expect(reply.json).toEqual({
      status: 'Updated',
      id: idOf(kept),
      selections: [],
      merge_destination_uri: kept,
      deleted_uris: [gone],
      // The third is of the event that tells of its cataloguing.
      preview: {
        links: 3,
        records: 2,
        components: 0,
        by: [
          { kind: 'accession', property: 'linked_agents', links: 2 },
          { kind: 'event', property: 'linked_records', links: 1 },
        ],
      },
    });
    expect((await api.get(gone)).status).toBe(200);
  });
});

describe('POST /merge_requests/agent_detail', () => {
  const detail = (kept: string, gone: string, selections: object, query = ''): Promise<Reply> =>
    api.post(`/merge_requests/agent_detail${query}`, {
      jsonmodel_type: 'merge_request_detail',
      merge_destination: { ref: kept },
      merge_candidates: refs(gone),
      selections,
    });

  it('shows the combined record, stores it, and gives both back when undone', async () => {
    const [kept, gone] = [
      await person(),
      await person({
        names: [
          {
            primary_name: 'Baker',
            rest_of_name: 'Ann',
            name_order: 'inverted',
            sort_name_auto_generate: true,
            authority_id: 'auth-9',
            source: 'local',
          },
        ],
      }),
    ];
    const linked = await accession({ linked_agents: [{ ref: gone, role: 'creator' }] });
    const [before, goneBefore] = [await get(kept), await get(gone)];
    const selections = {
      names: [
        { primary_name: 'REPLACE', authority_id: 'REPLACE', source: 'REPLACE', name_order: 'IGNORED', position: 0 },
        { append: 'REPLACE', position: '7' },
      ],
    };
    const dry = await detail(kept, gone, selections, '?dry_run=true');
    expect(dry.json).toMatchObject({
      status: 'Updated',
      selections: { 'names.0.primary_name.0': 'REPLACE', 'names.1.append.7': 'REPLACE' },
      deleted_uris: [gone],
    });
    expect(dry.json.result.names).toMatchObject([
      { primary_name: 'Baker', authorized: true },
      { rest_of_name: 'Ann', authorized: false, is_display_name: false },
    ]);
    expect(await get(kept)).toEqual(before);
    // Two names cannot have one authority id.
    const single = { names: [{ primary_name: 'REPLACE', authority_id: 'REPLACE', source: 'REPLACE', position: 0 }] };
    const reply = await detail(kept, gone, single);
    expect([reply.status, Object.keys(reply.json)]).toEqual([
      200,
      ['status', 'id', 'selections', 'merge_destination_uri', 'deleted_uris', 'result'],
    ]);
    expect(await get(kept)).toMatchObject({
      names: [{ primary_name: 'Baker', sort_name: 'Baker', authority_id: 'auth-9' }],
      title: 'Baker',
    });
    // The authority id that was taken over is the survivor's now.
    const other = { primary_name: 'Other', name_order: 'inverted', sort_name_auto_generate: true, source: 'local' };
    const sent = { names: [{ ...other, authority_id: 'auth-9' }] };
    expect((await api.post('/agents/people', sent)).status).toBe(400);
    expect((await get(linked)).linked_agents).toMatchObject([{ ref: kept }]);
    expect((await undo(reply)).status).toBe(200);
    expect((await get(kept)).names).toMatchObject([{ primary_name: before.names[0].primary_name }]);
    expect((await get(gone)).names).toMatchObject([{ primary_name: 'Baker', authority_id: 'auth-9' }]);
    expect((await get(gone)).create_time).toBe(goneBefore.create_time);
    expect((await get(linked)).linked_agents).toMatchObject([{ ref: gone }]);
  });

  it('refuses choices that are not there or make no valid record, and merges nothing', async () => {
    const [kept, gone] = [await person(), await person()];
    expect((await detail(kept, gone, { names: [{}, {}, { primary_name: 'REPLACE', position: 0 }] })).status).toBe(400);
    expect((await detail(kept, gone, { nonsense: [{ append: 'REPLACE' }] })).json).toEqual({
      error: { selections: ['nonsense.0.append.0: nothing is there'] },
    });
    expect(
      (
        await detail(kept, gone, {
          names: [{ rest_of_name: 'REPLACE', primary_name: 'REPLACE', name_order: 'x', position: 0 }],
        })
      ).status,
    ).toBe(200);
  });
});

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
    const before = await linksOf();
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
    expect(await linksOf()).toEqual(before);
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
      related_accessions: refs(late),
    });
    const own = await component(kept, 'own');
    const [one, two] = [await component(gone, 'one'), await component(gone, 'two')];
    const below = await component(gone, 'below', { parent: { ref: one } });
    const before = await linksOf();
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
    expect((await undo(reply)).json).toEqual({
      status: 'Restored',
      id: expect.any(Number),
      uri: kept,
      restored_uris: [gone],
    });
    expect(await linksOf()).toEqual(before);
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

describe('agents', () => {
  it("have an event of their cataloguing, by the agent of the user; the service's own agent stays", async () => {
    const uri = await person();
    const [found] = await api.database.reader.any(sql.type(IdRow)`
      SELECT source_id AS id FROM link WHERE source_kind = 'event' AND target_kind = 'agent_person' AND target_id = ${idOf(uri)}`);
    expect(await get(`/repositories/1/events/${found?.id}`)).toMatchObject({
      event_type: 'cataloged',
      linked_records: [{ ref: uri, role: 'outcome' }],
      linked_agents: [{ ref: '/agents/people/1', role: 'implementer' }],
    });
    const reply = await api.del('/agents/software/1');
    expect([reply.status, reply.json]).toEqual([403, { error: 'Access denied' }]);
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
