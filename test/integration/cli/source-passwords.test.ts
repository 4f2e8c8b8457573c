// `--passwords` of migrate and `muniment users passwords`: people log in with what they had, and hashes are shown nowhere.
import { afterAll, expect, it } from 'vitest';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { filesForTests, runCli } from './run-cli.ts';

const api = await startTestApi({ worker: 'jobs' });
afterAll(() => api[Symbol.asyncDispose]());
const files = filesForTests();
// "secret" and "U*U".
const [first, second] = [
  '$2y$10$TKh8H1.PfQx37YgCzwiKb.KjNyWgaHb9cbcoQgdIVFlYg7B77UdFm',
  '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
];
const run = (...args: readonly string[]) =>
  runCli(args, { cwd: files.folder, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });

it('lets users in who came with a load', async () => {
  files.put(
    'users.ndjson',
    ['ann', 'bob']
      .map((username, index) => ({
        jsonmodel_type: 'user',
        uri: `/users/${77 + index}`,
        username,
        name: username,
        is_active_user: true,
      }))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  files.put('manifest.json', JSON.stringify({ format: 1, finished: '2026-01-01T00:00:00Z' }));
  files.put('passwords.csv', `username,pwhash\nann,${first}\nmallory,${first}\nadmin,${first}\n`);
  files.put('broken.csv', `username\nann\n`);
  const early = await run('migrate', '--from', files.folder, '--passwords', 'broken.csv');
  expect([early.code, (await api.get('/users/77')).status]).toEqual([1, 404]);
  const { code, stdout, stderr } = await run('migrate', '--from', files.folder, '--passwords', 'passwords.csv');
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('1 users log in with the password they had; 2 not taken.');
  expect(stderr).toContain('admin: the user has a password here');
  expect(`${stdout}${stderr}`).not.toContain('$2y$');
  await api.login('ann', 'secret');
  files.put('dump.sql', `INSERT INTO auth_db (username, pwhash) VALUES ('bob','${second}');\n`);
  const later = await run('users', 'passwords', 'dump.sql', '--json');
  expect([later.code, JSON.parse(later.stdout)]).toEqual([0, { taken: 1, refused: [] }]);
  await api.login('bob', 'U*U');
});

it('goes with a load alone', async () => {
  const reading = await run('migrate', '--from', 'http://127.0.0.1:1', '--into', 'x', '--passwords', 'passwords.csv');
  expect([reading.code, reading.stderr]).toEqual([2, expect.stringContaining('--passwords goes with a load')]);
});
