// The thread for large bodies starts when somebody reads a large record that they may save: whoever saves it then does not wait for that.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ok, startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';

/** Whether this process, which the API runs in, has a thread. */
const hasThread = (): boolean => process.getActiveResourcesInfo().includes('MessagePort');

test('a large record that is read has the thread started, for who may save it', async () => {
  await using api = await startTestApi({ worker: false });
  const repoId = await api.repository();
  const root = await api.create(`/repositories/${repoId}/resources`, resourceBody('R'));
  const note = {
    jsonmodel_type: 'note_multipart',
    type: 'scopecontent',
    subnotes: [{ jsonmodel_type: 'note_text', content: 'x'.repeat(50_000) }],
  };
  const component = (title: string): Promise<string> =>
    api.create(`/repositories/${repoId}/archival_objects`, {
      title,
      level: 'file',
      resource: { ref: root },
      notes: [note],
    });
  // As it is sent, the event loop reads it; as it is read, with the title as its display string too, it is large.
  const [large, usual] = [await component('t'.repeat(8000)), await component('t')];
  const viewer = await api.userWith(['view_repository'], repoId);

  ok(await api.get(usual));
  ok(await api.get(large, viewer));
  await sleep(300);
  expect(hasThread()).toBe(false);

  const read = ok(await api.get(large));
  await expect.poll(hasThread).toBe(true);
  expect((await api.post(large, read)).status).toBe(200);
});
