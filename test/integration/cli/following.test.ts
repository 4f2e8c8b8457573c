// Long work followed from the shell, and Ctrl-C in the middle of it. The service is a stand-in here: it says what a test needs,
// when the test needs it.
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { batchOf, findingAid } from './archive.ts';
import type { Run, RunOptions } from './run-cli.ts';
import { filesForTests, runCli } from './run-cli.ts';

const files = filesForTests();
type Answer = (sent: {
  readonly url: string;
  readonly query: URLSearchParams;
  readonly body: string;
}) => { readonly status?: number; readonly text: string; readonly isOpen?: boolean } | null;
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves `METHOD /path` → answer; null breaks the connection, `isOpen` leaves the reply without an end. */
async function serve(answers: { readonly [call: string]: Answer }): Promise<string> {
  const all: { readonly [call: string]: Answer } = {
    'GET /repositories': () => ({ text: '[{"uri":"/repositories/2","repo_code":"MSS","name":"Manuscripts"}]' }),
    ...answers,
  };
  server = createServer((request, reply) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand.in');
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      const found = all[`${request.method} ${pathname}`];
      const answer =
        found === undefined
          ? { status: 404, text: '{"error":"Not found"}' }
          : found({ url: pathname, query: searchParams, body });
      if (answer === null) return void request.socket.destroy();
      reply.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
      reply.write(answer.text);
      if (answer.isOpen !== true) reply.end();
    })();
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  // It listens on TCP, so its address is no text.
  return `http://127.0.0.1:${(server?.address() as AddressInfo).port}`;
}

const run = (url: string, args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  runCli([...args, '--session', 'token', '--url', url], options);
const job = '/repositories/2/jobs/7';
/** A job that is running in the first answers and then ends; its log grows from answer to answer. */
function jobAnswers(logs: readonly string[], end: string): { readonly [call: string]: Answer } {
  let asked = 0;
  return {
    [`GET ${job}`]: () => {
      asked += 1;
      return { text: JSON.stringify({ uri: job, status: asked < logs.length ? 'running' : end }) };
    },
    [`GET ${job}/log`]: ({ query }) => ({
      text: Buffer.from(logs.slice(0, asked).join(''))
        .subarray(Number(query.get('offset')))
        .toString(),
    }),
    [`GET ${job}/records`]: ({ query }) => {
      const page = Number(query.get('page'));
      const results =
        page === 1
          ? [
              { record: { ref: '/repositories/2/archival_objects/8' } },
              { record: { ref: '/repositories/2/archival_objects/9' } },
            ]
          : [{ record: { ref: '/repositories/2/resources/5' } }];
      return { text: JSON.stringify({ this_page: page, last_page: 2, total: 3, results }) };
    },
  };
}

describe('a job', () => {
  it('is followed over the pieces of its log to its end', async () => {
    const url = await serve(jobAnswers(['1. STARTED: Grü', 'ße\n', '1. DONE: Grüße\n'], 'completed'));
    const { code, stdout } = await run(url, ['jobs', '--follow', job]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `1. STARTED: Grüße\n1. DONE: Grüße\n${job}: completed\n` });
  });

  it('is followed through a connection that breaks', async () => {
    let calls = 0;
    const answers = jobAnswers(['a\n', 'b\n'], 'completed');
    const url = await serve({
      ...answers,
      [`GET ${job}`]: (sent) => (++calls === 2 ? null : (answers[`GET ${job}`]?.(sent) ?? null)),
    });
    const { code, stdout } = await run(url, ['jobs', '--follow', job, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { job, status: 'completed', log: ['a', 'b'] }]);
  });

  it('keeps control characters of the log from the terminal', async () => {
    const url = await serve(jobAnswers(['title \u001b]0;gotcha\u0007 end\n'], 'completed'));
    expect((await run(url, ['jobs', '--follow', job])).stdout).toContain('title ]0;gotcha end\n');
  });

  it('goes on in the server after Ctrl-C, which ends with 130 and says so', async () => {
    const url = await serve({
      [`GET ${job}`]: () => ({ text: JSON.stringify({ uri: job, status: 'running' }) }),
      [`GET ${job}/log`]: () => ({ text: '' }),
      'POST /repositories/2/jobs_with_files': () => ({ text: JSON.stringify({ uri: job }) }),
    });
    let isSent = false;
    const { code, stdout, stderr } = await run(
      url,
      ['import', files.put('aid.xml', findingAid('aid')), '--repository', 'MSS'],
      {
        onStderr: (text, child) => {
          if (isSent || !text.includes('Waiting')) return;
          isSent = true;
          child.kill('SIGINT');
        },
      },
    );
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toContain(`the job goes on in the server: ${job}`);
    expect(stderr).toContain(`muniment jobs --cancel ${job}`);
  });
});

describe('an import by a job', () => {
  it('may go on in the server after Ctrl-C when all was sent, and says so', async () => {
    let interrupt = (): void => undefined;
    const url = await serve({
      'POST /repositories/2/jobs_with_files': () => (interrupt(), { text: '{', isOpen: true }),
    });
    const { code, stderr } = await run(
      url,
      ['import', files.put('sent.xml', findingAid('sent')), '--repository', 'MSS'],
      { onStderr: (_text, child) => void (interrupt = () => void child.kill('SIGINT')) },
    );
    expect([code, stderr]).toEqual([130, expect.stringContaining('sent.xml was sent')]);
    expect(stderr).not.toContain('nothing of it is stored');
  });

  it.each([
    [502, null],
    [504, null],
    [400, false],
  ])('that a reply of %d ends is said to be stored: %j', async (status, stored) => {
    const url = await serve({ 'POST /repositories/2/jobs_with_files': () => ({ status, text: '{"error":"no"}' }) });
    const { stdout } = await run(url, [
      'import',
      files.put('untold.xml', findingAid('untold')),
      '--repository',
      'MSS',
      '--json',
    ]);
    expect(JSON.parse(stdout).files[0]).toMatchObject({ ok: false, stored });
  });

  const withJob = (logs: readonly string[], end: string) => ({
    'POST /repositories/2/jobs_with_files': () => ({ text: JSON.stringify({ uri: job }) }),
    ...jobAnswers(logs, end),
  });

  it('sends the job and the file as a form, and counts what was made over all pages', async () => {
    const bodies: string[] = [];
    const url = await serve({
      ...withJob(['1. STARTED: Reading\n'], 'completed'),
      'POST /repositories/2/jobs_with_files': ({ body }) => (bodies.push(body), { text: JSON.stringify({ uri: job }) }),
    });
    const { code, stdout } = await run(url, [
      'import',
      files.put('aid "1".xml', findingAid('aid')),
      '--repository',
      '2',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).files).toEqual([
      expect.objectContaining({
        job,
        ok: true,
        roots: ['/repositories/2/resources/5'],
        counts: { archival_object: 2, resource: 1 },
        records: 3,
      }),
    ]);
    expect(bodies[0]).toContain(
      '{"jsonmodel_type":"job","job":{"jsonmodel_type":"import_job","filenames":["aid \\"1\\".xml"],"import_type":"ead_xml"}}',
    );
    expect(bodies[0]).toContain(
      `name="files[]"; filename="aid %221%22.xml"\r\nContent-Type: application/octet-stream\r\n\r\n${findingAid('aid')}\r\n--`,
    );
  });

  it('tells what the reader left out', async () => {
    const lines = Array.from({ length: 7 }, (_, index) => `\tline ${index + 3}, runner: no place for it\n`).join('');
    const url = await serve(
      withJob(
        [`ead_xml: left.xml\nRead: resource 1\nLeft out: 7\n${lines}1. STARTED: Reading\n\tnot this\n`],
        'completed',
      ),
    );
    const { code, stderr } = await run(url, [
      'import',
      files.put('left.xml', findingAid('left')),
      '--repository',
      'MSS',
    ]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`records: 7\n    line 3, runner: no place for it\n`)]);
    expect(stderr).toContain(`all of them: muniment jobs --follow ${job}`);
    expect(stderr).not.toContain('not this');
  });

  it('ends with 1 and the lines of the log below its error heading', async () => {
    const log = [
      '1. STARTED: Reading\n',
      '!!!!!!!!!!\nIMPORT ERROR\n!!!!!!!!!!\n\nThe following errors were found:\n\tlevel: is missing\n\ttitle : is too long\n',
    ];
    const { code, stdout } = await run(await serve(withJob(log, 'failed')), [
      'import',
      files.put('bad.xml', findingAid('bad')),
      '--repository',
      'MSS',
      '--json',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).files[0]).toMatchObject({
      ok: false,
      job,
      errors: ['level: is missing', 'title : is too long'],
    });
  });

  it('ends with 1 where the job was canceled', async () => {
    const { code, stderr } = await run(await serve(withJob([''], 'canceled')), [
      'import',
      files.put('canceled.xml', findingAid('c')),
      '--repository',
      'MSS',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The job ended as canceled')]);
  });
});

describe('a batch import', () => {
  const file = files.put('batch.json', batchOf('b'));
  const started = '[\n{"status":[{"id":1,"label":"Validating","type":"started"}]},\n';

  it('ends with 1 where the reply breaks off', async () => {
    const { code, stdout } = await run(
      await serve({ 'POST /repositories/2/batch_imports': () => ({ text: started }) }),
      ['import', file, '--repository', 'MSS', '--json'],
    );
    expect([code, JSON.parse(stdout).files[0]]).toEqual([
      1,
      expect.objectContaining({ ok: false, stored: null, errors: [expect.stringContaining('broke off')] }),
    ]);
  });

  it('tells on Ctrl-C that the import goes on', async () => {
    const url = await serve({ 'POST /repositories/2/batch_imports': () => ({ text: started, isOpen: true }) });
    let isSent = false;
    const { code, stdout, stderr } = await run(url, ['import', file, file, '--repository', 'MSS'], {
      onStderr: (text, child) => {
        if (isSent || !text.includes('Validating')) return;
        isSent = true;
        child.kill('SIGINT');
      },
    });
    expect([code, stdout]).toEqual([130, expect.stringContaining('1 not tried')]);
    // What goes on has not failed.
    expect(stderr).not.toContain('failed');
    expect(stderr).toContain('goes on in the server');
    expect(stderr).not.toContain('nothing of this file is stored');
  });
});

describe('a session that ends in the middle', () => {
  it('is made anew, and the file is sent again', async () => {
    const bodies: string[] = [];
    const url = await serve({
      'POST /users/admin/login': () => ({ text: '{"session":"new"}' }),
      'POST /logout': () => ({ text: '{}' }),
      'POST /repositories/2/batch_imports': ({ body }) =>
        bodies.push(body) === 1
          ? { status: 412, text: '{"code":"SESSION_EXPIRED","error":"gone"}' }
          : { text: '[\n{"saved":{}}\n\n]\n' },
    });
    const { code } = await run(url, ['import', files.put('again.json', batchOf('again')), '--repository', 'MSS'], {
      env: { MUNIMENT_PASSWORD: 'x' },
    });
    expect([code, bodies]).toEqual([0, [batchOf('again'), batchOf('again')]]);
  });
});

describe('a search that is answered by part', () => {
  it('says that there is at least so much, and why', async () => {
    const warnings = [{ code: 'total_is_least', message: 'Looking at all takes too long.' }];
    const page = { this_page: 1, last_page: 250, total_hits: 5000, results: [], warnings };
    const url = await serve({ 'GET /search': () => ({ text: JSON.stringify(page) }) });
    expect(await run(url, ['search', 'the'])).toEqual({
      code: 0,
      stdout: 'URI  TYPE  TITLE\nAt least 5,000 found; page 1 of 250\n',
      stderr: 'Looking at all takes too long.\n',
    });
  });
});
