// How the command line finds the service, gets a session, and ends where it cannot.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { projectRoot } from '#test/support/service.ts';
import { Interrupted } from '../../../apps/cli/failure.ts';
import { filesForTests, runCli, runCliProcess } from './run-cli.ts';

let api: TestApi;
let access: { readonly [name: string]: string };
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  access = { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword };
});
afterAll(() => api[Symbol.asyncDispose]());
const files = filesForTests();

/** An address where nothing listens. */
async function emptyAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on TCP, so its address is no text.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('wrong use', () => {
  it.each([
    ['an unknown command', ['frobnicate'], "unknown command 'frobnicate'"],
    ['a missing argument', ['show'], "missing required argument 'uri'"],
    ['an unknown option', ['check', '--frobnicate'], "unknown option '--frobnicate'"],
    ['a page that is no number', ['search', 'x', '--page', 'two'], 'whole number'],
    ['an address that is none', ['check', '--url', 'localhost:8089'], 'is no address'],
    ['a deletion that nobody confirmed', ['delete', '/repositories/2/resources/1'], '--yes'],
    ['files to read without the data that names them', ['check', '--read-files'], '--data'],
    ['an import that names no repository', ['import', 'package.json'], '--create-repository'],
  ])('ends %s with 2 and says what is wrong', async (_what, args, says) => {
    const run = await runCli(args, { env: { MUNIMENT_PASSWORD: 'x' } });
    expect(run.stderr).toContain(says);
    expect([run.code, run.stdout]).toEqual([2, '']);
  });

  it('shows help with examples for every command', async () => {
    const overview = await runCli(['--help']);
    const names = [...overview.stdout.matchAll(/^ {2}(\w+) .*\s{2,}\S/gm)]
      .map((match) => match[1] ?? '')
      .filter((name) => name !== 'help');
    expect(names).toContain('import');
    const below = ['users create', 'users passwd', 'users disable', 'users enable', 'jobs log', 'jobs files'];
    const profiles = ['profiles add', 'profiles use', 'profiles remove'];
    const pages = await Promise.all(
      [...names, ...below, ...profiles].map((name) => runCli([...name.split(' '), '--help'])),
    );
    // A default that is no text of its own stands there as `null`.
    for (const page of pages) expect(page.stdout).not.toContain('(default: null)');
    for (const page of pages)
      expect(page).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/Examples:\n {2}\$ /) });
  });
});

it('tells its version', async () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const told = { code: 0, stdout: `${version}\n`, stderr: '' };
  expect(await runCli(['--version'])).toEqual(told);
  expect(await runCliProcess(['--version'])).toEqual(told);
});

it('says in words that nothing can be written, as on a full disk', async () => {
  expect(await runCliProcess(['--version'], { stdoutInto: '/dev/full' })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Standard output cannot be written: ENOSPC[^\n]*\n$/),
  });
});

describe('a service that is not there', () => {
  it('ends with 1 and says where it looked', async () => {
    const url = await emptyAddress();
    const run = await runCli(['repositories', '--url', url, '--password', 'x']);
    expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`Nothing answers at ${url}`) });
  });

  it('says so in JSON too', async () => {
    const url = await emptyAddress();
    const run = await runCli(['check', '--url', url, '--json']);
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toEqual({ error: expect.stringContaining(url) });
  });

  it('tells a server of another sort from a Muniment', async () => {
    const server = createServer((_request, reply) => reply.end('<html>It works!</html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = await runCli(['repositories', '--url', `http://127.0.0.1:${port}`, '--session', 'x']);
    server.close();
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('is it a Muniment?') });
  });
});

it('tells wrong use in JSON where that is asked for', async () => {
  const run = await runCli(['users', 'create', '--json']);
  expect([run.code, JSON.parse(run.stdout)]).toEqual([2, { error: "missing required argument 'name'" }]);
  expect((await runCli(['users', 'create'])).stdout).toBe('');
});

describe('passwords and sessions', () => {
  it('refuses a user and a session that are empty, as a variable of a shell may be', async () => {
    for (const option of ['--user', '--session'])
      expect(await runCli(['repositories', option, ''], { env: access })).toEqual({
        code: 2,
        stdout: '',
        stderr: `${option} is empty.\n`,
      });
  });

  it('takes the password nowhere but to the address that was named', async () => {
    const asked: string[] = [];
    const server = createServer((request, reply) => {
      asked.push(request.url ?? '');
      reply.writeHead(307, { location: '/elsewhere' }).end('<html>Moved</html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = await runCli(['repositories', '--url', `http://127.0.0.1:${port}`, '--password', 'x']);
    server.close();
    expect(run).toMatchObject({
      code: 1,
      stderr:
        'The service is elsewhere (307 Temporary Redirect, to /elsewhere): --url or MUNIMENT_URL names its address.\n',
    });
    expect(asked).toEqual(['/users/admin/login']);
  });

  it('hears Ctrl-C while it waits for a password', async () => {
    const signal = AbortSignal.abort(new Interrupted());
    const run = await runCli(['users', 'accept', 'anna', '--token', 'x'], { env: access, input: 'pw', signal });
    expect(run).toMatchObject({ code: 130, stderr: 'Interrupted.\n' });
  });

  it('names the source of a password that is refused', async () => {
    const run = await runCli(['repositories'], { env: { ...access, MUNIMENT_PASSWORD: 'wrong' } });
    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr: `${api.url} refused the password of admin (it came from MUNIMENT_PASSWORD).\n`,
    });
  });

  it('asks for a password where there is none', async () => {
    const run = await runCli(['repositories'], { env: { MUNIMENT_URL: api.url, MUNIMENT_DATA_DIR: files.folder } });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('No password for admin') });
  });

  it('reads the generated password file for admin on this machine, and for nobody else', async () => {
    files.put('admin-password', `${adminPassword}\n`);
    const env = { MUNIMENT_URL: api.url, MUNIMENT_DATA_DIR: files.folder };
    expect(await runCli(['repositories'], { env })).toMatchObject({ code: 0 });
    expect(await runCli(['repositories', '--user', 'somebody'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No password for somebody'),
    });
    expect(await runCli(['repositories', '--url', 'http://archives.invalid'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No password for admin'),
    });
    // Whose session has ended does not go on as admin.
    expect(await runCli(['repositories', '--session', 'gone'], { env })).toMatchObject({
      code: 1,
      stderr: 'The session has ended: log in again.\n',
    });
  });

  it('prints a session that other commands take, until logout ends it', async () => {
    const login = await runCli(['login'], { env: access });
    const session = login.stdout.trim();
    expect(login).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{32,}\n$/), stderr: '' });
    // No password is at hand, whatever a service on this machine has left.
    const env = { MUNIMENT_URL: api.url, MUNIMENT_SESSION: session, MUNIMENT_DATA_DIR: join(files.folder, 'none') };
    expect((await runCli(['repositories'], { env })).code).toBe(0);
    expect(await runCli(['logout'], { env })).toMatchObject({ code: 0, stdout: 'The session has ended.\n' });
    expect(await runCli(['show', '/users/1'], { env })).toMatchObject({
      code: 1,
      stderr: 'The session has ended: log in again.\n',
    });
  });

  it('logs in again where the session has ended and a password is at hand', async () => {
    const run = await runCli(['check', '--session', 'gone', '--json'], { env: access });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: true,
      ready: true,
      version: expect.stringMatching(/\(v\d/),
      login: { user: 'admin', ok: true },
    });
  });

  it('leaves no session behind', async () => {
    const tokens: string[] = [];
    const seen: string[] = [];
    // A server in between, which sees what was sent.
    const between = createServer((request, reply) => {
      seen.push(`${request.method} ${request.url?.split('?')[0]}`);
      void (async () => {
        const body = Buffer.concat(await Array.fromAsync(request));
        const token = request.headers['x-service-session'];
        const answer = await fetch(`${api.url}${request.url}`, {
          method: request.method ?? 'GET',
          headers: {
            'content-type': request.headers['content-type'] ?? '',
            ...(typeof token === 'string' ? { 'x-service-session': token } : {}),
          },
          ...(body.length === 0 ? {} : { body }),
        });
        const text = await answer.text();
        const session = /"session":"(\w+)"/.exec(text)?.[1];
        if (session !== undefined) tokens.push(session);
        reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      })();
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const { port } = between.address() as AddressInfo;
    const run = await runCli(['repositories'], { env: { ...access, MUNIMENT_URL: `http://127.0.0.1:${port}` } });
    between.close();
    expect(run.code).toBe(0);
    expect(seen).toEqual(['POST /users/admin/login', 'GET /repositories', 'POST /logout']);
    expect((await api.get('/repositories', tokens[0])).status).toBe(412);
  });
});
