// Users without a password invited from the shell, and choosing one.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { removePassword } from '#store/access/users.ts';
import { Interrupted } from '../../../../apps/cli/failure.ts';
import { throughProxy } from '../foreign-server.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

const filesForInvitations = filesForTests();
let api: TestApi;
let access: { readonly [name: string]: string };
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  access = { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword };
});
afterAll(() => api[Symbol.asyncDispose]());

it('invites users who have no password, and lets them choose one', async () => {
  const names = ['carla', 'dora'];
  for (const username of names) {
    const uri = await api.create('/users?password=pw', { username, name: `Name of ${username}` });
    await api.database.transaction((tx) => removePassword(tx, Number(uri.split('/').at(-1))));
  }
  const one = await runCli(['users', 'invite', 'Carla', 'admin', '--hours', '2', '--json'], { env: access });
  expect([one.code, JSON.parse(one.stdout)]).toEqual([
    1,
    {
      invited: [
        {
          username: 'carla',
          name: 'Name of carla',
          email: '',
          token: expect.any(String),
          expires_at: expect.any(String),
        },
      ],
      failed: [expect.stringContaining('admin: no user of this name without a password')],
    },
  ]);
  const { token } = JSON.parse(one.stdout).invited[0];
  const { MUNIMENT_PASSWORD: _password, ...open } = access;
  const accepted = await runCli(['users', 'accept', 'carla', '--token', token], {
    env: open,
    input: 'a password of my own\n',
  });
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('carla has a password now') });
  await api.login('carla', 'a password of my own');
  const csv = join(filesForInvitations.folder, 'invitations.csv');
  const all = await runCli(['users', 'invite', '--all', '--csv', csv], { env: access });
  const [heading, ...lines] = readFileSync(csv, 'utf8').trimEnd().split('\n');
  expect(heading).toBe('username,name,email,token,expires_at');
  expect(lines.map((line) => line.split(',')[0])).toEqual(['dora']);
  expect(statSync(csv).mode & 0o077).toBe(0);
  expect(all).toMatchObject({ code: 0, stdout: expect.not.stringContaining(lines[0]?.split(',')[3] ?? 'no token') });
  // Tokens that were written are not written over, and none is made for a file that cannot be.
  expect((await runCli(['users', 'invite', '--all', '--csv', csv], { env: access })).code).toBe(1);
  expect((await runCli(['users', 'invite', '--all', 'dora'], { env: access })).code).toBe(2);
  const dora = await runCli(['users', 'accept', 'dora', '--token', lines[0]?.split(',')[3] ?? ''], {
    env: open,
    input: 'another of my own\n',
  });
  expect(dora.code).toBe(0);
});

it('leaves no file of headings where nobody is invited', async () => {
  const csv = join(filesForInvitations.folder, 'nobody.csv');
  const run = await runCli(['users', 'invite', 'nobody', '--csv', csv], { env: access });
  expect(run).toMatchObject({ code: 1, stdout: '0 invited\n' });
  expect(existsSync(csv)).toBe(false);
});

/** Makes a user who waits for an invitation. */
async function waiting(username: string, more: object = {}): Promise<string> {
  const uri = await api.create('/users?password=pw', { username, name: `Name of ${username}`, ...more });
  await api.database.transaction((tx) => removePassword(tx, Number(uri.split('/').at(-1))));
  return uri;
}

it('tells the tokens in columns, or in a file where one is named, and how long they are good', async () => {
  await waiting('emma', { email: 'e@example.org' });
  await waiting('fritz');
  const told = await runCli(['users', 'invite', 'emma', 'fritz'], { env: access });
  const token = (line: number): string => told.stdout.split('\n')[line]?.split(/ +/).at(-2) ?? '';
  const [first, second] = [token(1), token(2)];
  const blank = ' '.repeat(first.length - 'token'.length);
  expect({ ...told, stdout: told.stdout.replaceAll(/ \d{4}-\d\d-\d\dT\S+Z/g, ' <when>') }).toEqual({
    code: 0,
    stdout: [
      `username  name           email          token${blank}  expires_at`,
      `emma      Name of emma   e@example.org  ${first}  <when>`,
      `fritz     Name of fritz                 ${second}  <when>`,
      '2 invited',
      '',
    ].join('\n'),
    stderr: '',
  });
  const cwd = filesForInvitations.folder;
  const once = ['users', 'invite', 'EMMA', 'EMMA', '--hours', '5', '--csv', 'tokens.csv'];
  const begun = Date.now();
  const json = await runCli([...once, '--json'], { env: access, cwd });
  const [heading, line = '', end] = readFileSync(join(cwd, 'tokens.csv'), 'utf8').split('\n');
  const [, , , written = '', expires = ''] = line.split(',');
  expect([json.code, json.stderr, JSON.parse(json.stdout), heading, line, end]).toEqual([
    0,
    '',
    {
      invited: [{ username: 'emma', name: 'Name of emma', email: 'e@example.org', expires_at: expires }],
      failed: [],
    },
    'username,name,email,token,expires_at',
    `emma,Name of emma,e@example.org,${written},${expires}`,
    '',
  ]);
  expect((Date.parse(expires) - begun) / 3_600_000).toBeCloseTo(5, 1);
  expect(await runCli(once, { env: access, cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`${join(cwd, 'tokens.csv')} cannot be made: EEXIST`),
  });
  // The token of the file ended the first one, and one who is taken is not taken twice.
  const { MUNIMENT_PASSWORD: _password, ...open } = access;
  const accept = (by: string): Promise<Run> =>
    runCli(['users', 'accept', ' Emma', '--token', by], { env: open, input: 'a password of my own\nnot this\n' });
  expect(await accept(first)).toMatchObject({ code: 1, stdout: '' });
  expect(await accept(written)).toEqual({
    code: 0,
    stdout: ' Emma has a password now, and can log in with it.\n',
    stderr: '',
  });
  await api.login('emma', 'a password of my own');
  expect(await accept(written)).toMatchObject({ code: 1, stdout: '' });
});

it.each([[[]], [['anna', '--all']]])('wants names or all, and not both: %j', async (args) => {
  const said = { code: 2, stdout: '', stderr: 'Give names of users, or --all.\n' };
  expect(await runCli(['users', 'invite', ...args], { env: access })).toEqual(said);
});

it('tells who is refused, and the others have theirs', async () => {
  const gerda = await waiting('gerda');
  const ida = await waiting('ida');
  // A proxy that kept an old list, in which somebody is who is gone, and a reply that says nothing.
  const old = [
    { uri: gerda, username: 'gerda', name: 'Name of gerda' },
    { uri: '/users/99999', username: 'hugo' },
    { uri: ida, username: 'ida' },
  ];
  const answers = { 'GET /users/without-password': old, [`POST ${ida}/invitation`]: {} };
  const { stdout, ...rest } = await throughProxy(api, ['users', 'invite', '--all'], { answers });
  const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(lines.slice(0, -1)).toEqual([
    ['username', 'name', 'email', 'token', 'expires_at'],
    ['gerda', 'Name of gerda', expect.any(String), expect.any(String)],
    ['1 invited'],
  ]);
  expect(rest).toEqual({
    code: 1,
    stderr: "hugo: The service refused this (404): User wasn't found\nida: The service gave no token.\n",
    asked: ['GET /users/without-password', ...old.map(({ uri }) => `POST ${uri}/invitation`)],
  });
});

it.each([
  { how: 'Ctrl-C', code: 130, says: 'Interrupted.' },
  { how: 'a session that ends', code: 1, says: 'The session has ended' },
])('keeps the tokens that were made before $how, and says who is left', async ({ how, code, says }) => {
  const users = ['anna', 'berta', 'clara', 'dina'];
  const interruption = new AbortController();
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    const { url = '' } = request;
    if (url === '/users/without-password')
      return reply.end(JSON.stringify(users.map((username, index) => ({ uri: `/users/${index}`, username }))));
    const username = users[asked.push(url) - 1] ?? '';
    if (username !== 'clara')
      return reply.end(JSON.stringify({ username, token: `of ${username}`, expires_at: '2030-01-01T00:00:00Z' }));
    if (how === 'Ctrl-C') return interruption.abort(new Interrupted());
    return reply.writeHead(412).end(JSON.stringify({ code: 'SESSION_EXPIRED', error: 'No session found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const invite = (...more: readonly string[]) =>
    runCli(
      ['users', 'invite', '--all', '--url', `http://127.0.0.1:${port}`, '--session', 'x', ...more],
      how === 'Ctrl-C' ? { signal: interruption.signal } : {},
    );
  const csv = join(filesForInvitations.folder, `${code}.csv`);
  const run = await invite('--csv', csv);
  expect(run).toMatchObject({
    code,
    stdout: expect.stringContaining('2 invited'),
    stderr: expect.stringContaining(says),
  });
  expect(run.stderr).toContain('Of 4 users 2 were invited.');
  expect(
    readFileSync(csv, 'utf8')
      .split('\n')
      .map((line) => line.split(',')[3] ?? ''),
  ).toEqual(['token', 'of anna', 'of berta', '']);
  expect(asked).toHaveLength(3);
  asked.length = 0;
  // Interrupted before anything was asked: nothing is written, and JSON is one object.
  const json = await invite('--json', '--csv', join(filesForInvitations.folder, `${code}-again.csv`));
  expect([json.code, JSON.parse(json.stdout)]).toEqual([code, expect.objectContaining({ error: expect.any(String) })]);
  expect(readdirSync(filesForInvitations.folder).includes(`${code}-again.csv`)).toBe(how !== 'Ctrl-C');
  server.closeAllConnections();
  server.close();
});
