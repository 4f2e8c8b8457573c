// The links of an undone merge, where its records were saved since (docs/decisions/0011).
import { afterAll, expect, test } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import { mergesOf } from '#test/support/merge-requests.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());
const { person, accession, merge, undo } = mergesOf(api, await api.repository());
const get = async (uri: string) => (await api.get(uri)).json;
const friend = (ref: string): object => ({
  jsonmodel_type: 'agent_relationship_associative',
  relator: 'is_associative_with',
  ref,
});

test('leads relations back that were saved since, from either side, and is refused where a new one moved the links of a holder of several', async () => {
  const [kept, gone, near, far, dropped, both, last] = [
    await person(),
    await person(),
    await person(),
    await person(),
    await person(),
    await person(),
    await person(),
  ];
  const friends = async (uri: string): Promise<readonly string[]> =>
    (await get(uri)).related_agents.map((each: { ref: string }) => each.ref).toSorted();
  const save = async (uri: string, ...related: readonly string[]): Promise<void> =>
    expect((await api.post(uri, { ...(await get(uri)), related_agents: related.map(friend) })).status).toBe(200);
  await save(gone, near);
  await save(far, gone);
  await save(dropped, gone);
  await save(both, kept, gone);
  const reply = await merge('agent', kept, [gone]);
  await save(near, last, kept);
  await save(kept, last, both, near, far, dropped);
  await save(dropped);
  await save(both, last, kept);
  expect((await undo(reply)).status).toBe(200);
  expect([await friends(gone), await friends(kept)]).toEqual([[near, far, both].toSorted(), [both, last].toSorted()]);
  expect([await friends(near), await friends(far), await friends(dropped), await friends(both)]).toEqual([
    [gone, last].toSorted(),
    [gone],
    [],
    [kept, gone, last].toSorted(),
  ]);

  const holder = await accession({ linked_agents: [kept, gone].map((ref) => ({ ref, role: 'creator' })) });
  const again = await merge('agent', kept, [gone]);
  const related = { ref: await accession(), relator: 'sibling_of', relator_type: 'bound_with' };
  const sibling = { jsonmodel_type: 'accession_sibling_relationship', ...related };
  await api.post(holder, { ...(await get(holder)), related_accessions: [sibling] });
  const refused = await undo(again);
  expect([refused.status, refused.json]).toEqual([409, { error: { [holder]: [{ message: 'CHANGED_SINCE' }] } }]);
  await api.post(holder, { ...(await get(holder)), related_accessions: [] });
  expect((await undo(again)).status).toBe(200);
  await api.del(gone);
  expect((await get(holder)).linked_agents).toMatchObject([{ ref: kept }]);
});
