// Merges of agents over HTTP that say what of the candidate is taken over: the combined record is shown, stored and taken back; and which choices
// are refused (contract trees-and-jobs 4). Contract: behaviour-records.md, section 5.6.
import { afterAll, describe, expect, it } from 'vitest';
import type { Reply } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { mergesOf, refs } from '#test/support/merge-requests.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());
const repoId = await api.repository();
const { person, accession, undo } = mergesOf(api, repoId);
const get = async (uri: string) => (await api.get(uri)).json;

describe('POST /merge_requests/agent_detail', () => {
  const detail = (kept: string, gone: string, selections: object, query = '', session?: string): Promise<Reply> =>
    api.post(
      `/merge_requests/agent_detail${query}`,
      {
        jsonmodel_type: 'merge_request_detail',
        merge_destination: { ref: kept },
        merge_candidates: refs(gone),
        selections,
      },
      session,
    );

  it('tells none of the contact details in a refusal to who may not see them, and refuses a dry run, too', async () => {
    const contact = { name: 'Desk', email: 'desk@example.org', is_representative: true };
    const [kept, gone] = [await person({ agent_contacts: [contact] }), await person({ agent_contacts: [contact] })];
    const merger = await api.userWith(['view_repository', 'merge_agents_and_subjects'], repoId);
    const selections = { agent_contacts: [{ append: 'REPLACE', position: 0 }] };
    for (const query of ['?dry_run=true', '']) {
      const refused = await detail(kept, gone, selections, query, merger);
      expect(refused).toMatchObject({ status: 400, json: { error: { agent_contacts: ['Is not valid'] } } });
      expect(refused.text).not.toContain('desk@example.org');
      expect(await detail(kept, gone, selections, query)).toMatchObject({
        status: 400,
        json: { error: { 'agent_contacts/1/is_representative': [expect.stringContaining('only one')] } },
      });
    }
    expect((await get(gone)).agent_contacts).toHaveLength(1);
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

  it('keeps an authority id that it gives two names, which the next save refuses', async () => {
    const name = (primary_name: string, more: object) => ({
      names: [{ primary_name, name_order: 'direct', sort_name_auto_generate: true, source: 'local', ...more }],
    });
    const [kept, gone] = [await person(name('Kept', {})), await person(name('Gone', { authority_id: 'auth-10' }))];
    const selections = {
      names: [
        { authority_id: 'REPLACE', position: 0 },
        { append: 'REPLACE', position: 0 },
      ],
    };
    expect((await detail(kept, gone, selections)).status).toBe(200);
    const now = await get(kept);
    expect(now.names).toMatchObject([{ authority_id: 'auth-10' }, { authority_id: 'auth-10' }]);
    expect((await api.post(kept, now)).json.error).toEqual({
      'names/1/authority_id': ['Authority ID must be unique'],
      conflicting_record: [kept],
    });
  });

  it('takes contact details along, and tells them to nobody who may not see them', async () => {
    const [kept, gone] = [
      await person({ agent_contacts: [{ name: 'Secret home' }] }),
      await person({ agent_contacts: [{ name: 'Secret desk' }] }),
    ];
    const family = await api.create('/agents/families', {
      names: [{ family_name: 'Family', sort_name_auto_generate: true, source: 'local' }],
    });
    const session = await api.userWith(['view_repository', 'merge_agents_and_subjects'], repoId);
    const contacts = { agent_contacts: [{ append: 'REPLACE', position: 0 }] };
    const replies = [
      await detail(kept, gone, contacts, '?dry_run=true', session),
      // A person has no name of a family: the refusal shows the record.
      await detail(kept, family, { names: [{ append: 'REPLACE', position: 0 }] }, '?dry_run=true', session),
      await detail(kept, gone, contacts, '', session),
    ];
    expect(replies.map(({ text }) => text.includes('Secret'))).toEqual([false, false, false]);
    expect(replies.map(({ status, json }) => [status, json.result?.agent_contacts])).toEqual([
      [200, []],
      [400, undefined],
      [200, []],
    ]);
    expect((await get(kept)).agent_contacts).toMatchObject([{ name: 'Secret home' }, { name: 'Secret desk' }]);
  });

  it('tells of telephones that a merge took away, until it is undone', async () => {
    const [kept, gone] = [
      await person({ agent_contacts: [{ name: 'Home', telephones: [{ number: '1' }] }] }),
      await person({ agent_contacts: [{ name: 'Desk' }] }),
    ];
    const telephone: string = (await get(kept)).agent_contacts[0].telephones[0].uri;
    const deleted = async (): Promise<readonly string[]> =>
      (await get('/delete-feed?page=1&page_size=250')).results.filter((uri: string) => uri === telephone);
    const merged = await detail(kept, gone, { agent_contacts: [{ replace: 'REPLACE', position: 0 }] });
    expect([merged.status, (await get(kept)).agent_contacts[0].name]).toEqual([200, 'Desk']);
    expect(await deleted()).toEqual([telephone]);
    expect((await undo(merged)).status).toBe(200);
    expect([(await get(kept)).agent_contacts[0].telephones.length, await deleted()]).toEqual([1, []]);
  });

  it('tells of telephones that a merge brought once it is undone', async () => {
    const [kept, gone] = [
      await person({ agent_contacts: [{ name: 'Home' }] }),
      await person({ agent_contacts: [{ name: 'Desk', telephones: [{ number: '2' }] }] }),
    ];
    const merged = await detail(kept, gone, { agent_contacts: [{ append: 'REPLACE', position: 0 }] });
    const telephone: string = (await get(kept)).agent_contacts[1].telephones[0].uri;
    expect((await undo(merged)).status).toBe(200);
    const feed = (await get('/delete-feed?page=1&page_size=250')).results;
    expect(feed.filter((uri: string) => uri === telephone)).toEqual([telephone]);
    expect(feed).not.toContain((await get(gone)).agent_contacts[0].telephones[0].uri);
  });

  it('refuses choices that are in no lists, where nothing would be taken, and merges nothing', async () => {
    const [kept, gone] = [await person(), await person()];
    expect((await detail(kept, gone, { names: { 0: { append: 'REPLACE', position: 0 } } })).json).toEqual({
      error: { selections: ['names: Must be a array (you provided a Hash)'] },
    });
    expect((await detail(kept, gone, { names: ['append'] }, '?dry_run=true')).json).toEqual({
      error: { selections: ['names/0: Must be a object (you provided a String)'] },
    });
    expect((await api.get(gone)).status).toBe(200);
    const nothing = { names: [null, {}], agent_contacts: {}, notes: null, agent_sources: [] };
    expect((await detail(kept, gone, nothing, '?dry_run=true')).json.selections).toEqual({});
  });

  it('refuses choices that are not there or make no valid record, and merges nothing', async () => {
    const [kept, gone] = [await person(), await person()];
    expect((await detail(kept, gone, { names: [{ primary_name: 'REPLACE', position: 'x' }] })).status).toBe(400);
    expect((await detail(kept, gone, { names: [{}, {}, { primary_name: 'REPLACE', position: 0 }] })).status).toBe(400);
    expect((await detail(kept, gone, { nonsense: [{ append: 'REPLACE' }] })).json).toEqual({
      error: { selections: ['nonsense.0.append.0: nothing is there'] },
    });
    // What no name has is misspelt; what a name may have and neither has is nothing to take.
    expect((await detail(kept, gone, { names: [{ primry_name: 'REPLACE', position: 0 }] })).json).toEqual({
      error: { selections: ['names.0.primry_name.0: nothing is there'] },
    });
    expect((await api.get(gone)).status).toBe(200);
    const blank = { names: [{ suffix: 'REPLACE', position: 0 }] };
    expect((await detail(kept, gone, blank, '?dry_run=true')).json.selections).toEqual({
      'names.0.suffix.0': 'REPLACE',
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
