// Single records, trees, documents and files from the shell, whole: what is asked of a service, and what is printed of its replies.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendDependents, enqueue } from '#store/search/pending.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, idOf, startTestApi } from '#test/support/api.ts';
import { holding } from '#test/support/held-table.ts';
import { throughProxy } from '../foreign-server.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

let api: TestApi;
let repoId: number;
let other: number;
let root: string;
let agent: string;
/** What was said before there was a repository. */
let before: readonly Run[];
const files = filesForTests();
const run = (...args: readonly string[]): Promise<Run> =>
  runCli(args, { cwd: files.folder, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });
const node: { [title: string]: string } = {};
const date = (more: object): object => ({ label: 'creation', date_type: 'inclusive', ...more });

beforeAll(async () => {
  // Soon enough a request is told of the job that it stands on.
  api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_JOB_WAIT_SECONDS: '1' } });
  before = [await run('repositories'), await run('tree', '1', '--repository', 'x'), await run('files')];
  repoId = idOf(await api.create('/repositories', { repo_code: 'MSS', name: '<b>Manu</b>scripts' }));
  other = idOf(await api.create('/repositories', { repo_code: String(repoId), name: 'Of a number' }));
  root = await api.create(`/repositories/${repoId}/resources`, {
    ...{ title: 'Papers', id_0: 'A.1', level: 'fonds', finding_aid_language: 'eng', finding_aid_script: 'Latn' },
    dates: [date({ expression: 'about 1900' })],
    extents: [{ portion: 'whole', number: '1', extent_type: 'linear_feet' }],
    lang_materials: [{ language_and_script: { language: 'eng' } }],
  });
  const component = async (title: string, more: object = {}): Promise<void> => {
    const body = { title, level: 'file', resource: { ref: root }, ...more };
    node[title] = await api.create(`/repositories/${repoId}/archival_objects`, body);
  };
  await component('T1', {
    dates: [date({ expression: 'about 1900' }), date({ begin: '1901', end: '1910' }), date({ begin: '1920' })],
  });
  await component('T2', { component_id: 'B.2' });
  await component('<emph/>');
  await component('T4', { parent: { ref: node['T1'] }, dates: [date({ begin: '1930' })] });
  await component('T5', { parent: { ref: node['T4'] } });
  const name = { primary_name: 'Harbour', sort_name_auto_generate: true, name_order: 'direct', source: 'local' };
  agent = await api.create('/agents/people', { names: [{ ...name, rules: 'dacs' }] });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('a tree', () => {
  const waypoint = (title: string): string => `GET ${root}/tree/waypoint?offset=0&parent_node=${node[title]}`;

  it('is printed to its leaves, in order, each read once', async () => {
    expect(await throughProxy(api, ['tree', root])).toEqual({
      code: 0,
      stdout: [
        // A root is told without its dates.
        'Papers  A.1 [fonds]',
        '  T1  [file] about 1900 1901–1910 1920',
        '    T4  [file] 1930',
        '      T5  [file]',
        '  T2  [file]',
        '  (no title)  [file]',
        '',
      ].join('\n'),
      stderr: '',
      asked: [`GET ${root}/tree/root`, waypoint('T1'), waypoint('T4')],
    });
  });

  it('ends at a depth, with uris where they are wanted, and asks for no more', async () => {
    const one = await throughProxy(api, [
      ...['tree', String(idOf(root)), '--repository', 'mss'],
      ...['--depth', '1', '--uris'],
    ]);
    expect([one.stdout.split('\n'), one.asked]).toEqual([
      [
        `Papers  A.1 [fonds]  ${root}`,
        `  T1  [file] about 1900 1901–1910 1920  ${node['T1']}`,
        `  T2  [file]  ${node['T2']}`,
        `  (no title)  [file]  ${node['<emph/>']}`,
        '',
      ],
      ['GET /repositories', `GET ${root}/tree/root`],
    ]);
    const two = await throughProxy(api, ['tree', root, '--depth', '2', '--json']);
    const places = two.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([two.asked, places.map(({ depth }) => depth)]).toEqual([
      [`GET ${root}/tree/root`, waypoint('T1')],
      [0, 1, 2, 1, 1],
    ]);
    expect(places[2]).toEqual({
      ...{ depth: 2, uri: node['T4'], title: 'T4', level: 'file', identifier: null, dates: ['1930'], child_count: 1 },
    });
  });

  const noRoot =
    'is no root of a tree: give the uri of a resource, digital object or classification, or the id of a resource with --repository.';
  it.each([
    ['/repositories/2/accessions/1', `/repositories/2/accessions/1 ${noRoot}`],
    ['0', `0 ${noRoot}`],
    ['7', 'Of which repository is resource 7? Give --repository, or the whole uri.'],
  ])('has no root at %s', async (named, words) => {
    expect(await throughProxy(api, ['tree', named])).toEqual({ code: 2, stdout: '', stderr: `${words}\n`, asked: [] });
  });
});

describe('repositories', () => {
  it('are listed, and named by id before code', async () => {
    expect(await run('repositories')).toEqual({
      code: 0,
      stdout: ['ID  CODE  NAME', `${repoId}   MSS   Manuscripts`, `${other}   ${repoId}     Of a number`, ''].join(
        '\n',
      ),
      stderr: '',
    });
    const titleAt = async (name: string): Promise<string> =>
      (await run('tree', String(idOf(root)), '--repository', name, '--depth', '1')).stdout.split(' ')[0] ?? '';
    expect([await titleAt(String(repoId)), await titleAt(`/repositories/${other}`), await titleAt('mss')]).toEqual([
      'Papers',
      '',
      'Papers',
    ]);
  });

  it('are said not to be there where there is none yet', () => {
    expect(before.slice(0, 2)).toEqual([
      { code: 0, stdout: 'There is no repository yet.\n', stderr: '' },
      {
        code: 2,
        stdout: '',
        stderr: 'There is no repository x; there is none yet (import --create-repository makes one).\n',
      },
    ]);
  });
});

describe('one record', () => {
  const accession = (title: string): Promise<string> =>
    api.create(`/repositories/${repoId}/accessions`, { title, id_0: title, accession_date: '2026-01-02' });

  it('is shown with what it refers to', async () => {
    const uri = await api.create(`/repositories/${repoId}/accessions`, {
      ...{ title: 'A\u001b[1m', id_0: 'shown', accession_date: '2026-01-02' },
      linked_agents: [{ ref: agent, role: 'creator' }],
    });
    const resolved = (await api.get(`${uri}?resolve[]=subjects&resolve[]=linked_agents`)).json;
    expect(resolved.linked_agents[0]._resolved.uri).toBe(agent);
    const plain = await run('show', uri, '--resolve', ' subjects,, linked_agents ');
    expect(plain).toEqual({ code: 0, stdout: `${JSON.stringify(resolved, null, 2)}\n`, stderr: '' });
    expect(plain.stdout).toContain('"title": "A\\u001b[1m"');
    const bare = (await api.get(uri)).json;
    expect(await run('show', uri, '--json')).toEqual({ code: 0, stdout: `${JSON.stringify(bare)}\n`, stderr: '' });
    expect(await run('show', 'x')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'x is no uri: it should look like /repositories/2/resources/1.\n',
    });
  });

  it('is deleted', async () => {
    const uri = await accession('deleted');
    for (const wrong of ['x', `${uri}?x`])
      expect(await throughProxy(api, ['delete', wrong, '--yes'])).toEqual({
        ...{ code: 2, stdout: '', asked: [] },
        stderr: `${wrong} is no uri: it should look like /repositories/2/resources/1.\n`,
      });
    expect(await throughProxy(api, ['delete', uri, '--yes', '--json'])).toEqual({
      code: 0,
      stdout: `{"status":"Deleted","id":${idOf(uri)}}\n`,
      stderr: '',
      asked: [`DELETE ${uri}`],
    });
    expect((await api.get(uri)).status).toBe(404);
  });

  it('is deleted by a job where that takes long, which is waited for', async () => {
    const uri = await api.create('/repositories', { repo_code: 'GONE', name: 'Gone' });
    const shownJobs = async (): Promise<readonly string[]> => JSON.parse((await run('jobs', '--json')).stdout);
    const count = (await shownJobs()).length;
    // Whoever holds the table of components holds up the job, too.
    const { asked } = await holding(
      api.database,
      { table: 'record_archival_object', against: 'all' },
      async (isMet) => {
        const deleting = throughProxy(api, ['delete', uri, '--yes', '--json']);
        await isMet();
        await expect.poll(shownJobs).toHaveLength(count + 1);
        return { asked: deleting };
      },
    );
    const { code, stdout, stderr, asked: all } = await asked;
    const { job } = JSON.parse(stdout);
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', { status: 'Deleted', job: expect.any(String) }]);
    expect(all.slice(0, 2)).toEqual([`DELETE ${uri}`, `GET ${job}`]);
    expect((await api.get(uri)).status).toBe(404);
  });

  it('has its history erased', async () => {
    const uri = await accession('purged');
    for (const title of ['second', 'third']) await api.post(uri, { ...(await api.get(uri)).json, title });
    expect(await throughProxy(api, ['purge', uri])).toEqual({
      ...{ code: 2, stdout: '', asked: [] },
      stderr: `This erases the history of ${uri} for good: say so with --yes.\n`,
    });
    expect(await throughProxy(api, ['purge', uri, '--yes'])).toEqual({
      code: 0,
      stdout: `Erased the history of ${uri}: 2 earlier versions\n`,
      stderr: '',
      asked: [`POST ${uri}/history/purge`],
    });
    expect(await run('purge', 'x', '--yes')).toMatchObject({
      code: 2,
      stderr: 'x is no uri: it should look like /agents/people/7.\n',
    });
  });
});

describe('a document', () => {
  // Every document says the second in which it was made.
  const undated = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/g, '<when>');
  const ead = (more = ''): string => `/repositories/${repoId}/resource_descriptions/${idOf(root)}.xml${more}`;
  const written = (name: string): string => readFileSync(join(files.folder, name), 'utf8');

  it('is printed, or written to a file', async () => {
    const printed = await throughProxy(api, ['export', root, '--format', 'EAD']);
    const expected = (await api.get(ead())).text;
    expect({ ...printed, stdout: undated(printed.stdout) }).toEqual({
      ...{ code: 0, stdout: undated(expected), stderr: '', asked: [`GET ${ead()}`] },
    });
    const three = ead('?ead3=true&include_unpublished=true&include_daos=true');
    const more = ['-o', 'aid.xml', '--unpublished', '--option', 'include_daos=true'];
    const out = await throughProxy(api, ['export', root, '--format', 'ead3', ...more], { cwd: files.folder });
    expect(undated(written('aid.xml'))).toBe(undated((await api.get(three)).text));
    expect(out).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^${join(files.folder, 'aid.xml')}: [\\d.]+ (bytes|kB)\n$`)),
      stderr: '',
      asked: [`GET ${three}`],
    });
    const to = ['--repository', String(other), '-o', 'eac.xml', '--json'];
    const json = await throughProxy(api, ['export', agent, '--format', 'eac-cpf', ...to], { cwd: files.folder });
    const bytes = Buffer.byteLength(written('eac.xml'));
    expect([json.code, JSON.parse(json.stdout), json.asked]).toEqual([
      0,
      { uri: agent, format: 'eac-cpf', file: join(files.folder, 'eac.xml'), bytes },
      ['GET /repositories', `GET /repositories/${other}/archival_contexts/people/${idOf(agent)}.xml`],
    ]);
    expect(written('eac.xml')).toContain('Of a number');
  });

  const resource = '/repositories/2/resources/1';
  it.each<readonly [readonly string[], string]>([
    [['x', '--format', 'ead'], 'x is no uri of a record: it should look like /repositories/2/resources/1.'],
    [['/subjects/1', '--format', 'ead'], 'There are no documents of /subjects/1.'],
    [
      [resource, '--format', 'mods'],
      `There is no mods of ${resource}; there is container-labels, ead, ead3, html, marcxml, pdf, record-lines.`,
    ],
    [
      ['/agents/people/3', '--format', 'eac-cpf'],
      '/agents/people/3 is of no repository: say with --repository which one is named as its keeper.',
    ],
  ])('is refused: %j', async (args, words) => {
    expect(await run('export', ...args)).toEqual({ code: 2, stdout: '', stderr: `${words}\n` });
  });

  it('goes to a file where JSON is wanted beside it', async () => {
    const { code, stdout } = await run('export', root, '--format', 'ead', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([2, { error: 'With --json name a file for the document with -o.' }]);
  });

  it('takes its own parameters alone', async () => {
    const { code, stderr } = await run('export', root, '--format', 'ead', '--option', 'include_dao=true');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^include_dao=true is no parameter of this document: there is (?:\w+=…, )*include_daos=…/),
    ]);
  });
});

describe('the search index', () => {
  it('is told to be behind where something waits', async () => {
    // Nobody indexes here, so what waits goes on waiting.
    const { changes, due, due_bulk: bulk, fans } = (await api.get('/system/index-status')).json;
    const waiting = changes + due + bulk + fans + 4;
    const kind = 'resource';
    await api.database.transaction((tx) =>
      enqueue(
        tx,
        0,
        [1, 2, 3].map((id) => ({ kind, id })),
      ),
    );
    await api.database.transaction((tx) => appendDependents(tx, [{ way: 'ids', lane: 1, kind, ids: [1, 2] }]));
    const behind = await run('check');
    expect([behind.code, behind.stdout.split('\n').at(-2)]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^index {6}${waiting} waiting to be indexed, since \\d+\\.\\d s$`)),
    ]);
  });

  it('is not built where its job is canceled, and says once why', async () => {
    const ids = async (): Promise<readonly number[]> => (await api.get('/jobs?all_ids=true')).json;
    const canceled = async (...args: readonly string[]): Promise<Run & { readonly job: string }> => {
      const earlier = new Set(await ids());
      const later = async (): Promise<readonly number[]> => (await ids()).filter((id) => !earlier.has(id));
      // Nobody indexes here, so it is never done.
      const building = run('reindex', ...args);
      await expect.poll(later).toHaveLength(1);
      const job = `/jobs/${(await later())[0]}`;
      expect(await run('jobs', '--cancel', job)).toMatchObject({ code: 0 });
      return { ...(await building), job };
    };
    const { code, stdout, job } = await canceled('--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        error: 'The index was not built: canceled.\n  The job was canceled',
        details: { job, errors: ['The job was canceled'] },
      },
    ]);
    const told = await canceled();
    expect([told.code, told.stdout]).toEqual([1, '']);
    expect(told.stderr.match(/The job was canceled|The index was not built: canceled\./g)).toEqual([
      'The job was canceled',
      'The index was not built: canceled.',
    ]);
  });
});

describe('files', () => {
  it('are counted by their places', () => {
    const told = 'There are no files.\nNew files go into the database.\n';
    expect(before[2]).toEqual({ code: 0, stdout: told, stderr: '' });
  });

  it('are moved nowhere where there is no other place', async () => {
    expect(await throughProxy(api, ['files', 'move', '--to', 'database'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The service refused this (400): There is no storage of files: MUNIMENT_FILES_URL is not set\n',
      asked: ['POST /system/files/move?to=database'],
    });
  });
});
