// Answers that no Muniment gives, or not this one: of a proxy whose service is away, of a server that breaks off, of another release
// that says less. And few that a test does not bring about: numbers of a large archive, a job that goes on with a document, a session or
// a right that is taken away in the middle. Everything else that commands are answered is in their own tests, by a real service.
import { describe, expect, it } from 'vitest';
import type { Answers, Asked } from './foreign-server.ts';
import { Answer, atForeignServer } from './foreign-server.ts';
import { filesForTests } from './run-cli.ts';

const files = filesForTests();
const json = files.put('records.json', '[{"jsonmodel_type":"resource"}]');
const xml = files.put('aid.xml', '<ead/>');
const list = { 'GET /repositories': [{ uri: '/repositories/2', repo_code: 'MSS', name: 'Manuscripts' }] };
const odd = new Answer(500, { error: 'Odd' });

describe('check', () => {
  const status = 'GET /system/index-status';
  const ready = 'GET /health/ready';
  const fine: Answers = {
    [ready]: { status: 'ok' },
    'GET /version': new Answer(200, 'Muniment (v9.9.9)\n'),
    'GET /': { version: '9.9.9' },
    'GET /users/current-user': { username: 'anna' },
    [status]: { changes: 1000, due: 200, due_bulk: 30, fans: 4, waiting_seconds: 12.34 },
  };
  const lines = (isReady: string, ...more: readonly string[]): string =>
    [
      'address    http://service',
      `ready      ${isReady}`,
      'version    Muniment (v9.9.9), Muniment 9.9.9',
      'login      as anna',
      ...more,
      '',
    ].join('\n');
  const waiting = 'index      1,234 waiting to be indexed, since 12.3 s';

  it('tells of a proxy whose service is away or closing', async () => {
    const away = { ...fine, [ready]: new Answer(503, { error: 'Closing' }, { 'retry-after': '60' }) };
    expect(await atForeignServer(away, ['check'])).toEqual({
      code: 1,
      stdout: lines('no: its database does not answer, or it is closing', waiting),
      stderr: '',
      asked: Object.keys(fine),
    });
  });

  it('says nothing of the index where a release does not know the question', async () => {
    const old = { ...fine, [status]: new Answer(404, { error: 'No' }) };
    expect(await atForeignServer(old, ['check'])).toMatchObject({ code: 0, stdout: lines('yes'), stderr: '' });
  });

  it.each([ready, status])('fails where a server fails at %s', async (asked) => {
    const told = { code: 1, stdout: '', stderr: 'The service failed (500 Odd).\n' };
    expect(await atForeignServer({ ...fine, [asked]: odd }, ['check'])).toMatchObject(told);
  });
});

describe('search', () => {
  const asked = 'GET /search?q=plans&page=1&page_size=20';
  const found = (reply: Answers): Promise<Asked> => atForeignServer({ [asked]: reply as never }, ['search', 'plans']);

  it('shows what there is of results that say less', async () => {
    const results = [{ id: 'orphan', full_title: 'Of an earlier index' }, {}];
    const { code, stdout, stderr } = await found({ total_hits: 1234, last_page: 62, this_page: 1, results });
    expect([code, stdout.split('\n'), stderr]).toEqual([
      0,
      ['URI     TYPE  TITLE', 'orphan        Of an earlier index', '', '1,234 found; page 1 of 62', ''],
      '',
    ]);
    expect((await found({})).stdout).toBe('URI  TYPE  TITLE\nNothing was found.\n');
    const bare = await found({ results: [], relaxed: {}, did_you_mean: [{ total_hits: 3 }] });
    expect(bare.stderr).toBe('0 with all words, the others with  or more of them\n');
  });

  it('says of numbers beyond those of a test what a large archive says', async () => {
    const relaxed = {
      with_all: 1200,
      at_least: 2,
      not_found: ['zyzzyva', 'quux'],
      spelt: { harbr: ['harbour', 'harbor'] },
    };
    const { stderr } = await found({
      ...{ total_hits: 1, results: [], relaxed },
      warnings: [{ message: 'Not whole' }],
      found_without: [{ word: 'plans', total_hits: 4000 }],
      did_you_mean: [{ query: 'harbour plans', total_hits: 1200 }],
    });
    expect(stderr.split('\n')).toEqual([
      'Not whole',
      '1,200 with all words, the others with 2 or more of them',
      'Nothing has zyzzyva, quux',
      'harbr was taken for harbour, harbor',
      '4,000 found without plans',
      'Did you mean: harbour plans (1,200 found)',
      '',
    ]);
  });
});

describe('jobs', () => {
  it('fail where one of several answers fails, and name the request', async () => {
    const failing = { ...list, 'GET /repositories/2/jobs/active': new Answer(500, { error: 'Odd', request_id: 'r7' }) };
    expect(await atForeignServer(failing, ['jobs'])).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: 'The service failed (500 Odd); the log of the server has more under request r7.\n',
    });
    const found = { ...list, 'GET /repositories/2/jobs/7': {}, 'GET /jobs/7': odd };
    expect(await atForeignServer(found, ['jobs', 'log', '7'])).toMatchObject({
      ...{ code: 1, stdout: '', stderr: 'The service failed (500 Odd).\n' },
    });
  });

  it('have files by numbers where a server does not name them', async () => {
    const file = new Answer(200, '', { 'content-length': '0' });
    const unnamed = { 'GET /jobs/7/output_files': [6], 'GET /jobs/7/output_files/6': file };
    expect((await atForeignServer(unnamed, ['jobs', 'files', '/jobs/7'])).stdout).toBe(
      'ID  SIZE     NAME\n6   0 bytes  file-6\n',
    );
  });
});

describe('records', () => {
  it('leaves out what is listed as a repository and is none', async () => {
    const some = [...list['GET /repositories'], { uri: '/elsewhere/3', repo_code: 'ODD' }];
    expect((await atForeignServer({ 'GET /repositories': some }, ['repositories'])).stdout).toBe(
      'ID  CODE  NAME\n2   MSS   Manuscripts\n',
    );
  });

  it('take neither the job that goes on with a document, nor a page of a proxy, for the document', async () => {
    const args = ['export', '/repositories/2/resources/1', '--format'];
    const document = 'GET /repositories/2/resource_descriptions/1';
    const job = '/repositories/2/jobs/7';
    const late = { [`${document}.xml`]: new Answer(202, { uri: job }, { location: job }) };
    expect(await atForeignServer(late, [...args, 'ead'])).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: `The document takes longer than the service lets a request wait; a job goes on with it: ${job}\n  watch it:  muniment jobs --follow ${job}\n  fetch it:  muniment jobs files ${job} --to <folder>\n`,
    });
    const page = new Answer(200, '<html>', { 'content-type': 'text/html; charset=utf-8' });
    const pages = { [`${document}.xml`]: page, [`${document}.html`]: page };
    expect(await atForeignServer(pages, [...args, 'ead'])).toMatchObject({
      ...{ code: 1, stdout: '', stderr: 'http://service gave a page and no document: is it a Muniment?\n' },
    });
    expect(await atForeignServer(pages, [...args, 'html'])).toMatchObject({ code: 0, stdout: '<html>' });
  });

  it('fail where nothing is told of files', async () => {
    expect(await atForeignServer({ 'GET /system/files': [] }, ['files'])).toMatchObject({
      ...{ code: 1, stdout: '', stderr: 'The service does not tell where its files are.\n' },
    });
  });
});

describe('import', () => {
  const batches = 'POST /repositories/2/batch_imports';
  const run = (answers: Answers, ...args: readonly string[]): Promise<Asked> =>
    atForeignServer({ ...list, ...answers }, ['import', ...args]);

  it('of which nobody heard the outcome may be stored', async () => {
    const cut = '[\n{"ticks":1,"total":2},\n{"saved":{"import_0":["/repositories/2/resources/3",0]';
    const broken = await run({ [batches]: new Answer(200, cut) }, json, '--repository', '2', '--json');
    expect([broken.code, JSON.parse(broken.stdout)]).toEqual([
      1,
      expect.objectContaining({
        ...{ ok: false, repository: '/repositories/2', records: 1, not_tried: 0 },
        files: [
          expect.objectContaining({
            stored: null,
            errors: ['The reply broke off before it told the outcome; the import may go on in the server.'],
          }),
        ],
      }),
    ]);
  });

  it.each([
    [502, null],
    [504, null],
    [500, false],
    [413, false],
  ])('that %d ends is said to be stored: %j, and the next file is tried', async (status, stored) => {
    const answer = new Answer(status, { error: 'Odd' });
    const { stdout } = await run({ [batches]: answer }, json, json, '--repository', '2', '--json');
    expect(JSON.parse(stdout).files.map((file: { stored: boolean | null }) => file.stored)).toEqual([stored, stored]);
  });

  it.each([
    [403, { error: 'No' }],
    [412, { code: 'SESSION_GONE', error: 'Gone' }],
  ])('is given up where its session is taken away in the middle (%d)', async (status, body) => {
    const { code, stdout } = await run(
      { [batches]: new Answer(status, body) },
      json,
      json,
      '--repository',
      '2',
      '--json',
    );
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      expect.objectContaining({ ok: false, not_tried: 1, status, error: expect.any(String) }),
    ]);
  });

  it('tells faults that say little by what they have', async () => {
    const faults = [
      { record_number: 1, record_title: 'Papers', errors: { title: ['is missing', 'is odd'], dates: 'none' } },
      { record_number: 2, record_uri: '/x/1' },
      { record_number: 3, record_type: 'resource' },
      { record_number: 4 },
    ];
    const reply = `[\n${JSON.stringify({ errors: ['Bad records'], report: { faults, complete: false } })}\n]\n`;
    const { stdout } = await run({ [batches]: new Answer(200, reply) }, json, '--repository', '2', '--json');
    expect(JSON.parse(stdout).files[0].errors).toEqual([
      'Bad records',
      'Record 1, Papers: title is missing; is odd, dates "none"',
      'Record 2, /x/1: ',
      'Record 3, resource: ',
      'Record 4, without a title: ',
      'There may be more.',
    ]);
  });

  it('needs to hear where the job and the repository are that were made', async () => {
    const none = await run({ 'POST /repositories/2/jobs_with_files': {} }, xml, '--repository', '2');
    expect(none.stderr).toContain('    The service took the file but named no job.\n');
    const made = { jsonmodel_type: 'repository', repo_code: 'NEW', name: 'NEW' };
    const silent = await run({ 'POST /repositories': {} }, json, '--create-repository', 'NEW');
    expect(silent).toEqual({
      ...{ code: 1, stdout: '', stderr: 'The service made a repository but did not say where.\n' },
      asked: ['GET /repositories', `POST /repositories ${JSON.stringify(made)}`],
    });
  });
});
