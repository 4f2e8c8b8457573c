// What `muniment search` makes of its options, and `check` of the state of the index: all of it as a service with an index answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { projectRoot } from '#test/support/service.ts';
import { untilFollowed } from '#test/support/settled.ts';
import { throughProxy } from '../foreign-server.ts';
import type { Run } from '../run-cli.ts';
import { runCli } from '../run-cli.ts';

let api: TestApi;
let repoId: number;
let root: string;
let agent: string;
/** Whoever may see the repository, and administers nothing. */
let viewer: string;
const run = (args: readonly string[], env: { readonly [name: string]: string } = {}): Promise<Run> =>
  runCli(args, { env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword, ...env } });
const resource = (id: string, title: string): object => ({
  ...{ title, id_0: id, level: 'collection', finding_aid_language: 'eng', finding_aid_script: 'Latn' },
  dates: [{ label: 'creation', date_type: 'single', begin: '1900' }],
  extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
  lang_materials: [{ language_and_script: { language: 'eng' } }],
});

beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository('MSS');
  const maps = await api.repository('MAPS');
  root = await api.create(`/repositories/${repoId}/resources`, resource('A.1', 'Plans of <emph>the</emph> harbour'));
  const first = await api.create(`/repositories/${maps}/resources`, resource('B.1', 'Sheets of quays B'));
  await api.create(`/repositories/${maps}/resources`, resource('B.2', 'Sheets of quays A'));
  const title = 'Sheets of quays C';
  await api.create(`/repositories/${maps}/archival_objects`, { title, level: 'file', resource: { ref: first } });
  const name = { primary_name: 'Harbour', rest_of_name: 'Ellen', sort_name_auto_generate: true };
  agent = await api.create('/agents/people', {
    names: [{ ...name, name_order: 'inverted', source: 'local', rules: 'dacs' }],
  });
  viewer = await api.userWith(['view_repository'], repoId);
  await untilFollowed(api.database);
});
afterAll(() => api[Symbol.asyncDispose]());

describe('a search', () => {
  it('asks everywhere for all words, and tells uri, type and title without markup', async () => {
    const found = await throughProxy(api, ['search', 'plans', 'harbour']);
    const type = ' '.repeat(root.length - 'URI'.length);
    expect(found).toEqual({
      code: 0,
      stdout: [`URI${type}  TYPE      TITLE`, `${root}  resource  Plans of the harbour`, '1 found', ''].join('\n'),
      stderr: '',
      asked: ['GET /search?q=plans harbour&page=1&page_size=20'],
    });
    const json = await run(['search', 'plans', 'harbour', '--json']);
    expect([json.code, json.stderr, JSON.parse(json.stdout)]).toEqual([
      0,
      '',
      (await api.get('/search?q=plans%20harbour&page=1&page_size=20')).json,
    ]);
    const people = await run(['search', 'harbour', '--type', 'agent']);
    expect(people.stdout.split('\n').slice(1)).toEqual([`${agent}  agent_person  Harbour, Ellen`, '1 found', '']);
  });

  it('asks in one repository with all that it was told, for 250 at most', async () => {
    const titles = async (...more: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await run(['search', 'sheet', '--repository', 'maps', '--stem', 'en', ...more]);
      return stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ {2,}/).at(-1) ?? '');
    };
    const sorted = ['--sort', 'title_sort asc'];
    expect(await titles(...sorted)).toEqual(['Sheets of quays A', 'Sheets of quays B', 'Sheets of quays C', '3 found']);
    expect(await titles(...sorted, '--type', 'resource', 'agent')).toEqual([
      'Sheets of quays A',
      'Sheets of quays B',
      '2 found',
    ]);
    expect(await titles(...sorted, '--page', '2', '--page-size', '2')).toEqual([
      'Sheets of quays C',
      '3 found; page 2 of 2',
    ]);
    const all = await run(['search', 'sheets', '--page-size', '999', '--json']);
    expect(JSON.parse(all.stdout)).toMatchObject({ page_size: 250, total_hits: 3 });
    const told = ['--page', '3', '--page-size', '999', '--sort', 'title_sort asc', '--stem', 'en'];
    const { code, asked } = await throughProxy(api, [
      ...['search', 'x', '--repository', 'mss', '--type', 'resource', 'agent', ...told],
      ...['--relax', '--did-you-mean'],
    ]);
    expect([code, asked]).toEqual([
      0,
      [
        'GET /repositories',
        `GET /repositories/${repoId}/search?q=x&page=3&page_size=250&type[]=resource&type[]=agent&sort=title_sort asc&stem=en&relax=true&did_you_mean=true`,
      ],
    ]);
  });

  it('says beside it what the reply says of itself', async () => {
    const broken = await run(['search', '"harbour']);
    expect(broken).toMatchObject({
      code: 0,
      stderr: 'a quotation mark is never closed; searched as plain words (column 1)\n',
    });
    const relaxed = await run(['search', 'plans', 'harbour', 'zyzzyva', '--relax']);
    expect(relaxed.stderr.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^0 with all words, the others with \d or more of them$/),
      'Nothing has zyzzyva',
    ]);
    expect((await run(['search', 'harbur', 'plans', '--relax'])).stderr.split('\n')).toEqual([
      '0 with all words, the others with 1 or more of them',
      'harbur was taken for harbour',
      '1 found without harbur',
      '',
    ]);
    const misspelt = await run(['search', 'harbur', '--did-you-mean']);
    expect(misspelt).toEqual({
      code: 0,
      stdout: 'URI  TYPE  TITLE\nNothing was found.\n',
      stderr: 'Did you mean: harbour (2 found)\n',
    });
  });

  it('is asked again with --wait until one is found, and once without', async () => {
    const none = await throughProxy(api, ['search', 'quintessence']);
    expect([none.stdout, none.asked.length]).toEqual(['URI  TYPE  TITLE\nNothing was found.\n', 1]);
    const waiting = throughProxy(api, ['search', 'quintessence', '--wait']);
    const title = 'Quintessence of quays';
    await api.create(`/repositories/${repoId}/archival_objects`, { title, level: 'file', resource: { ref: root } });
    const { code, stdout, asked } = await waiting;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Quintessence of quays\n1 found\n$/)]);
    expect(new Set(asked)).toEqual(new Set(['GET /search?q=quintessence&page=1&page_size=20']));
    expect(asked.length).toBeGreaterThan(1);
  });

  it('of those who may not search everywhere says what to name; in a repository they are refused as ever', async () => {
    const as = (...args: readonly string[]): Promise<Run> => run([...args, '--session', viewer]);
    expect(await as('search', 'harbour')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'admin may not search in all repositories at once (403): name one with --repository.\n',
    });
    expect(await as('search', 'harbour', '--repository', 'MSS')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Plans of the harbour\n'),
    });
    expect(await as('search', 'harbour', '--repository', 'MAPS')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'admin may not do this (403 Access denied).\n',
    });
    const wrong = await run(['search', 'harbour', '--type', 'frog', '--sort', 'frog', '--json']);
    expect([wrong.code, JSON.parse(wrong.stdout)]).toEqual([
      1,
      { error: expect.stringMatching(/^The service refused this \(400\)/), status: 400, details: expect.anything() },
    ]);
  });
});

describe('check', () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const lines = (told: string, index: readonly string[]): string =>
    [`address    ${api.url}`, 'ready      yes', `version    ${told}, Muniment ${version}`, ...index, ''].join('\n');

  it('tells all of a service that is well', async () => {
    await untilFollowed(api.database);
    const told = (await api.get('/version')).text.trim();
    expect(await run(['check'])).toEqual({
      code: 0,
      stdout: lines(told, ['login      as admin', 'index      up to date']),
      stderr: '',
    });
    const json = await run(['check', '--json']);
    expect([json.code, json.stderr, JSON.parse(json.stdout)]).toEqual([
      0,
      '',
      {
        ok: true,
        url: api.url,
        ready: true,
        version: told,
        product_version: version,
        login: { user: 'admin', ok: true, says: 'as admin' },
        index: { changes: 0, due: 0, bulk: 0, fans: 0, waitingSeconds: 0 },
      },
    ]);
  });

  it('says nothing of the index to those who may not ask', async () => {
    const told = (await api.get('/version')).text.trim();
    const name = (await api.get('/users/current-user', viewer)).json.username;
    expect(await run(['check', '--session', viewer])).toEqual({
      code: 0,
      stdout: lines(told, [`login      as ${name}`]),
      stderr: '',
    });
  });

  it('ends with 1 where the service lets nobody in', async () => {
    const told = (await api.get('/version')).text.trim();
    const env = { MUNIMENT_URL: api.url, MUNIMENT_DATA_DIR: '/nowhere' };
    expect(await runCli(['check', '--session', 'gone'], { env })).toEqual({
      code: 1,
      stdout: lines(told, ['login      The session has ended: log in again.']),
      stderr: '',
    });
  });
});

describe('reindex', () => {
  it('builds the index anew, of all or of a part, and waits for it or not', async () => {
    const all = await throughProxy(api, ['reindex']);
    expect({ ...all, stdout: all.stdout.replace(/\d+\.\d s/, 'N s'), asked: all.asked[0] }).toEqual({
      code: 0,
      stdout: 'The index is built (N s).\n',
      stderr: expect.stringMatching(/^( {2}(Waiting for the worker|Indexing)\n)/),
      asked: 'POST /system/reindex',
    });
    const begun = await throughProxy(api, [
      ...['reindex', '--repository', 'MSS', '--kind', 'resource', 'subject', '--rewrite', '--no-wait'],
    ]);
    const [, job = ''] = /^The index is being built \(job (\d+)\)\.\n$/.exec(begun.stdout) ?? [];
    expect(begun).toEqual({
      code: 0,
      stdout: `The index is being built (job ${job}).\n`,
      stderr: '',
      asked: [
        'GET /repositories',
        `POST /system/reindex?repo_id=${repoId}&kind[]=resource&kind[]=subject&rewrite=true`,
      ],
    });
    const end = await run(['jobs', '--follow', `/jobs/${job}`]);
    expect([end.code, end.stdout.trimEnd().split('\n').at(-1)]).toEqual([0, `/jobs/${job}: completed`]);
  });
});
