// A run that is killed after it sent its folder: the next one finds the load by its mark, and neither fails nor loads twice.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { endOfGlobalJob } from '#test/support/loads.ts';
import { sharedThreads } from '#test/support/threads.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';
import { updateFolder } from '#migrate/update-folder.ts';
import { readCaller } from '#store/access/grants.ts';
import { handler as loadRecords } from '../../../apps/worker/jobs/load-records.ts';
import type { Run, RunOptions } from './run-cli.ts';
import { filesForTests, runCli } from './run-cli.ts';

let api: TestApi;
const files = filesForTests();
const folder = join(files.folder, 'archive');
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  mkdirSync(folder);
  manifest({});
  put('', 'One');
});
afterAll(() => api[Symbol.asyncDispose]());

const R = '/repositories/7';
const manifest = (more: object): void =>
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({
      format: 1,
      source: { url: 'http://source', release: 'R-B', version: 'v4.1.1' },
      started: '2026-01-01T00:00:00Z',
      finished: '2026-01-01T00:00:00Z',
      since: null,
      files: {},
      ...more,
    }),
  );
const known = (): any => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
function put(below: string, name: string): void {
  mkdirSync(join(folder, below), { recursive: true });
  const line = { jsonmodel_type: 'repository', uri: R, repo_code: 'OLD', name, lock_version: 5 };
  writeFileSync(join(folder, below, 'repositories.ndjson'), `${JSON.stringify(line)}\n`);
}
const run = (args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  runCli(args, { ...options, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });
/** Runs until the service has the folder, and kills -9 then: no worker runs, so the job is queued. */
const killedWhenSent = (...args: readonly string[]): Promise<Run> =>
  run(args, { onStderr: (text, child) => void (text.includes('Waiting for the worker') && child.kill('SIGKILL')) });
const loads = async (): Promise<readonly { readonly id: number; readonly status: string }[]> =>
  api.database.reader.any(
    sql.type(
      z.strictObject({ id: column.int, status: column.text }),
    )`SELECT id, status FROM job WHERE type = 'load-records' ORDER BY id`,
  );
// In this process: nothing kills it here, and one of its own takes longer to start than it works.
async function work(job: string): Promise<void> {
  await using connected = connect(api.databaseUrl);
  const worker = await startTestWorker(connected, {
    handlers: [loadRecords],
    threads: await sharedThreads(),
    readCaller,
  });
  try {
    await endOfGlobalJob(api, job);
  } finally {
    await worker.stop();
  }
}

describe('a load whose client was killed', () => {
  it('is found when it was done meanwhile, and not loaded twice', async () => {
    expect((await killedWhenSent('load-folder', folder)).code).toBeNull();
    const [sent] = await loads();
    expect(known().sending).toEqual({ service: api.url, mark: expect.any(String), update: false });
    await work(`/jobs/${sent?.id}`);
    const again = await run(['load-folder', folder]);
    expect([again.code, again.stdout], again.stderr).toEqual([0, `Loaded by an earlier run (/jobs/${sent?.id}).\n`]);
    expect([known().loaded, known().sending]).toEqual([api.url, undefined]);
    expect(await loads()).toHaveLength(1);
    expect((await api.get(R)).json).toMatchObject({ name: 'One', lock_version: 5 });
  });

  it('is followed where it goes on, as an update too, and keeps what changed afterwards apart', async () => {
    put('changes', 'Two');
    expect((await killedWhenSent('load-folder', folder, '--update')).code).toBeNull();
    const [, sent] = await loads();
    const uri = `/jobs/${sent?.id}`;
    // What is read now would mix with what was sent. The source is not even asked.
    await expect(updateFolder({ url: 'http://source' } as never, folder)).rejects.toThrow(/Nobody knows yet/);
    const following = run(['load-folder', folder, '--update']);
    await work(uri);
    const again = await following;
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining(`An earlier run sent this folder: ${uri}`)]);
    expect((await api.get(R)).json.name).toBe('Two');
    expect((await run(['load-folder', folder, '--update'])).stdout).toContain('Nothing has changed');
  });

  it('is done anew where it was canceled, or never arrived', async () => {
    put('changes', 'Three');
    await killedWhenSent('load-folder', folder, '--update');
    const sent = (await loads()).at(-1);
    await api.post(`/jobs/${sent?.id}/cancel`);
    const anew = run(['load-folder', folder, '--update']);
    await expect.poll(async () => (await loads()).at(-1)?.id).toBeGreaterThan(sent?.id ?? 0);
    await work(`/jobs/${(await loads()).at(-1)?.id}`);
    expect((await anew).code).toBe(0);
    expect((await api.get(R)).json.name).toBe('Three');
    manifest({ ...known(), sending: { service: api.url, mark: crypto.randomUUID(), update: true } });
    put('changes', 'Four');
    await killedWhenSent('load-folder', folder, '--update');
    await work(`/jobs/${(await loads()).at(-1)?.id}`);
    expect((await run(['load-folder', folder, '--update'])).stdout).toContain('Loaded by an earlier run');
    expect((await api.get(R)).json.name).toBe('Four');
  });

  it('keeps other runs from its folder while it goes on: what they read would go with what was loaded', async () => {
    put('changes', 'Alone');
    const before = (await loads()).length;
    const first = run(['load-folder', folder, '--update']);
    await expect.poll(async () => (await loads()).length).toBeGreaterThan(before);
    const second = await run(['load-folder', folder, '--update'], {
      onStderr: (text, child) => void (text.includes('An earlier run') && child.kill('SIGKILL')),
    });
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('is worked on by another run')]);
    await work(`/jobs/${(await loads()).at(-1)?.id}`);
    expect((await first).code).toBe(0);
    expect((await run(['load-folder', folder, '--update'])).stdout).toContain('Nothing has changed');
  });

  it('is known for ever by its mark, and a mark is taken once', async () => {
    const mark = crypto.randomUUID();
    const query = `/system/load?update=true&mark=${mark}`;
    const line = JSON.stringify({ jsonmodel_type: 'repository', uri: R, repo_code: 'OLD', name: 'Five' });
    const made = await api.ask(query, { body: line });
    expect((await api.ask(query, { body: line })).json).toEqual(made.json);
    await work(made.json.uri);
    expect((await api.get(`/system/loads/${mark}`)).json).toEqual({ mark, status: 'completed', job: made.json.uri });
    await api.database.transaction((tx) => tx.run(sql`DELETE FROM job WHERE id = ${made.json.id}`));
    expect((await api.get(`/system/loads/${mark}`)).json).toEqual({ mark, status: 'completed', job: null });
    expect((await api.ask(query, { body: line })).status).toBe(409);
    expect((await api.get(`/system/loads/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await api.get('/system/loads/other')).status).toBe(404);
    expect((await api.ask('/system/load?mark=other', { body: line })).status).toBe(400);
  });
});
