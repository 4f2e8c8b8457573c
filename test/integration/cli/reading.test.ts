// Reading from the shell: trees, records, repositories, jobs, search; and deleting.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { batchOf } from './archive.ts';
import type { Run, RunOptions } from './run-cli.ts';
import { filesForTests, runCli } from './run-cli.ts';

let api: TestApi;
let repoId: number;
let root: string;
const files = filesForTests();
const run = (args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  runCli(args, { ...options, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword, ...options.env } });
beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository('MSS');
  // More files than one waypoint of the tree holds.
  const made = await run(['import', files.put('one.json', batchOf('one', 201)), '--repository', 'MSS']);
  if (made.code !== 0) throw new Error(made.stderr);
  root = made.stdout.trim();
});
afterAll(() => api[Symbol.asyncDispose]());

describe('tree', () => {
  it('prints titles without markup, levels and dates, indented and in order', async () => {
    const { code, stdout, stderr } = await run(['tree', root]);
    const letters = Array.from({ length: 201 }, (_, index) => `    Letter ${index + 1}  [file]`);
    expect(stdout.split('\n')).toEqual([
      'Papers of one  one [fonds]',
      '  Letters & notes  [series] 1901–1910',
      ...letters,
      '  Plans  [series]',
      '',
    ]);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('takes an id with a repository, ends at a depth, and shows uris on demand', async () => {
    const { code, stdout } = await run([
      'tree',
      root.split('/').at(-1) ?? '',
      '--repository',
      'mss',
      '--depth',
      '1',
      '--uris',
    ]);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(`  ${root}$`),
      expect.stringMatching(/^ {2}Letters .* \/repositories\/\d+\/archival_objects\/\d+$/),
      expect.stringMatching(/^ {2}Plans/),
      '',
    ]);
  });

  it('prints an object a line with --json', async () => {
    const { stdout, stderr } = await run(['tree', root, '--json']);
    const places = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([places.length, stderr]).toEqual([204, '']);
    expect(places.slice(0, 3)).toEqual([
      {
        depth: 0,
        uri: root,
        title: 'Papers of <emph render="italic">one</emph>',
        level: 'fonds',
        identifier: 'one',
        dates: [],
        child_count: 2,
      },
      {
        depth: 1,
        uri: expect.any(String),
        title: 'Letters & notes',
        level: 'series',
        identifier: null,
        dates: ['1901–1910'],
        child_count: 201,
      },
      {
        depth: 2,
        uri: expect.any(String),
        title: 'Letter 1',
        level: 'file',
        identifier: null,
        dates: [],
        child_count: 0,
      },
    ]);
  });

  it.each([
    ['a root that is not there', ['/repositories/2/resources/999'], 1, '(404)'],
    ['a uri of no root', ['/agents/people/1'], 2, 'is no root of a tree'],
    ['an id without a repository', ['1'], 2, 'Of which repository'],
  ])('refuses %s', async (_what, args, code, says) => {
    expect(await run(['tree', ...args])).toEqual({ code, stdout: '', stderr: expect.stringContaining(says) });
  });
});

describe('show', () => {
  it('prints a record indented, and on one line with --json', async () => {
    const [plain, json] = await Promise.all([
      run(['show', root, '--resolve', 'repository']),
      run(['show', root, '--json']),
    ]);
    expect(plain.stdout).toMatch(/^\{\n {2}"/);
    expect(JSON.parse(plain.stdout)).toMatchObject({
      uri: root,
      repository: { ref: `/repositories/${repoId}`, _resolved: { repo_code: 'MSS' } },
    });
    expect(json.stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(json.stdout).uri).toBe(root);
  });

  it('ends with 1 where there is no such record', async () => {
    const { code, stdout } = await run(['show', '/agents/people/999', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([1, { error: expect.stringContaining('404'), status: 404 }]);
  });
});

describe('repositories and jobs', () => {
  it('lists repositories with their ids and codes', async () => {
    const { code, stdout } = await run(['repositories']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^ID +CODE +NAME\n[\\s\\S]*${repoId} +MSS +Repository`));
    expect(JSON.parse((await run(['repositories', '--json'])).stdout)).toContainEqual({
      id: repoId,
      uri: `/repositories/${repoId}`,
      code: 'MSS',
      name: expect.any(String),
    });
  });

  it('lists jobs of all repositories as JSON', async () => {
    const { code, stdout, stderr } = await run(['jobs', '--json']);
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', expect.any(Array)]);
  });

  it('refuses to follow what is no job, and one that is not there', async () => {
    expect(await run(['jobs', '--follow', root])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no uri of a job'),
    });
    expect(await run(['jobs', '--follow', `/repositories/${repoId}/jobs/999999`])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('404'),
    });
  });
});

describe('delete', () => {
  it('waits for the job of a deletion that the service goes on with, and tells how that ended', async () => {
    let status = 'running';
    const server = createServer((request, reply) => {
      const isAsked = request.method === 'DELETE';
      const body = isAsked
        ? { status: 'Accepted', id: 7, uri: '/repositories/2/jobs/7' }
        : request.url === '/repositories/2/jobs/7'
          ? { jsonmodel_type: 'job', status }
          : {};
      if (!isAsked) status = request.url === '/repositories/2/jobs/7' && status === 'running' ? 'failed' : status;
      reply.writeHead(isAsked ? 202 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const uri = '/repositories/2/resources/1';
    const ended = await run(['delete', uri, '--yes', '--url', `http://127.0.0.1:${port}`, '--session', 'x']);
    server.close();
    expect(ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${uri} is not deleted: failed`),
    });
  });

  it('deletes a record with --yes', async () => {
    const made = (await run(['import', files.put('gone.json', batchOf('gone')), '--repository', 'MSS'])).stdout.trim();
    expect(await run(['delete', made])).toMatchObject({
      code: 2,
      stderr: `This deletes ${made} and all below it: say so with --yes.\n`,
    });
    for (const uri of [`${made}#x`, `${made}?x`, `/users/..${made}`])
      expect([uri, (await run(['delete', uri, '--yes'])).code]).toEqual([uri, 2]);
    expect((await api.get(made)).status).toBe(200);
    expect(await run(['delete', made, '--yes'])).toEqual({ code: 0, stdout: `Deleted ${made}\n`, stderr: '' });
    expect((await api.get(made)).status).toBe(404);
  });
});

describe('search', () => {
  const found = async (query: string): Promise<void> => {
    await expect
      .poll(
        async () =>
          (await api.get(`/repositories/${repoId}/search?page=1&q=${encodeURIComponent(query)}`)).json.total_hits,
      )
      .toBeGreaterThan(0);
  };

  it('prints uri, type and title of what was found, and how much that is', async () => {
    await found('plans');
    const { code, stdout, stderr } = await run(['search', 'plans', '--type', 'archival_object', '--repository', 'MSS']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^URI +TYPE +TITLE\n\/repositories\/\d+\/archival_objects\/\d+ +archival_object +Plans\n(.*\n)*\d+ found\n$/,
    );
  });

  it('takes several words and pages, and prints the reply as it came with --json', async () => {
    await found('letter 201');
    const { code, stdout } = await run([
      'search',
      'title:letter',
      'AND',
      'level:file',
      '--page',
      '2',
      '--page-size',
      '50',
      '--json',
    ]);
    expect(code).toBe(0);
    const page = JSON.parse(stdout);
    expect(page).toMatchObject({ this_page: 2, page_size: 50 });
    expect(page.results).toHaveLength(50);
    expect((await run(['search', 'title:letter', '--page-size', '50'])).stdout).toMatch(/\n20\d found; page 1 of 5\n$/);
  });

  it('waits for what has just been written', async () => {
    const title = 'Quintessence of quays';
    await api.create(`/repositories/${repoId}/archival_objects`, { title, level: 'file', resource: { ref: root } });
    const { code, stdout } = await run(['search', 'quintessence', '--wait']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${title}\n1 found\n`)]);
  });

  it('says beside what was found how a broken query was read', async () => {
    expect(await run(['search', '((zyzzyva'])).toEqual({
      code: 0,
      stdout: 'URI  TYPE  TITLE\nNothing was found.\n',
      stderr: expect.stringMatching(/^a parenthesis is never closed; searched as plain words \(column \d\)\n$/),
    });
    const { stdout, stderr } = await run(['search', '((zyzzyva', '--json']);
    expect([JSON.parse(stdout).warnings.length, stderr]).toEqual([1, '']);
  });

  it('asks for forms of words, for most of the words, and for other spellings', async () => {
    await found('plans');
    expect((await run(['search', 'planned', '--stem', 'en'])).stdout).toMatch(/Plans\n1 found\n$/);
    const relaxed = await run(['search', 'plans', 'zyzzyva', '--relax']);
    expect(relaxed.stdout).toMatch(/Plans\n/);
    expect(relaxed.stderr).toContain('0 with all words, the others with 1 or more of them\nNothing has zyzzyva\n');
    const misspelt = await run(['search', 'lettr 201', '--did-you-mean']);
    expect(misspelt.stderr).toMatch(/Did you mean: letter 201 \(\d found\)\n/);
  });

  it('says that nothing was found, which is no failure', async () => {
    const { code, stdout } = await run(['search', 'zyzzyva']);
    expect([code, stdout]).toEqual([0, 'URI  TYPE  TITLE\nNothing was found.\n']);
  });
});

describe('reindex and check', () => {
  it('waits until the index is built', async () => {
    const { code, stdout, stderr } = await run([
      'reindex',
      '--kind',
      'archival_object',
      '--repository',
      'MSS',
      '--rewrite',
      '--json',
    ]);
    expect([code, stderr, JSON.parse(stdout)]).toEqual([
      0,
      '',
      { job: expect.any(Number), done: true, seconds: expect.any(Number) },
    ]);
    expect(await run(['reindex', '--kind', 'frog'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("kind: 'frog' is not indexed"),
    });
  });

  it('tells version, login and the state of the index', async () => {
    const { code, stdout } = await run(['check']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^address +http.*\nready +yes\nversion +Muniment \(v.*\nlogin +as admin\nindex +(up to date|[\d,]+ waiting .*)\n$/,
    );
  });
});
