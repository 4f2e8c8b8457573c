// Users without a password invited from the shell, and choosing one.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { removePassword } from '#store/access/users.ts';
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
