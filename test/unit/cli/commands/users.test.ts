// What the commands of users ask, and what they tell.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { filesForTests } from '../../../integration/cli/run-cli.ts';
import type { Answers } from '../answering.ts';
import { Answer, answering } from '../answering.ts';

const anna = { uri: '/users/7', username: 'anna', name: 'Anna', is_admin: false };
const current = 'GET /users/current-user';
const page = (number: number): string => `GET /users?page=${number}&page_size=250`;
const options = { input: 'of my own\nnot this\n' };

describe('a user who is made', () => {
  it('has what was told, and the name to log in with for a name otherwise', async () => {
    const create = 'POST /users?password=of my own';
    const run = await answering({ [create]: anna }, ['users', 'create', 'anna', '--password-stdin'], options);
    const record = { jsonmodel_type: 'user', username: 'anna', name: 'anna', is_admin: false };
    expect(run).toEqual({
      code: 0,
      stdout: 'Made user anna: /users/7\n',
      stderr: '',
      asked: [`${create} ${JSON.stringify(record)}`],
    });
    const told = [
      '--full-name',
      'Anna A',
      '--email',
      'a@example.org',
      '--admin',
      '--group',
      '/repositories/2/groups/5',
      '/repositories/2/groups/6',
    ];
    const all = await answering({}, ['users', 'create', 'anna', ...told, '--password-stdin'], options);
    expect(all.asked).toEqual([
      `${create}&groups[]=/repositories/2/groups/5&groups[]=/repositories/2/groups/6 ${JSON.stringify({ ...record, name: 'Anna A', is_admin: true, email: 'a@example.org' })}`,
    ]);
  });

  it('gets a password of twenty characters where none is given, another each time', async () => {
    const made = async (): Promise<string> => {
      const { asked } = await answering({}, ['users', 'create', 'anna', '--json']);
      return /\?password=([\w-]*) /.exec(asked[0] ?? '')?.[1] ?? '';
    };
    const passwords = [await made(), await made()];
    expect(passwords.map((password) => password.length)).toEqual([20, 20]);
    expect(passwords[0]).not.toBe(passwords[1]);
  });
});

describe('a user who is looked for', () => {
  const switched = { 'GET /users/7/deactivate': { ...anna, is_active_user: false } };

  it('is found on whichever page has the name, in any case', async () => {
    const answers = {
      ...switched,
      [current]: { uri: '/users/1', username: 'admin' },
      [page(1)]: { this_page: 1, last_page: 2, results: [{ uri: '/users/2', username: 'annabel' }] },
      [page(2)]: { this_page: 2, last_page: 2, results: [{ ...anna, username: 'Anna' }] },
    };
    expect(await answering(answers, ['users', 'disable', ' ANNA'])).toEqual({
      code: 0,
      stdout: ' ANNA may no longer log in; the sessions of  ANNA have ended.\n',
      stderr: '',
      asked: [current, page(1), page(2), 'GET /users/7/deactivate'],
    });
    const none = await answering({ ...answers, [page(2)]: { this_page: 2, last_page: 2, results: [] } }, [
      'users',
      'enable',
      'anna',
      '--json',
    ]);
    expect([none.code, JSON.parse(none.stdout), none.asked]).toEqual([
      1,
      { error: 'There is no user anna.', status: 404 },
      [current, page(1), page(2)],
    ]);
  });

  it('is not looked for among others where it is oneself', async () => {
    const activated = { [current]: anna, 'GET /users/7/activate': { ...anna, is_active_user: true } };
    const run = await answering(activated, ['users', 'enable', 'anna', '--json']);
    expect([JSON.parse(run.stdout), run.asked]).toEqual([
      { uri: '/users/7', username: 'anna', is_active_user: true },
      Object.keys(activated),
    ]);
  });

  it('gets another password; for the own one the present one is told', async () => {
    const change = 'POST /users/7?password=of my own';
    const sent = (asked: readonly string[]): string | undefined => asked.at(-1);
    const args = ['users', 'passwd', 'Anna', '--password-stdin'];
    const other = await answering(
      { [current]: anna, [change]: {} },
      [...args, '--user', 'admin', '--password', 'old'],
      options,
    );
    expect(other).toMatchObject({
      code: 0,
      stdout: 'Anna has a new password; sessions made with the old one have ended.\n',
    });
    expect(sent(other.asked)).toBe(`${change} ${JSON.stringify(anna)}`);
    const own = await answering({ [current]: anna }, [...args, '--user', ' ANNA', '--password', 'old'], options);
    expect(sent(own.asked)).toBe(`${change}&current_password=old ${JSON.stringify(anna)}`);
  });
});

describe('an invitation', () => {
  const files = filesForTests();
  const waiting = [
    { uri: '/users/7', username: 'anna', name: 'Anna', email: 'a@example.org' },
    { uri: '/users/8', username: 'ben' },
    { uri: '/users/9', username: 'cara' },
  ];
  const token = (username: string): JsonObject => ({
    username,
    token: `t-${username}`,
    expires_at: '2030-01-01T00:00:00Z',
  });
  const without = 'GET /users/without-password';
  const answers: Answers = {
    [without]: waiting,
    'POST /users/7/invitation': token('anna'),
    'POST /users/8/invitation': new Answer(400, { error: 'Has a password' }),
    'POST /users/9/invitation': {},
  };

  it('is made for all who wait; who is refused is told, and the others have theirs', async () => {
    const run = await answering(answers, ['users', 'invite', '--all']);
    expect(run).toEqual({
      code: 1,
      stdout: [
        'username  name  email          token   expires_at',
        'anna      Anna  a@example.org  t-anna  2030-01-01T00:00:00Z',
        '1 invited',
        '',
      ].join('\n'),
      stderr: 'ben: The service refused this (400): Has a password\ncara: The service gave no token.\n',
      asked: Object.keys(answers),
    });
  });

  it('is made once for those who are named, and goes into a file where one is named', async () => {
    const asked = 'POST /users/7/invitation?hours=5';
    const run = await answering(
      { [without]: waiting, [asked]: token('anna') },
      ['users', 'invite', 'Anna', 'Anna', '--hours', '5', '--csv', 'tokens.csv', '--json'],
      { cwd: files.folder },
    );
    expect([run.code, run.asked, JSON.parse(run.stdout)]).toEqual([
      0,
      [without, asked],
      {
        invited: [{ username: 'anna', name: 'Anna', email: 'a@example.org', expires_at: '2030-01-01T00:00:00Z' }],
        failed: [],
      },
    ]);
    expect(readFileSync(join(files.folder, 'tokens.csv'), 'utf8')).toBe(
      'username,name,email,token,expires_at\nanna,Anna,a@example.org,t-anna,2030-01-01T00:00:00Z\n',
    );
    const again = await answering({ [without]: waiting }, ['users', 'invite', '--all', '--csv', 'tokens.csv'], {
      cwd: files.folder,
    });
    expect(again).toMatchObject({ code: 1, stdout: '', asked: [without] });
    expect(again.stderr).toContain(`${join(files.folder, 'tokens.csv')} cannot be made: EEXIST`);
  });

  it.each([[[]], [['anna', '--all']]])('wants names or all, and not both: %j', async (args) => {
    expect(await answering({}, ['users', 'invite', ...args])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Give names of users, or --all.\n',
      asked: [],
    });
  });

  it('is taken with a password from standard input, without a login', async () => {
    const accept = 'POST /users/anna b/accept-invitation';
    const run = await answering(
      { [accept]: { status: 'ok' } },
      ['users', 'accept', ' Anna B', '--token', 't'],
      options,
    );
    expect(run).toEqual({
      code: 0,
      stdout: ' Anna B has a password now, and can log in with it.\n',
      stderr: '',
      asked: [`${accept} token=t&password=of+my+own`],
    });
  });
});
