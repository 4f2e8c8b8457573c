// Saves of components that were read before the merge of their collection was undone.
import { afterAll, expect, test } from 'vitest';
import { ok, startTestApi } from '#test/support/api.ts';
import { mergesOf } from '#test/support/merge-requests.ts';
import { resourceBody } from '#test/support/records.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(async () => api[Symbol.asyncDispose]());

test('are refused as stale, and leave the components where they came back to', async () => {
  const repoId = await api.repository();
  const at = `/repositories/${repoId}`;
  const { merge, undo } = mergesOf(api, repoId);
  const kept = await api.create(`${at}/resources`, resourceBody('R1'));
  const gone = await api.create(`${at}/resources`, resourceBody('R2'));
  const component = (title: string, more: object = {}): Promise<string> =>
    api.create(`${at}/archival_objects`, { title, level: 'file', resource: { ref: gone }, ...more });
  const top = await component('Top');
  const below = await component('Below', { parent: { ref: top } });
  const reply = await merge('resource', kept, [gone], `?repo_id=${repoId}`);
  const read = ok(await api.get(top));
  expect(read.resource).toEqual({ ref: kept });
  expect((await undo(reply)).status).toBe(200);
  const saved = await api.post(top, { ...read, title: 'Read before' });
  expect([saved.status, saved.json.error]).toEqual([
    409,
    'The record you tried to update has been modified since you fetched it.',
  ]);
  const now = ok(await api.get(top));
  expect([now.resource, ok(await api.get(below)).resource]).toEqual([{ ref: gone }, { ref: gone }]);
  // What stands in its history is each of its versions.
  const history = ok(await api.get(`${top}/history`));
  expect([now.lock_version, history.results.map((each: { version: number }) => each.version)]).toEqual([1, [1, 0]]);
  ok(await api.post(top, { ...now, title: 'Read after' }));
});
