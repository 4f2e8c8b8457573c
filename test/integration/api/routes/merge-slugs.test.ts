// Merges where slugs are on: the agent that takes over another's name, and merges that are undone when others have the slugs by now.
import { afterAll, expect, it } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import { mergesOf, refs } from '#test/support/merge-requests.ts';

const api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_SLUGS: 'title' } });
afterAll(async () => api[Symbol.asyncDispose]());
const repoId = await api.repository();
const { person, merge, undo } = mergesOf(api, repoId);
const slugOf = async (uri: string): Promise<string> => (await api.get(uri)).json.slug;
const foundBy = async (slug: string): Promise<number> =>
  (await api.get(`/slug?slug=${slug}&controller=agents&action=show`)).json.id;
/** An agent of a name, which is not the same as another one of it by its source. */
const called = (primary_name: string, source = 'local'): Promise<string> =>
  person({ names: [{ primary_name, name_order: 'direct', sort_name_auto_generate: true, source }] });
const detail = (kept: string, gone: string) =>
  api.post('/merge_requests/agent_detail', {
    jsonmodel_type: 'merge_request_detail',
    merge_destination: { ref: kept },
    merge_candidates: refs(gone),
    selections: { names: [{ primary_name: 'REPLACE', position: 0 }] },
  });

it('an agent that takes over the name of another has the slug of that name, and its own again when that is undone', async () => {
  const [kept, gone] = [await called('Able'), await called('Baker')];
  const reply = await detail(kept, gone);
  expect([reply.status, await slugOf(kept), await foundBy('able')]).toEqual([200, 'baker', -1]);
  expect((await undo(reply)).status).toBe(200);
  expect([await slugOf(kept), await slugOf(gone)]).toEqual(['able', 'baker']);
});

it('a merge is undone where others have the slugs by now, which they keep: what comes back has a number', async () => {
  const [kept, gone] = [await called('Cole'), await called('Dale')];
  const reply = await detail(kept, gone);
  const others = [await called('Cole', 'naf'), await called('Dale', 'naf')];
  expect([await slugOf(kept), ...(await Promise.all(others.map(slugOf)))]).toEqual(['dale', 'cole', 'dale_1']);
  const undone = await undo(reply);
  expect(undone.status, undone.text).toBe(200);
  expect([await slugOf(kept), await slugOf(gone)]).toEqual(['cole_1', 'dale']);
  expect(await Promise.all(others.map(slugOf))).toEqual(['cole', 'dale_1']);
  expect(await foundBy('cole_1')).toBe(Number(kept.split('/').at(-1)));

  const [still, merged] = [await called('Earl'), await called('Frost')];
  const plain = await merge('agent', still, [merged]);
  const taker = await called('Frost', 'naf');
  expect((await undo(plain)).status).toBe(200);
  expect([await slugOf(taker), await slugOf(merged), await foundBy('frost_1')]).toEqual([
    'frost',
    'frost_1',
    Number(merged.split('/').at(-1)),
  ]);
});
