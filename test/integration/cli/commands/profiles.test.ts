// Several servers by name, and the sessions that are kept for them.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());
const files = filesForTests();
const home = { HOME: files.folder };
const run = (args: readonly string[], input = ''): Promise<Run> => runCli(args, { env: home, input });

describe('profiles', () => {
  it('name servers; a kept session is the user’s alone, serves the commands that follow, and is forgotten by logout', async () => {
    expect((await run(['profiles'])).stdout).toContain('There are no profiles yet');
    const added = await run(['profiles', 'add', 'reading-room', '--url', `${api.url}/`, '--user', 'admin']);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining(`reading-room: admin at ${api.url} (`) });
    const login = ['login', '--profile', 'reading-room', '--keep', '--password-stdin'];
    const kept = await run(login, `${adminPassword}\n`);
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining('the session is kept in') });
    const state = join(files.folder, '.local/state/muniment/sessions.json');
    const [session = ''] = Object.values(JSON.parse(readFileSync(state, 'utf8'))).map(String);
    expect(kept.stdout).not.toContain(session);
    expect(statSync(state).mode & 0o777).toBe(0o600);

    expect((await run(['repositories', '--profile', 'reading-room'])).code).toBe(0);
    expect((await run(['profiles', 'use', 'reading-room'])).code).toBe(0);
    expect((await run(['repositories'])).code).toBe(0);
    expect(JSON.parse((await run(['profiles', '--json'])).stdout)).toEqual([
      { name: 'reading-room', url: api.url, user: 'admin', current: true },
    ]);
    expect(await run(['logout', '--profile', 'reading-room'])).toMatchObject({ stdout: 'The session has ended.\n' });
    expect(readFileSync(state, 'utf8')).toBe('{}\n');
    expect((await api.get('/repositories', session)).status).toBe(412);
    expect((await run(['profiles', 'remove', 'reading-room'])).code).toBe(0);
    expect(await run(['repositories', '--profile', 'reading-room'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no profile reading-room'),
    });
  });

  it.each([
    ['an address that is none', ['profiles', 'add', 'x', '--url', 'localhost:8089'], 'is no address'],
    ['a user without a name', ['profiles', 'add', 'x', '--url', 'http://a.example', '--user', ''], '--user is empty'],
    ['a name that is none', ['profiles', 'add', 'a b', '--url', 'http://a.example'], 'is no name for a profile'],
    ['a profile that is not there', ['profiles', 'use', 'nowhere'], 'There is no profile nowhere'],
  ])('refuse %s', async (_what, args, says) => {
    expect(await run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  });
});
