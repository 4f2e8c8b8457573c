// Jobs as they are listed, followed, canceled and looked into: their logs and their files.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import type { Transaction } from '#store/connection/database.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { step } from '#test/support/worker-jobs.ts';
import { postJob } from '#test/support/api-jobs.ts';
import { adminPassword, idOf, ok, startTestApi } from '#test/support/api.ts';
import { holding } from '#test/support/held-table.ts';
import { findingAid } from '../archive.ts';
import { throughProxy } from '../foreign-server.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

let api: TestApi;
let job: string;
/** A job of no repository, of a kind that no worker of this service takes: it waits. */
const waits = async (tx: Transaction): Promise<string> => {
  const payload = { box: 'b', note: 'n', ms: 0, failTimes: 0, code: '' };
  return `/jobs/${(await enqueueJob(tx, step, payload, { visible: true, owner: 'admin' })).jobId}`;
};
const repoOf = (uri: string): number => Number(uri.split('/')[2]);
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

describe('a list of jobs', () => {
  it('has those that run first, then those that wait, each once, of all repositories and of none', async () => {
    const imported = { jsonmodel_type: 'import_job', filenames: ['aid.xml'], import_type: 'ead_xml' };
    const make = async (mark: string): Promise<string> => {
      const file = { name: 'aid.xml', content: findingAid(mark) };
      return ok(await postJob(api, repoOf(job), imported, { file })).uri;
    };
    // The first of these imports waits for the change log, and the others for the first.
    const [running, waiting, canceled] = await holding(
      api.database,
      { table: 'change', against: 'writers' },
      async (isMet) => {
        const begun = await make('MS.2');
        await isMet();
        const [second, third] = [await make('MS.3'), await make('MS.4')];
        expect(await throughProxy(api, ['jobs', '--cancel', third])).toEqual({
          code: 0,
          stdout: `${third}: canceled\n`,
          stderr: '',
          asked: [`POST ${third}/cancel`, `GET ${third}`],
        });
        const { code, stdout, stderr } = await run('jobs');
        const [heading, ...rows] = stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.split(/ {2,}/));
        expect([code, stderr, heading]).toEqual([0, '', ['STATUS', 'TYPE', 'OWNER', 'SUBMITTED', 'FINISHED', 'URI']]);
        const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
        expect(rows.slice(0, 2)).toEqual([
          ['running', 'import_job', 'admin', moment, begun],
          ['queued', 'import_job', 'admin', moment, second],
        ]);
        expect(rows).toContainEqual(['canceled', 'import_job', 'admin', moment, moment, third]);
        expect(rows).toContainEqual(['completed', 'import_job', 'admin', moment, moment, job]);
        // Those of no repository come last.
        expect(rows.at(-1)?.at(-1)).toMatch(/^\/jobs\/\d+$/);
        expect(new Set(rows.map((row) => row.at(-1))).size).toBe(rows.length);
        return [begun, second, third];
      },
    );
    const ends = await Promise.all([running, waiting, canceled].map((uri) => run('jobs', '--follow', uri ?? '')));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [1, ''],
    ]);
    expect(ends[0]?.stdout).toMatch(/STARTED: [^]*DONE: [^]*: completed\n$/);
    const json = await run('jobs', '--follow', running ?? '', '--json');
    const log = (ends[0]?.stdout ?? '').trimEnd().split('\n').slice(0, -1);
    expect(JSON.parse(json.stdout)).toEqual({ job: running, status: 'completed', log });
    expect(ends[2]?.stdout).toBe(`The job was canceled\n${canceled}: canceled\n`);
    const again = await run('jobs', '--cancel', canceled ?? '', '--json');
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { job: canceled, status: 'canceled' }]);
  });

  it('of one repository asks for nothing else, and says where there are none', async () => {
    const [other] = JSON.parse((await run('repositories', '--json')).stdout);
    expect(await throughProxy(api, ['jobs', '--repository', 'other', '--page', '2'])).toEqual({
      code: 0,
      stdout: 'There are no jobs.\n',
      stderr: '',
      asked: [
        'GET /repositories',
        `GET ${other.uri}/jobs/active`,
        `GET ${other.uri}/jobs/archived?page=2&page_size=50`,
      ],
    });
  });

  it('of none has fifty on a page, the newest first', async () => {
    const ids: readonly number[] = (await api.get('/jobs?all_ids=true')).json;
    const made = await api.database.transaction((tx) => Array.fromAsync({ length: 120 - ids.length }, () => waits(tx)));
    const newest = [...ids.map((id) => `/jobs/${id}`), ...made].toSorted((one, next) => idOf(next) - idOf(one));
    const page = async (number: number): Promise<readonly string[]> => {
      const jobs: readonly { readonly uri: string }[] = JSON.parse(
        (await run('jobs', '--page', String(number), '--json')).stdout,
      );
      // Those of the repositories may be there, too.
      return jobs
        .flatMap(({ uri }) => (uri.startsWith('/jobs/') ? [uri] : []))
        .toSorted((one, next) => idOf(next) - idOf(one));
    };
    expect(await Promise.all([1, 2, 3, 4].map(page))).toEqual([
      newest.slice(0, 50),
      newest.slice(50, 100),
      newest.slice(100),
      [],
    ]);
  });
});

describe('a job that is named', () => {
  it.each(['/repositories/2/jobs/7/log', 'x/jobs/7', '/repositories/2/jobs/x', '/agents/people/7'])(
    'is none at %s',
    async (named) => {
      const words = `${named} is no uri of a job: it should look like /repositories/2/jobs/7.\n`;
      for (const args of [
        ['--follow', named],
        ['--cancel', named],
        ['log', named],
        ['files', named],
      ])
        expect(await throughProxy(api, ['jobs', ...args])).toEqual({ code: 2, stdout: '', stderr: words, asked: [] });
    },
  );

  it('is looked for by its number in all repositories, or in the one that is named', async () => {
    const number = String(idOf(job));
    const log = await run('jobs', 'log', job);
    const named = await throughProxy(api, ['jobs', 'log', number, '--repository', 'mss']);
    expect(named).toEqual({ ...log, asked: ['GET /repositories', `GET ${job}/log`] });
    const { asked, ...found } = await throughProxy(api, ['jobs', 'log', number]);
    expect(found).toEqual(log);
    expect(asked.toSorted()).toEqual(
      [
        'GET /repositories',
        `GET /jobs/${number}`,
        ...[2, 3].map((id) => `GET /repositories/${id}/jobs/${number}`),
        `GET ${job}/log`,
      ].toSorted(),
    );
    expect(await run('jobs', 'log', '999999')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no job 999999 that you see, in any repository or of none.\n',
    });
  });

  it('has nothing where it has written nothing and has no files', async () => {
    const uri = await api.database.transaction(waits);
    expect(await run('jobs', 'log', uri)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run('jobs', 'files', uri)).toEqual({ code: 0, stdout: 'The job has no files.\n', stderr: '' });
  });

  it('has each file once, by its number where two have the same name', async () => {
    const form = new FormData();
    const imported = { jsonmodel_type: 'import_job', filenames: ['a.csv', 'a.csv'], import_type: 'ead_xml' };
    form.set('job', JSON.stringify({ jsonmodel_type: 'job', job: imported }));
    for (const text of ['x'.repeat(1500), 'xy']) form.append('files[]', new Blob([text]), 'a.csv');
    const { uri } = ok(await api.ask(`/repositories/${repoOf(job)}/jobs_with_files`, { form }));
    const [first, second] = (await api.get(`${uri}/output_files`)).json;
    expect(JSON.parse((await run('jobs', 'files', uri, '--json')).stdout)).toEqual([
      { id: first, name: 'a.csv', bytes: 1500 },
      { id: second, name: `${second}-a.csv`, bytes: 2 },
    ]);
    expect((await run('jobs', 'files', uri)).stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'SIZE', 'NAME'],
      [String(first), '1.5 kB', 'a.csv'],
      [String(second), '2 bytes', `${second}-a.csv`],
      [''],
    ]);
  });
});
