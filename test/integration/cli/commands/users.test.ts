// Users made from the shell, given other passwords, kept out and let in again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '#store/access/users.ts';
import { readLists } from '#store/enumerations/completed-lists.ts';
import { toEnumerations } from '#store/enumerations/lists.ts';
import { prepareFor } from '#store/repositories/service-agents.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';
import { throughProxy } from '../foreign-server.ts';
import type { Run } from '../run-cli.ts';
import { runCli } from '../run-cli.ts';

let api: TestApi;
let access: { readonly [name: string]: string };
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  access = { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword };
});
afterAll(() => api[Symbol.asyncDispose]());

it('makes users with a generated password, or one from standard input', async () => {
  const made = await runCli(['user', 'create', 'anna', '--full-name', 'Anna Archivist', '--json'], { env: access });
  expect(made.code).toBe(0);
  const { password, uri } = JSON.parse(made.stdout);
  expect(uri).toMatch(/^\/users\/\d+$/);
  expect((await runCli(['login', '--user', 'anna', '--password', password], { env: access })).code).toBe(0);
  const given = await runCli(['user', 'create', 'ben', '--password-stdin'], { env: access, input: 'of my own\n' });
  expect(given).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Password') });
  expect((await runCli(['login', '--user', 'ben', '--password', 'of my own'], { env: access })).code).toBe(0);
  const another = await runCli(['users', 'passwd', 'ANNA', '--password-stdin'], { env: access, input: 'new one\n' });
  expect(another).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Password:') });
  const logins = (): Promise<readonly (number | null)[]> =>
    Promise.all(
      [password, 'new one'].map(
        async (each) => (await runCli(['login', '--user', 'anna', '--password', each], { env: access })).code,
      ),
    );
  expect(await logins()).toEqual([1, 0]);
  const own = { ...access, MUNIMENT_USER: 'anna', MUNIMENT_PASSWORD: 'new one' };
  const byHerself = await runCli(['users', 'passwd', 'anna', '--json'], { env: own });
  expect(JSON.parse(byHerself.stdout)).toMatchObject({ uri, password: expect.any(String) });
  own.MUNIMENT_PASSWORD = JSON.parse(byHerself.stdout).password;
  expect(await runCli(['users', 'passwd', 'ben'], { env: own })).toMatchObject({ code: 1, stdout: '' });
  const disabled = await runCli(['users', 'disable', 'anna', '--json'], { env: access });
  expect(JSON.parse(disabled.stdout)).toEqual({ uri, username: 'anna', is_active_user: false });
  expect((await runCli(['check'], { env: own })).code).toBe(1);
  expect(await runCli(['users', 'enable', 'anna'], { env: access })).toMatchObject({ stdout: 'anna may log in.\n' });
  expect((await runCli(['check'], { env: own })).code).toBe(0);
  expect(await runCli(['users', 'disable', 'nobody'], { env: access })).toMatchObject({
    code: 1,
    stderr: 'There is no user nobody.\n',
  });
  const again = await runCli(['user', 'create', 'anna'], { env: access });
  expect(again).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The service refused this \(400\):\n {2}username: /),
  });
});

const record = async (uri: string): Promise<object> => (await api.get(uri)).json;
const create = (args: readonly string[], input = 'of my own\nnot this\n'): Promise<Run> =>
  runCli(['users', 'create', ...args, '--password-stdin'], { env: access, input });

describe('a user who is made', () => {
  it('has what was told, and the name to log in with for a name otherwise', async () => {
    const bare = await create(['carl']);
    const uri = bare.stdout.trim().split(' ').at(-1) ?? '';
    expect(bare).toEqual({ code: 0, stdout: `Made user carl: ${uri}\n`, stderr: '' });
    expect(await record(uri)).toMatchObject({ uri, username: 'carl', name: 'carl', is_admin: false, groups: [] });
    expect(await record(uri)).not.toHaveProperty('email');
    await api.login('carl', 'of my own');
    const repository = await api.repository();
    const groups: readonly { readonly uri: string }[] = (await api.get(`/repositories/${repository}/groups`)).json;
    const wanted = groups.slice(0, 2).map((group) => group.uri);
    const told = ['--full-name', 'Dora D', '--email', 'd@example.org', '--admin', '--group', ...wanted];
    const all = await create(['dora', ...told, '--json']);
    const made = JSON.parse(all.stdout);
    expect([all.code, all.stderr, made]).toEqual([0, '', { uri: expect.any(String), username: 'dora' }]);
    expect(await record(made.uri)).toMatchObject({ name: 'Dora D', email: 'd@example.org', is_admin: true });
    for (const group of wanted) expect(await record(group)).toMatchObject({ member_usernames: ['dora'] });
  });

  it('gets a password of twenty characters where none is given, another each time', async () => {
    const make = async (name: string): Promise<string> =>
      JSON.parse((await runCli(['users', 'create', name, '--json'], { env: access })).stdout).password;
    const passwords = [await make('emil'), await make('ella')];
    expect(passwords).toEqual([expect.stringMatching(/^[\w-]{20}$/), expect.stringMatching(/^[\w-]{20}$/)]);
    expect(passwords[0]).not.toBe(passwords[1]);
    await api.login('emil', passwords[0] ?? '');
  });
});

describe('a user who is looked for', () => {
  it('is found on whichever page has the name, in any case', async () => {
    // More than a page of the list has, without passwords: a hash of each would take the most of this test.
    const enumerations = toEnumerations(await readLists(api.database.reader));
    const context = { actor: 'admin', generatedValues, enumerations };
    await api.database.transaction(async (tx) => {
      for (let number = 0; number < 250; number++) {
        const user = { username: `many${number}`, name: 'One of many' };
        await createUser(tx, prepareFor('user', user, 'create', context), null, context);
      }
    });
    const uri = await api.create('/users?password=pw', { username: 'zoe', name: 'Zoe' });
    const pages = [1, 2].map((page) => `GET /users?page=${page}&page_size=250`);
    const disabled = await throughProxy(api, ['users', 'disable', ' ZOE']);
    expect(disabled).toEqual({
      code: 0,
      stdout: ' ZOE may no longer log in; the sessions of  ZOE have ended.\n',
      stderr: '',
      asked: ['GET /users/current-user', ...pages, `GET ${uri}/deactivate`],
    });
    expect(await record(uri)).toMatchObject({ is_active_user: false });
    const none = await throughProxy(api, ['users', 'enable', 'zo', '--json']);
    expect([none.code, JSON.parse(none.stdout), none.asked]).toEqual([
      1,
      { error: 'There is no user zo.', status: 404 },
      ['GET /users/current-user', ...pages],
    ]);
  });

  it('is not looked for among others where it is oneself', async () => {
    const { code, stdout, asked } = await throughProxy(api, ['users', 'passwd', 'ADMIN', '--json']);
    // The own password wants the present one, and a session tells none.
    expect([code, JSON.parse(stdout).status, asked.map((each) => each.split('?')[0])]).toEqual([
      1,
      400,
      ['GET /users/current-user', expect.stringMatching(/^POST \/users\/\d+$/)],
    ]);
  });

  it('gets another password; for the own one the present one is told', async () => {
    await create(['fred']);
    const passwd = (user: string, password: string, input: string): Promise<Run> =>
      runCli(['users', 'passwd', 'Fred', '--password-stdin', '--user', user, '--password', password], {
        env: { MUNIMENT_URL: api.url },
        input,
      });
    const done = {
      code: 0,
      stdout: 'Fred has a new password; sessions made with the old one have ended.\n',
      stderr: '',
    };
    expect(await passwd('admin', adminPassword, 'second of them\n')).toEqual(done);
    expect(await passwd(' FRED', 'second of them', 'third of them\nnot this\n')).toEqual(done);
    await api.login('fred', 'third of them');
    await expect(api.login('fred', 'second of them')).rejects.toThrow('403');
  });
});
