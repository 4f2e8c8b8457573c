// Positions of components of a collection whose merge was undone: its tree is a new one, of which nothing is remembered from before.
import { afterAll, expect, test } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import { mergesOf } from '#test/support/merge-requests.ts';
import { resourceBody } from '#test/support/records.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());

test('are those of now, whatever was read before the merge', async () => {
  const repoId = await api.repository();
  const at = `/repositories/${repoId}`;
  const { merge, undo } = mergesOf(api, repoId);
  const [kept, gone] = [
    await api.create(`${at}/resources`, resourceBody('R1')),
    await api.create(`${at}/resources`, resourceBody('R2')),
  ];
  const component = (title: string, more: object = {}): Promise<string> =>
    api.create(`${at}/archival_objects`, { title, level: 'file', resource: { ref: gone }, ...more });
  const uris = [await component('One'), await component('Two')];
  const positions = (): Promise<readonly number[]> =>
    Promise.all(uris.map(async (uri) => (await api.get(uri)).json.position));
  expect(await positions()).toEqual([0, 1]);
  const reply = await merge('resource', kept, [gone], `?repo_id=${repoId}`);
  expect((await undo(reply)).status).toBe(200);
  await component('None', { position: 0 });
  expect(await positions()).toEqual([1, 2]);
});
