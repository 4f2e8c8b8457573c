// Users made from the shell, given other passwords, kept out and let in again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
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
