// The log and the files of a job.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { findingAid } from '../archive.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

let api: TestApi;
let job: string;
const files = filesForTests();
const run = (...args: readonly string[]): Promise<Run> =>
  runCli(args, { cwd: files.folder, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  await api.repository('OTHER');
  await api.repository('MSS');
  const made = await run('import', files.put('aid.xml', findingAid('MS.1')), '--repository', 'MSS', '--json');
  [{ job }] = JSON.parse(made.stdout).files;
});
afterAll(() => api[Symbol.asyncDispose]());

describe('of a job', () => {
  it('prints the log, by uri or by number in whichever repository has it', async () => {
    const byUri = await run('jobs', 'log', job);
    expect(byUri).toMatchObject({ code: 0, stdout: expect.stringContaining('STARTED: ') });
    const number = job.split('/').at(-1) ?? '';
    expect((await run('jobs', 'log', number)).stdout).toBe(byUri.stdout);
    expect(JSON.parse((await run('jobs', 'log', number, '--repository', 'MSS', '--json')).stdout)).toEqual({
      job,
      log: byUri.stdout.trimEnd().split('\n'),
    });
    expect(await run('jobs', 'log', '999999')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no job 999999'),
    });
  });

  it('lists the files, and fetches them', async () => {
    expect((await run('jobs', 'files', job)).stdout).toMatch(/^ID +SIZE +NAME\n\d+ +[\d.]+ (bytes|kB) +aid\.xml\n$/);
    mkdirSync(join(files.folder, 'fetched'));
    const fetched = await run('jobs', 'files', job, '--to', 'fetched', '--json');
    const path = join(files.folder, 'fetched/aid.xml');
    expect(JSON.parse(fetched.stdout)).toEqual([
      { id: expect.any(Number), name: 'aid.xml', bytes: Buffer.byteLength(findingAid('MS.1')), file: path },
    ]);
    expect(readFileSync(path, 'utf8')).toBe(findingAid('MS.1'));
  });

  it('of no repository are listed, the newest first, and found by their number', async () => {
    mkdirSync(join(files.folder, 'load'));
    files.put('load/repositories.ndjson', '{"uri":"/repositories/2"}\n');
    // It is refused where there are records, by its job.
    const load = async (): Promise<string> =>
      JSON.parse((await run('load-folder', 'load', '--unfinished', '--json')).stdout).details.job;
    const [first, second] = [await load(), await load()];
    const listed: readonly { readonly uri: string }[] = JSON.parse((await run('jobs', '--json')).stdout);
    expect(listed.map(({ uri }) => uri)).toEqual([job, second, first]);
    const ofOne = await run('jobs', '--repository', 'MSS', '--json');
    expect(JSON.parse(ofOne.stdout)).toMatchObject([{ uri: job }]);
    expect(JSON.parse((await run('jobs', '--page', '2', '--json')).stdout)).toEqual([]);
    const number = second.replace('/jobs/', '');
    const log = await run('jobs', 'log', number);
    expect(log).toMatchObject({ code: 0, stdout: expect.stringContaining('There are records already') });
    expect(await run('jobs', 'files', number)).toMatchObject({ code: 0, stderr: '' });
  });

  it('are listed of the repositories that a user may see, and refused where that is none', async () => {
    const [repository = ''] = /^\/repositories\/\d+/.exec(job) ?? [];
    const groups: readonly { readonly uri: string; readonly group_code: string }[] = JSON.parse(
      (await run('show', `${repository}/groups`, '--json')).stdout,
    );
    const viewers = groups.find(({ group_code: code }) => code === 'repository-viewers')?.uri ?? '';
    const password = 'a word of its own';
    const as = (user: string, ...more: readonly string[]): Promise<Run> =>
      runCli(['jobs', '--json', ...more], {
        env: { MUNIMENT_URL: api.url, MUNIMENT_USER: user, MUNIMENT_PASSWORD: password },
      });
    for (const [name, ...group] of [['viewer', '--group', viewers], ['nobody']])
      await runCli(['users', 'create', name ?? '', ...group, '--password-stdin'], {
        env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword },
        input: password,
      });
    expect(JSON.parse((await as('viewer')).stdout)).toContainEqual(expect.objectContaining({ uri: job }));
    expect(await as('viewer', '--repository', 'OTHER')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('403'),
    });
    expect(await as('nobody')).toMatchObject({ code: 1, stdout: expect.stringContaining('403') });
  });
});
