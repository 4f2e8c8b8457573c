// Jobs as they are listed, followed, canceled and looked into.
import { describe, expect, it } from 'vitest';
import type { Answers } from '../answering.ts';
import { Answer, answering } from '../answering.ts';

const repositories = [
  { uri: '/repositories/2', repo_code: 'MSS', name: 'Manuscripts' },
  { uri: '/repositories/3', repo_code: 'MAPS', name: 'Maps' },
];
const no = new Answer(403, { error: 'Access denied' });
const job = (uri: string, status: string, more: object = {}): { readonly [name: string]: string } => ({
  uri,
  status,
  job_type: 'import_job',
  owner: 'anna',
  time_submitted: '2026-01-02T03:04:05Z',
  ...more,
});
const archived = (id: number, page = 1): string => `GET /repositories/${id}/jobs/archived?page=${page}&page_size=50`;

describe('a list of jobs', () => {
  const queued = job('/repositories/2/jobs/9', 'queued');
  const running = job('/repositories/2/jobs/8', 'running');
  const done = job('/repositories/3/jobs/4', 'completed', { time_finished: '2026-01-02T03:05:00Z' });
  const answers: Answers = {
    'GET /repositories': repositories,
    'GET /repositories/2/jobs/active': [queued, running],
    // It ended between the two questions.
    [archived(2)]: { results: [{ ...running, status: 'failed' }] },
    'GET /repositories/3/jobs/active': [],
    [archived(3)]: { results: [done] },
    'GET /jobs?all_ids=true': [3, 12, 5],
    'GET /jobs?id_set=12,5,3': [job('/jobs/3', 'canceled'), job('/jobs/12', 'running')],
  };

  it('has those that run first, then those that wait, each once, of all repositories and of none', async () => {
    const { stdout, ...rest } = await answering(answers, ['jobs']);
    expect(stdout.split('\n')).toEqual([
      'STATUS     TYPE        OWNER  SUBMITTED             FINISHED              URI',
      'running    import_job  anna   2026-01-02T03:04:05Z                        /jobs/12',
      'queued     import_job  anna   2026-01-02T03:04:05Z                        /repositories/2/jobs/9',
      'failed     import_job  anna   2026-01-02T03:04:05Z                        /repositories/2/jobs/8',
      'completed  import_job  anna   2026-01-02T03:04:05Z  2026-01-02T03:05:00Z  /repositories/3/jobs/4',
      'canceled   import_job  anna   2026-01-02T03:04:05Z                        /jobs/3',
      '',
    ]);
    expect({ ...rest, asked: rest.asked.toSorted() }).toEqual({
      code: 0,
      stderr: '',
      asked: Object.keys(answers).toSorted(),
    });
  });

  it('of one repository asks for nothing else, and says where there are none', async () => {
    const one = { 'GET /repositories': repositories, 'GET /repositories/3/jobs/active': [], [archived(3, 2)]: {} };
    expect(await answering(one, ['jobs', '--repository', 'maps', '--page', '2'])).toEqual({
      code: 0,
      stdout: 'There are no jobs.\n',
      stderr: '',
      asked: Object.keys(one),
    });
  });

  it('of none has fifty on a page, the newest first', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => index + 1);
    const page = (from: number, to: number): string =>
      `GET /jobs?id_set=${Array.from({ length: from - to + 1 }, (_, index) => from - index).join(',')}`;
    const asked = async (number: number): Promise<string | undefined> =>
      (
        await answering({ 'GET /repositories': [], 'GET /jobs?all_ids=true': ids }, ['jobs', '--page', String(number)])
      ).asked.at(-1);
    expect(await Promise.all([1, 2, 3, 4].map(asked))).toEqual([
      page(120, 71),
      page(70, 21),
      page(20, 1),
      'GET /jobs?all_ids=true',
    ]);
  });

  it('leaves out repositories that may not be seen, and is refused where that is all of them', async () => {
    const some = { ...answers, 'GET /repositories/2/jobs/active': no, 'GET /jobs?all_ids=true': [] };
    const { stdout, code } = await answering(some, ['jobs', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, [done]]);
    const refused = { code: 1, stdout: '', stderr: 'admin may not do this (403 Access denied).\n' };
    expect(await answering({ ...some, 'GET /repositories/3/jobs/active': no }, ['jobs'])).toMatchObject(refused);
    const failing = { ...some, 'GET /repositories/3/jobs/active': new Answer(500, { error: 'Odd', request_id: 'r7' }) };
    expect(await answering(failing, ['jobs'])).toMatchObject({
      code: 1,
      stderr: 'The service failed (500 Odd); the log of the server has more under request r7.\n',
    });
  });
});

describe('a job that is followed', () => {
  const uri = '/repositories/2/jobs/7';
  const states = ['running', 'failed'].map((status) => new Answer(200, { status }));

  it('shows its log while it grows, and ends as it does', async () => {
    const log = ['one\ntw', 'o\n\u001b[31mred\nno end'];
    const answers = {
      [`GET ${uri}`]: states,
      [`GET ${uri}/log?offset=0`]: new Answer(200, log[0] ?? ''),
      [`GET ${uri}/log?offset=6`]: new Answer(200, log[1] ?? ''),
    };
    expect(await answering(answers, ['jobs', '--follow', uri])).toEqual({
      code: 1,
      stdout: `one\ntwo\n[31mred\nno end\n${uri}: failed\n`,
      stderr: '',
      asked: [`GET ${uri}`, `GET ${uri}/log?offset=0`, `GET ${uri}`, `GET ${uri}/log?offset=6`],
    });
    const json = await answering(answers, ['jobs', '--follow', uri, '--json']);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      { job: uri, status: 'failed', log: ['one', 'two', '\u001b[31mred', 'no end'] },
    ]);
    const done = await answering({ ...answers, [`GET ${uri}`]: { status: 'completed' } }, ['jobs', '--follow', uri]);
    expect(done).toMatchObject({ code: 0, stdout: `one\ntw\n${uri}: completed\n` });
  });

  it('is canceled, and says what became of it', async () => {
    const answers = { [`POST ${uri}/cancel`]: {}, [`GET ${uri}`]: { status: 'canceled' } };
    expect(await answering(answers, ['jobs', '--cancel', uri])).toEqual({
      code: 0,
      stdout: `${uri}: canceled\n`,
      stderr: '',
      asked: Object.keys(answers),
    });
    const json = await answering(answers, ['jobs', '--cancel', uri, '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ job: uri, status: 'canceled' });
  });

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
        expect(await answering({}, ['jobs', ...args])).toEqual({ code: 2, stdout: '', stderr: words, asked: [] });
    },
  );
});

describe('the parts of a job', () => {
  const places = { 'GET /repositories': repositories, 'GET /jobs/7': no, 'GET /repositories/3/jobs/7': {} };

  it('are found by its number in whichever repository has it', async () => {
    const log = { ...places, 'GET /repositories/3/jobs/7/log': new Answer(200, 'one\n\n\u0007two\n') };
    const run = await answering(log, ['jobs', 'log', '7']);
    expect({ ...run, asked: run.asked.toSorted() }).toEqual({
      code: 0,
      stdout: 'one\n\ntwo\n',
      stderr: '',
      asked: [
        'GET /jobs/7',
        'GET /repositories',
        'GET /repositories/2/jobs/7',
        'GET /repositories/3/jobs/7',
        'GET /repositories/3/jobs/7/log',
      ],
    });
    const named = await answering(log, ['jobs', 'log', '7', '--repository', 'MAPS']);
    expect([named.stdout, named.asked]).toEqual([run.stdout, ['GET /repositories', 'GET /repositories/3/jobs/7/log']]);
    const none = { ...log, 'GET /repositories/3/jobs/7': new Answer(404, { error: 'Not there' }) };
    expect(await answering(none, ['jobs', 'log', '7'])).toMatchObject({
      code: 2,
      stderr: 'There is no job 7 that you see, in any repository or of none.\n',
    });
    const failing = { ...log, 'GET /jobs/7': new Answer(500, { error: 'Odd' }) };
    expect(await answering(failing, ['jobs', 'log', '7'])).toMatchObject({
      code: 1,
      stderr: 'The service failed (500 Odd).\n',
    });
  });

  it('are nothing where it has written nothing and has no files', async () => {
    const empty = { 'GET /jobs/7/log': new Answer(200, ''), 'GET /jobs/7/output_files': [] };
    expect((await answering(empty, ['jobs', 'log', '/jobs/7'])).stdout).toBe('');
    expect((await answering(empty, ['jobs', 'files', '/jobs/7'])).stdout).toBe('The job has no files.\n');
  });

  it('are files by their names, of which each is there once', async () => {
    const file = (body: string, name?: string): Answer =>
      new Answer(200, body, {
        'content-length': String(body.length),
        ...(name === undefined ? {} : { 'content-disposition': `attachment; filename="${name}"` }),
      });
    const answers = {
      'GET /jobs/7/output_files': [4, 5, 6],
      'GET /jobs/7/output_files/4': file('x'.repeat(1500), 'a.csv'),
      'GET /jobs/7/output_files/5': file('xy', 'a.csv'),
      'GET /jobs/7/output_files/6': file(''),
    };
    expect((await answering(answers, ['jobs', 'files', '/jobs/7'])).stdout).toBe(
      ['ID  SIZE     NAME', '4   1.5 kB   a.csv', '5   2 bytes  5-a.csv', '6   0 bytes  file-6', ''].join('\n'),
    );
    const json = await answering(answers, ['jobs', 'files', '/jobs/7', '--json']);
    expect(JSON.parse(json.stdout)).toEqual([
      { id: 4, name: 'a.csv', bytes: 1500 },
      { id: 5, name: '5-a.csv', bytes: 2 },
      { id: 6, name: 'file-6', bytes: 0 },
    ]);
  });
});
