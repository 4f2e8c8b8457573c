// kill -9 of the API, the worker, the database server, one of its processes, and of everything at once, while clients write: after
// the next start everything that was acknowledged is there, and nothing half of it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPostmaster } from '#store/embedded/postmaster.ts';
import { startedDataDir } from '#test/support/first-started.ts';
import { amount } from '#test/support/long.ts';
import type { Service } from '#test/support/service.ts';
import { adminPasswordOf, ask, childrenOf, login, startService } from '#test/support/service.ts';

/** Kills a process; one that has just gone by itself, as a server's processes do when it is killed first, is no failure. */
function killAny(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const data = await startedDataDir();
let service: Service;
let session = '';
/** URIs of created components to their titles, as acknowledged; and every title that was sent. */
const acknowledged = new Map<string, string>();
const sent = new Set<string>();

beforeAll(async () => {
  service = await startService({ MUNIMENT_DATA_DIR: data.path });
  session = await login(service, adminPasswordOf(data.path));
  expect((await ask(service, '/repositories', session, { repo_code: 'killed', name: 'Killed' })).status).toBe(200);
  const resource = {
    title: 'Papers',
    id_0: 'K',
    level: 'collection',
    extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
    dates: [{ expression: '1900', date_type: 'single', label: 'creation' }],
    lang_materials: [{ language_and_script: { language: 'eng' } }],
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
  };
  expect((await ask(service, '/repositories/2/resources', session, resource)).body).toMatchObject({
    status: 'Created',
    uri: '/repositories/2/resources/1',
  });
});
afterAll(async () => {
  await service.stop();
  await data[Symbol.asyncDispose]();
});

/** Writes from four clients until `until` resolves; failures are expected, replies are remembered. */
async function writeWhile(disaster: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !over.signal.aborted; n++) {
      const title = `Sheet ${writer}.${n}.${performance.now()}`;
      sent.add(title);
      const reply = await ask(service, '/repositories/2/archival_objects', session, {
        title,
        level: 'file',
        resource: { ref: '/repositories/2/resources/1' },
      }).catch(() => null);
      if (reply?.status === 200) acknowledged.set(String(reply.body['uri']), title);
      // Four of them write at any moment all the same, and what starts again has the processor for it.
      await sleep(amount(350, 20));
    }
  });
  await sleep(600);
  await disaster();
  over.abort();
  await Promise.all(writers);
}

/** The tree as it is stored: every record that was acknowledged, and no record or place that nobody made. */
async function expectWhole(): Promise<void> {
  const { body: listed } = await ask(service, '/repositories/2/archival_objects?all_ids=true', session);
  const ids = Object.values(listed).map(Number);
  const found = new Map<string, string>();
  for (let at = 0; at < ids.length; at += 100) {
    const { body } = await ask(
      service,
      `/repositories/2/archival_objects?id_set=${ids.slice(at, at + 100).join(',')}`,
      session,
    );
    for (const record of Object.values(body)) {
      const { uri, title } = Object(record);
      found.set(String(uri), String(title));
    }
  }
  expect([...acknowledged].filter(([uri, title]) => found.get(uri) !== title)).toEqual([]);
  expect([...found.values()].filter((title) => !sent.has(title))).toEqual([]);
  expect(new Set(found.values()).size).toBe(found.size);
  const { body: root } = await ask(service, '/repositories/2/resources/1/tree/root', session);
  expect(root['child_count']).toBe(found.size);
  // The index catches up with whatever the worker missed.
  await expect
    .poll(
      async () =>
        (await ask(service, '/repositories/2/search?q=*&page=1&type[]=archival_object', session)).body['total_hits'],
      { interval: 200 },
    )
    .toBe(found.size);
}

const postmaster = (): number => readPostmaster(join(data.path, 'pg'))?.pid ?? 0;
const isReady = async (): Promise<boolean> =>
  fetch(`${service.url}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );
const startAgain = async (): Promise<void> => {
  service = await startService({ MUNIMENT_DATA_DIR: data.path });
};
const workerOf = (main: number): number => childrenOf(main).find((pid) => pid !== postmaster()) ?? 0;

test('the worker: it is started again while requests go on', async () => {
  await writeWhile(async () => {
    process.kill(workerOf(service.pid), 'SIGKILL');
    await expect.poll(() => service.output().split('"event":"worker_ready"').length).toBe(3);
  });
  expect(service.output()).toContain('"event":"worker_died"');
  await expectWhole();
});

test('one process of the database: all connections are lost, the server recovers by itself and so do API and worker', async () => {
  await writeWhile(async () => {
    const backend = childrenOf(postmaster()).at(-1) ?? 0;
    process.kill(backend, 'SIGKILL');
    await sleep(300);
    await expect.poll(isReady).toBe(true);
  });
  await expectWhole();
});

test('the main process of the database: it is started again, and requests are served without a restart', async () => {
  await writeWhile(async () => {
    process.kill(postmaster(), 'SIGKILL');
    await expect.poll(() => service.output().includes('"event":"database_restarted"')).toBe(true);
    await expect.poll(isReady).toBe(true);
  });
  await expectWhole();
});

test('the API: worker and database are found again by the next start', async () => {
  await writeWhile(async () => service.kill());
  await startAgain();
  expect(service.output()).toContain('"event":"database_adopted"');
  await expectWhole();
});

test('everything at once: the next start recovers from the log of the database', async () => {
  await writeWhile(async () => {
    for (const pid of [service.pid, workerOf(service.pid), ...childrenOf(postmaster()), postmaster()]) killAny(pid);
    await sleep(50);
  });
  await service.kill();
  await startAgain();
  expect(service.output()).toContain('"event":"database_started"');
  await expectWhole();
  expect(acknowledged.size).toBeGreaterThan(20);
  expect(await service.stop()).toBe(0);
  expect(postmaster()).toBe(0);
});
