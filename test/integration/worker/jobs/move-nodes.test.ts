// Moves of many nodes, over HTTP and as a job: who works in other parts of the tree goes on until the end, and what changed meanwhile what was read of them has it done anew.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveNodes } from '#domain/jobs/move-nodes.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import { handler } from '../../../../apps/worker/jobs/move-nodes.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { outside } from '#test/support/outside.ts';
import { resourceBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const many = treeLimits.max + 20;
const idOf = (uri: string): number => Number(uri.split('/').at(-1));
const add = (root: string, title: string, parent?: string): Promise<string> =>
  api.create(`/repositories/${repoId}/archival_objects`, {
    title,
    level: 'file',
    resource: { ref: root },
    ...(parent === undefined ? {} : { parent: { ref: parent } }),
  });
/** A resource with two series, the second of which has many files. */
const grown = async (identifier: string) => {
  const root = await api.create(`/repositories/${repoId}/resources`, resourceBody(identifier));
  const [to, from] = [await add(root, 'To'), await add(root, 'From')];
  const children = Array.from({ length: many }, (_, n) => ({
    title: `File ${n}`,
    level: 'file',
    resource: { ref: root },
  }));
  const { status } = await api.post(`${from}/children`, { children });
  expect(status).toBe(200);
  return { root, to, from, files: await below(root, from) };
};
const below = async (root: string, parent: string): Promise<readonly string[]> => {
  const { waypoints } = (await api.get(`${root}/tree/node?node_uri=${parent}`)).json;
  const windows = Array.from({ length: waypoints }, async (_, offset) => {
    const { json } = await api.get(`${root}/tree/waypoint?parent_node=${parent}&offset=${offset}`);
    return json.map((each: { uri: string }) => each.uri);
  });
  return (await Promise.all(windows)).flat();
};

test('the children of a request come to their place, are re-dated, and go back', async () => {
  const { root, to, from, files } = await grown('MANY');
  const first = await add(root, 'First', to);
  const { user_mtime: userMtime, system_mtime: before, lock_version: version } = (await api.get(files[3] ?? '')).json;
  const accept = (parent: string, uris: readonly string[], position: number) =>
    api.post(`${parent}/accept_children?position=${position}&${uris.map((uri) => `children[]=${uri}`).join('&')}`, {});
  const { status, json } = await accept(to, files.toReversed(), 0);
  expect([status, json.status]).toEqual([200, 'Updated']);
  expect(await below(root, to)).toEqual([...files.toReversed(), first]);
  expect(await below(root, from)).toEqual([]);
  const after = (await api.get(files[3] ?? '')).json;
  expect(after).toMatchObject({
    user_mtime: userMtime,
    lock_version: version,
    parent: { ref: to },
    position: many - 4,
  });
  expect(after.system_mtime >= before).toBe(true);
  expect((await accept(to, [...files.slice(0, 9), '/repositories/2/archival_objects/999999'], 0)).status).toBe(404);
  expect((await accept(from, files, 0)).status).toBe(200);
  expect(await below(root, from)).toEqual(files);
});

test('killed before its end it leaves all as it was; the tree is free until then, and what was seen of it is seen anew', async () => {
  const { root, to, from, files } = await grown('BUSY');
  const payload = {
    repoId,
    nodeKind: 'archival_object',
    rootId: idOf(root),
    parentId: idOf(to),
    position: 0,
    ids: files.map(idOf),
    actor: 'admin',
  };
  await expect(killedOnce(api.database, moveNodes, handler, payload)).rejects.toThrow('killed');
  expect(await below(root, from)).toEqual(files);
  const lines: string[] = [];
  const run = async (work: (tries: number) => Promise<unknown>): Promise<number> => {
    let tries = 0;
    const value = await runHandler(api.database, moveNodes, handler, payload, {
      log: (line) => void lines.push(line),
      completeAhead: async (_, told) => {
        expect(told).toEqual({ moved: many });
        await outside(() => work((tries += 1)));
      },
    });
    expect(value).toEqual({ moved: many });
    return tries;
  };
  // Others add to either list, and above; then the parent is hidden, and what comes below it is to be hidden with it.
  let late = '';
  expect(
    await run(async () => {
      late = await add(root, 'Late', to);
      await add(root, 'Later', from);
      await add(root, 'Above');
    }),
  ).toBe(1);
  expect(await below(root, to)).toEqual([...files, late]);
  expect(await below(root, from)).toHaveLength(1);
  const back = { ...payload, parentId: idOf(from) };
  await runHandler(api.database, moveNodes, handler, back);
  const publish = async (is: boolean): Promise<void> => {
    const { json } = await api.get(to);
    expect((await api.post(to, { ...json, publish: is })).status).toBe(200);
  };
  await publish(true);
  const tries = await run(async (nth) => {
    if (nth === 1) await publish(false);
  });
  expect(tries).toBe(2);
  expect(lines).toEqual([expect.stringContaining('moved anew')]);
  expect(await below(root, to)).toEqual([...files, late]);
});
