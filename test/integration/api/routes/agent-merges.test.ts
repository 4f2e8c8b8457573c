// Merges of agents over HTTP: requests of both releases, what moves, what is refused, previews, old addresses (contract trees-and-jobs 4).
// Contract: behaviour-records.md, section 5.6.
import { afterAll, describe, expect, it } from 'vitest';
import { IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { mergesOf, refs } from '#test/support/merge-requests.ts';
import { linksOf } from '#test/support/merge-state.ts';
import { AnyRow } from '#test/support/rows.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());
const repoId = await api.repository();
const { person, accession, merge, undo } = mergesOf(api, repoId);
const get = async (uri: string) => (await api.get(uri)).json;
const event = async (body: object): Promise<string> =>
  api.create(`/repositories/${repoId}/events`, {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    ...body,
  });

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
    const before = await linksOf(api.database);
    const reply = await merge('agent', kept, [gone]);
    expect(reply.status).toBe(200);
    expect(
      (await get(kept)).related_agents
        .map((each: { ref: string; relator: string }) => `${each.relator} ${each.ref}`)
        .toSorted(),
    ).toEqual([`is_associative_with ${third}`, `is_child_of ${other}`, `is_parent_of ${third}`]);
    expect((await get(other)).related_agents).toHaveLength(1);
    expect((await undo(reply)).json).toMatchObject({ status: 'Restored', uri: kept, restored_uris: [gone] });
    expect(await linksOf(api.database)).toEqual(before);
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
