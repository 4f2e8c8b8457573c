// What the job of finding and replacing refuses by itself, and how far it says that it is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fail } from '#domain/errors.ts';
import type { Progress } from '#domain/job.ts';
import { findAndReplace } from '#domain/jobs/find-and-replace.ts';
import type { Json } from '#domain/json.ts';
import { replaceInBodies } from '#domain/text/replace-in-bodies.ts';
import { readCaller } from '#store/access/grants.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';
import { runHandler } from '#test/support/run-handler.ts';
import { noThreads } from '#test/support/worker.ts';
import { handler } from '../../../../apps/worker/jobs/find-and-replace.ts';
import type { JobContext } from '../../../../apps/worker/handler.ts';

let api: TestApi;
let repoId: number;
let resource: string;
let first: string;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
  resource = await api.create(`/repositories/${repoId}/resources`, resourceBody('F1'));
  const below = (title: string) =>
    api.create(`/repositories/${repoId}/archival_objects`, { title, level: 'file', resource: { ref: resource } });
  first = await below('Letters of Smith');
  await below('Plans');
});
afterAll(() => api[Symbol.asyncDispose]());

const job = { find: 'Smith', replace: 'Smythe', record_type: 'archival_object', property: 'title' };

/** Runs the job for the administrator; gives its value and what it told. */
async function replaced(more: object): Promise<{ readonly value: Json | void; readonly told: readonly unknown[] }> {
  const told: unknown[] = [];
  const caller = await readCaller(api.database.reader, 'admin');
  const payload = { repoId, actor: 'admin', job: { ...job, base_record_uri: resource, ...more }, params: {} };
  const around = {
    caller,
    threads: { ...noThreads, run: async (_name: string, work: never) => replaceInBodies(work) as never },
    log: (line: string) => void told.push(line),
    progress: ({ label, done, total }: Progress) => void told.push([label, done, total]),
  } satisfies Partial<JobContext>;
  return { value: await runHandler(api.database, findAndReplace, handler, payload, around), told };
}

test('what is looked through and what is replaced are counted, and each record that changed is told', async () => {
  expect(await replaced({})).toEqual({
    value: { changed: 1 },
    told: [
      ['Finding', 2, 2],
      ['Replacing', 1, 1],
      `Updating ArchivalObject[${idOf(first)}].title`,
      'All done, logging modified records.',
    ],
  });
  expect((await api.get(first)).json.title).toBe('Letters of Smythe');
  expect(await replaced({})).toEqual({
    value: { changed: 0 },
    told: [['Finding', 2, 2], 'All done, no records modified.'],
  });
});

test.each<readonly [object, { readonly [name: string]: readonly string[] }]>([
  [{ record_type: 'frog' }, { record_type: ['Is no record type'] }],
  ...['lock_version', 'uri', 'ref', 'nothing', 'dates', 'constructor'].map(
    (property) => [{ property }, { property: [`Is no text of archival_object that can be changed`] }] as const,
  ),
  ...['x', '/agents/people/1', '/repositories/1/resources/1'].map(
    (uri) =>
      [
        { base_record_uri: uri },
        { base_record_uri: ['Must be the uri of a record of the repository of the job'] },
      ] as const,
  ),
])('%j is refused before anything is read', async (more, faults) => {
  await expect(replaced(more)).rejects.toEqual(fail('bad_parameter', faults));
});

test('a record that is not there is not found', async () => {
  const base_record_uri = `/repositories/${repoId}/resources/999999`;
  await expect(replaced({ base_record_uri })).rejects.toEqual(fail('not_found', 'Resource not found'));
});
