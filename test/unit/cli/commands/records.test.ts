// Single records and trees from the shell: what is asked of the service, and what is printed of its replies.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesForTests } from '../../../integration/cli/run-cli.ts';
import type { Answers } from '../answering.ts';
import { Answer, answering } from '../answering.ts';

const repositories = [
  { uri: '/repositories/2', repo_code: 'MSS', name: '<b>Manu</b>scripts' },
  { uri: '/repositories/12', repo_code: '2', name: 'Of a number' },
  { uri: '/elsewhere/3', repo_code: 'ODD' },
];
const list: Answers = { 'GET /repositories': repositories };

describe('a tree', () => {
  const root = '/repositories/2/resources/1';
  const child = (id: number, more: object = {}): { readonly [name: string]: string } => ({
    uri: `/x/${id}`,
    title: `T${id}`,
    level: 'file',
    ...more,
  });
  const waypoint = (offset: number, parent?: number): string =>
    `GET ${root}/tree/waypoint?offset=${offset}${parent === undefined ? '' : `&parent_node=/x/${parent}`}`;
  const answers: Answers = {
    [`GET ${root}/tree/root`]: {
      ...{ uri: root, title: 'Papers', level: 'fonds', identifier: 'A.1', child_count: 3, waypoints: 2 },
      dates: [{ expression: 'about 1900' }, { begin: '1901', end: '1910' }, { begin: '1920' }, {}],
      precomputed_waypoints: {
        '': { '0': [child(1, { child_count: 1, waypoints: 1 }), child(2, { identifier: 'B.2' })] },
      },
    },
    [waypoint(1)]: [child(3, { title: '<emph/>', level: null })],
    [waypoint(0, 1)]: [child(4, { child_count: 1, waypoints: 1, dates: [{ end: '1930' }] })],
    [waypoint(0, 4)]: [child(5)],
  };

  it('is printed to its leaves, in order, each read once', async () => {
    expect(await answering(answers, ['tree', root])).toEqual({
      code: 0,
      stdout: [
        'Papers  A.1 [fonds] about 1900 1901–1910 1920',
        '  T1  [file]',
        '    T4  [file] 1930',
        '      T5  [file]',
        '  T2  [file]',
        '  (no title)',
        '',
      ].join('\n'),
      stderr: '',
      asked: [`GET ${root}/tree/root`, waypoint(0, 1), waypoint(0, 4), waypoint(1)],
    });
  });

  it('ends at a depth, with uris where they are wanted, and asks for no more', async () => {
    const one = await answering({ ...answers, ...list }, [
      'tree',
      '1',
      '--repository',
      'mss',
      '--depth',
      '1',
      '--uris',
    ]);
    expect([one.stdout.split('\n').slice(0, 2), one.asked]).toEqual([
      [`Papers  A.1 [fonds] about 1900 1901–1910 1920  ${root}`, '  T1  [file]  /x/1'],
      ['GET /repositories', `GET ${root}/tree/root`, waypoint(1)],
    ]);
    const two = await answering(answers, ['tree', root, '--depth', '2', '--json']);
    expect([
      two.asked.length,
      two.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).depth),
    ]).toEqual([3, [0, 1, 2, 1, 1]]);
    expect(JSON.parse(two.stdout.split('\n')[2] ?? '')).toEqual({
      ...{ depth: 2, uri: '/x/4', title: 'T4', level: 'file', identifier: null, dates: ['1930'], child_count: 1 },
    });
  });

  it.each([
    [
      '/repositories/2/accessions/1',
      '/repositories/2/accessions/1 is no root of a tree: give the uri of a resource, digital object or classification, or the id of a resource with --repository.',
    ],
    [
      '0',
      '0 is no root of a tree: give the uri of a resource, digital object or classification, or the id of a resource with --repository.',
    ],
    ['7', 'Of which repository is resource 7? Give --repository, or the whole uri.'],
  ])('has no root at %s', async (named, words) => {
    expect(await answering({}, ['tree', named])).toEqual({ code: 2, stdout: '', stderr: `${words}\n`, asked: [] });
  });
});

describe('repositories', () => {
  it('are listed, and named by id before code', async () => {
    expect((await answering(list, ['repositories'])).stdout).toBe(
      ['ID  CODE  NAME', '2   MSS   Manuscripts', '12  2     Of a number', ''].join('\n'),
    );
    expect((await answering({ 'GET /repositories': [] }, ['repositories'])).stdout).toBe(
      'There is no repository yet.\n',
    );
    const asked = async (name: string): Promise<string | undefined> =>
      (await answering(list, ['tree', '1', '--repository', name])).asked[1];
    expect([await asked('2'), await asked('/repositories/12'), await asked('mss')]).toEqual([
      'GET /repositories/2/resources/1/tree/root',
      'GET /repositories/12/resources/1/tree/root',
      'GET /repositories/2/resources/1/tree/root',
    ]);
    const none = await answering({ 'GET /repositories': [] }, ['tree', '1', '--repository', 'x']);
    expect(none.stderr).toBe('There is no repository x; there is none yet (import --create-repository makes one).\n');
  });
});

describe('one record', () => {
  const uri = '/repositories/2/accessions/4';

  it('is shown with what it refers to', async () => {
    const asked = `GET ${uri}?resolve[]=subjects&resolve[]=linked_agents`;
    const record = { title: 'A\u001b[1m', dates: [] };
    const run = await answering({ [asked]: record }, ['show', uri, '--resolve', ' subjects,, linked_agents ']);
    expect(run).toEqual({
      code: 0,
      stdout: '{\n  "title": "A\\u001b[1m",\n  "dates": []\n}\n',
      stderr: '',
      asked: [asked],
    });
    const json = await answering({ [`GET ${uri}`]: record }, ['show', uri, '--json']);
    expect(json.stdout).toBe('{"title":"A\\u001b[1m","dates":[]}\n');
    expect(await answering({}, ['show', 'x'])).toMatchObject({
      code: 2,
      stderr: 'x is no uri: it should look like /repositories/2/resources/1.\n',
    });
  });

  it('is deleted, at once or by a job that is waited for', async () => {
    const remove = `DELETE ${uri}`;
    expect(await answering({ [remove]: { status: 'Deleted', id: 4 } }, ['delete', uri, '--yes', '--json'])).toEqual({
      ...{ code: 0, stdout: '{"status":"Deleted","id":4}\n', stderr: '', asked: [remove] },
    });
    const job = '/repositories/2/jobs/7';
    const long = {
      [remove]: new Answer(202, { status: 'Accepted', uri: job }),
      [`GET ${job}`]: { status: 'completed' },
    };
    const done = await answering(long, ['delete', uri, '--yes', '--json']);
    expect([JSON.parse(done.stdout), done.asked]).toEqual([{ status: 'Deleted', job }, [remove, `GET ${job}`]]);
    const log = `GET ${job}/log?offset=0`;
    const failed = { ...long, [`GET ${job}`]: { status: 'failed' }, [log]: new Answer(200, 'Another holds it\n') };
    expect(await answering(failed, ['delete', uri, '--yes'])).toMatchObject({
      code: 1,
      stderr: `${uri} is not deleted: failed.\n  Another holds it\n`,
    });
    for (const wrong of ['x', `${uri}?x`])
      expect(await answering({}, ['delete', wrong, '--yes'])).toMatchObject({
        code: 2,
        stderr: `${wrong} is no uri: it should look like /repositories/2/resources/1.\n`,
      });
  });

  it('has its history erased', async () => {
    const purge = 'POST /agents/people/7/history/purge';
    expect(await answering({ [purge]: { revisions: 12 } }, ['purge', '/agents/people/7', '--yes'])).toEqual({
      ...{
        code: 0,
        stdout: 'Erased the history of /agents/people/7: 12 earlier versions\n',
        stderr: '',
        asked: [purge],
      },
    });
    expect(await answering({}, ['purge', '/agents/people/7'])).toMatchObject({
      code: 2,
      stderr: 'This erases the history of /agents/people/7 for good: say so with --yes.\n',
      asked: [],
    });
    expect(await answering({}, ['purge', 'x', '--yes'])).toMatchObject({
      code: 2,
      stderr: 'x is no uri: it should look like /agents/people/7.\n',
    });
  });
});

describe('a document', () => {
  const files = filesForTests();
  const resource = '/repositories/2/resources/1';
  const ead = 'GET /repositories/2/resource_descriptions/1.xml';
  const xml = new Answer(200, '<ead/>', { 'content-type': 'application/xml' });

  it('is printed, or written to a file', async () => {
    expect(await answering({ [ead]: xml }, ['export', resource, '--format', 'EAD'])).toEqual({
      ...{ code: 0, stdout: '<ead/>', stderr: '', asked: [ead] },
    });
    const three = `${ead}?ead3=true&include_unpublished=true&include_daos=true`;
    const out = await answering(
      { [three]: xml },
      ['export', resource, '--format', 'ead3', '-o', 'aid.xml', '--unpublished', '--option', 'include_daos=true'],
      { cwd: files.folder },
    );
    const file = join(files.folder, 'aid.xml');
    expect(out).toEqual({ code: 0, stdout: `${file}: 6 bytes\n`, stderr: '', asked: [three] });
    expect(readFileSync(file, 'utf8')).toBe('<ead/>');
    const agent = 'GET /repositories/12/archival_contexts/people/3.xml';
    const json = await answering(
      { ...list, [agent]: xml },
      ['export', '/agents/people/3', '--format', 'eac-cpf', '--repository', '12', '-o', 'eac.xml', '--json'],
      { cwd: files.folder },
    );
    expect([JSON.parse(json.stdout), json.asked]).toEqual([
      { uri: '/agents/people/3', format: 'eac-cpf', file: join(files.folder, 'eac.xml'), bytes: 6 },
      ['GET /repositories', agent],
    ]);
  });

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
    expect(await answering({}, ['export', ...args])).toMatchObject({ code: 2, stdout: '', stderr: `${words}\n` });
  });

  it('goes to a file where JSON is wanted beside it', async () => {
    const { code, stdout } = await answering({}, ['export', resource, '--format', 'ead', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([2, { error: 'With --json name a file for the document with -o.' }]);
  });

  it('takes its own parameters alone', async () => {
    const { code, stderr } = await answering({}, [
      'export',
      resource,
      '--format',
      'ead',
      '--option',
      'include_dao=true',
    ]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^include_dao=true is no parameter of this document: there is (?:\w+=…, )*include_daos=…/),
    ]);
  });

  it('is none where a job goes on with it, or something else answers', async () => {
    const job = '/repositories/2/jobs/7';
    const late = new Answer(202, { uri: job }, { location: job });
    const waiting = await answering({ [ead]: late }, ['export', resource, '--format', 'ead']);
    expect([waiting.code, waiting.stderr]).toEqual([
      1,
      `The document takes longer than the service lets a request wait; a job goes on with it: ${job}\n  watch it:  muniment jobs --follow ${job}\n  fetch it:  muniment jobs files ${job} --to <folder>\n`,
    ]);
    const page = new Answer(200, '<html>', { 'content-type': 'text/html; charset=utf-8' });
    expect(await answering({ [ead]: page }, ['export', resource, '--format', 'ead'])).toMatchObject({
      code: 1,
      stderr: 'http://service gave a page and no document: is it a Muniment?\n',
    });
    const html = 'GET /repositories/2/resource_descriptions/1.html';
    expect((await answering({ [html]: page }, ['export', resource, '--format', 'html'])).stdout).toBe('<html>');
  });
});

describe('the search index', () => {
  const job = '/jobs/7';
  it('is built anew, of all or of a part, and waited for or not', async () => {
    const all = {
      'POST /system/reindex': { id: 7, uri: job },
      [`GET ${job}`]: { status: 'completed' },
      [`GET ${job}/log?offset=0`]: new Answer(200, 'Built\n'),
    };
    const run = await answering(all, ['reindex']);
    expect([run.code, run.stderr, run.stdout.replace(/\d+\.\d s/, 'N s'), run.asked]).toEqual([
      0,
      '  Indexing\nBuilt\n',
      'The index is built (N s).\n',
      Object.keys(all),
    ]);
    const part = 'POST /system/reindex?repo_id=2&kind[]=resource&kind[]=subject&rewrite=true';
    const begun = await answering({ ...list, [part]: { id: 7, uri: job } }, [
      ...['reindex', '--repository', 'MSS', '--kind', 'resource', 'subject', '--rewrite', '--no-wait'],
    ]);
    expect([begun.stdout, begun.asked]).toEqual(['The index is being built (job 7).\n', ['GET /repositories', part]]);
    const failed = await answering({ ...all, [`GET ${job}`]: { status: 'failed' } }, ['reindex', '--json']);
    expect([failed.code, JSON.parse(failed.stdout)]).toEqual([
      1,
      { error: 'The index was not built: failed.\n  Built', details: { job, errors: ['Built'] } },
    ]);
  });
});

describe('files', () => {
  it('are counted by their places', async () => {
    const places = [
      { storage: null, files: 3, bytes: 1500 },
      { storage: 's3://archive/x', files: 12, bytes: 2_000_000 },
    ];
    const asked = 'GET /system/files';
    const run = await answering({ [asked]: { places, new_files: 'storage', storage: 's3://archive/x' } }, ['files']);
    expect(run.stdout).toBe(
      [
        'PLACE           FILES  SIZE',
        'database        3      1.5 kB',
        's3://archive/x  12     2.0 MB',
        'New files go into s3://archive/x.',
        '',
      ].join('\n'),
    );
    const none = await answering({ [asked]: { places: [], new_files: 'database' } }, ['files']);
    expect(none.stdout).toBe('There are no files.\nNew files go into the database.\n');
    expect((await answering({ [asked]: [] }, ['files'])).stderr).toBe(
      'The service does not tell where its files are.\n',
    );
  });

  it('are moved by a job, waited for or not', async () => {
    const move = 'POST /system/files/move?to=s3';
    const job = '/jobs/7';
    const answers = {
      [move]: { id: 7, uri: job },
      [`GET ${job}`]: { status: 'completed' },
      [`GET ${job}/log?offset=0`]: new Answer(200, 'one\n'),
    };
    expect(await answering(answers, ['files', 'move', '--to', 's3'])).toEqual({
      ...{ code: 0, stdout: 'The files are moved.\n', stderr: '  Moving files\none\n', asked: Object.keys(answers) },
    });
    const begun = await answering(answers, ['files', 'move', '--to', 's3', '--no-wait', '--json']);
    expect([JSON.parse(begun.stdout), begun.asked]).toEqual([{ job: 7, done: false }, [move]]);
    const failed = await answering({ ...answers, [`GET ${job}`]: { status: 'failed' } }, [
      'files',
      'move',
      '--to',
      's3',
    ]);
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Not all files were moved: failed.\n  one\n'),
    });
  });
});
