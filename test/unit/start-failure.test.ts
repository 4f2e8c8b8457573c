// What an operator is told of each failure of a start: which setting names what cannot be had, and what to set instead; and what is none of theirs.
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Role } from '../../apps/start-failure.ts';
import { checkPortOfWorker, explainDatabase, explainStartFailure } from '../../apps/start-failure.ts';
import { readServiceConfig } from '../../apps/service-config.ts';

type Settings = { readonly [name: string]: string };

const failure = (more: object, message = 'what failed'): Error => Object.assign(new Error(message), more);
const told = (error: unknown, settings: Settings = {}, role?: Role): string | null =>
  explainStartFailure(error, readServiceConfig(settings), role);

test('what is no error, or one that nothing explains, is not explained', () => {
  const settings = { DATABASE_URL: 'postgresql://db.example.org/x', MUNIMENT_METRICS_PORT: '9464' };
  for (const error of ['a text', null, new Error('odd'), failure({ code: 'EMFILE' }), failure({ code: '22P02' })])
    expect(told(error, settings)).toBeNull();
});

test('words that are for the operator already stay as they are', () => {
  const refused = Object.assign(new Error('Migration 7 was changed.'), { name: 'MigrationRefused' });
  expect([refused, new Error('PostgreSQL did not start: no room')].map((error) => told(error))).toEqual([
    'Migration 7 was changed.',
    'PostgreSQL did not start: no room',
  ]);
  expect(told(new Error('Then PostgreSQL did not start'))).toBeNull();
});

describe('the address to listen on', () => {
  const settings = { HOST: 'archive.example.org', PORT: '8089' };
  const unknown =
    'HOST is archive.example.org, a name that nothing knows. 127.0.0.1 serves this machine alone, 0.0.0.0 all networks.';

  test.each<readonly [object, string | null]>([
    [
      { code: 'EADDRINUSE', port: 8089 },
      'Another program listens on port 8089 of archive.example.org already, perhaps another Muniment. Stop it, or choose another port: PORT=8090.',
    ],
    [
      { code: 'EADDRNOTAVAIL', port: 8089 },
      'HOST is archive.example.org, which is not an address of this machine. 127.0.0.1 serves this machine alone, 0.0.0.0 all networks.',
    ],
    [{ code: 'ENOTFOUND', hostname: 'archive.example.org' }, unknown],
    [{ code: 'EAI_AGAIN', hostname: 'archive.example.org' }, unknown],
    [{ code: 'ENOTFOUND', hostname: 'mail.example.org' }, null],
    [{ code: 'ENOTFOUND' }, null],
    [
      { code: 'EACCES', syscall: 'listen' },
      'Port 8089 may not be used by this user: ports below 1024 need rights of their own.',
    ],
  ])('is named with what else to choose: %j', (error, words) => {
    expect(told(failure(error), settings)).toBe(words);
  });
});

describe('the port for numbers', () => {
  const settings = { HOST: '10.0.0.1', PORT: '8089', MUNIMENT_METRICS_HOST: '10.0.0.2', MUNIMENT_METRICS_PORT: '9464' };
  const taken = 'Another program listens on port 9464 of 10.0.0.2 already';

  test.each<readonly [object, Settings, string]>([
    [{ code: 'EADDRINUSE', port: 9464 }, {}, `${taken}. MUNIMENT_METRICS_PORT names another.`],
    [
      { code: 'EADDRNOTAVAIL', port: 9464 },
      {},
      'MUNIMENT_METRICS_HOST is 10.0.0.2, which is not an address of this machine.',
    ],
    [
      { code: 'ENOTFOUND', hostname: 'numbers' },
      { MUNIMENT_METRICS_HOST: 'numbers' },
      'MUNIMENT_METRICS_HOST is numbers, a name that nothing knows.',
    ],
    [
      { code: 'EAI_AGAIN', hostname: 'numbers' },
      { MUNIMENT_METRICS_HOST: 'numbers' },
      'MUNIMENT_METRICS_HOST is numbers, a name that nothing knows.',
    ],
    [
      { code: 'EADDRINUSE', port: 8089 },
      { MUNIMENT_METRICS_PORT: '8089' },
      'PORT and MUNIMENT_METRICS_PORT are both 8089, and each needs one of its own: MUNIMENT_METRICS_PORT=8090.',
    ],
  ])('is told as that where the error names it: %j %j', (error, more, words) => {
    expect(told(failure(error), { ...settings, ...more })).toBe(words);
  });

  test.each<readonly [object, Settings, RegExp]>([
    [{ code: 'EADDRINUSE', port: 8089 }, {}, /^Another program listens on port 8089 of 10\.0\.0\.1 already, perhaps/],
    [{ code: 'EADDRNOTAVAIL', port: 8089 }, {}, /^HOST is 10\.0\.0\.1, which/],
    // Of one port for both it is not known which of the two addresses is none of this machine; HOST has it first.
    [{ code: 'EADDRNOTAVAIL', port: 8089 }, { MUNIMENT_METRICS_PORT: '8089' }, /^HOST is 10\.0\.0\.1, which/],
    [
      { code: 'ENOTFOUND', hostname: 'both' },
      { HOST: 'both', MUNIMENT_METRICS_HOST: 'both' },
      /^HOST is both, a name that nothing knows/,
    ],
    [{ code: 'EACCES', syscall: 'listen', hostname: '10.0.0.2' }, {}, /^Port 8089 may not be used/],
    [
      { code: 'EADDRINUSE', port: 0 },
      { MUNIMENT_METRICS_PORT: '0' },
      /^Another program listens on port 8089 of 10\.0\.0\.1/,
    ],
  ])('is not accused where another is meant: %j %j', (error, more, words) => {
    expect(told(failure(error), { ...settings, ...more })).toMatch(words);
  });

  test('of the worker of npm start is the one after the setting', () => {
    const busy = failure({ code: 'EADDRINUSE', port: 9464 });
    const twice =
      'The worker of npm start shows its numbers at the port after MUNIMENT_METRICS_PORT (9463), which is 9464 and PORT. Choose another: MUNIMENT_METRICS_PORT=9465.';
    expect(told(busy, settings, 'worker of npm start')).toBe(
      `${taken}, at which the worker of npm start shows its numbers: the one after MUNIMENT_METRICS_PORT (9463). MUNIMENT_METRICS_PORT names others.`,
    );
    expect(told(busy, { ...settings, PORT: '9464' }, 'worker of npm start')).toBe(twice);
    // The worker listens on no other port: PORT is none of its own.
    const away = failure({ code: 'EADDRNOTAVAIL', port: 9464 });
    expect(told(away, { ...settings, PORT: '9464' }, 'worker of npm start')).toBe(
      'MUNIMENT_METRICS_HOST is 10.0.0.2, which is not an address of this machine.',
    );

    const check = (more: Settings) => () => checkPortOfWorker(readServiceConfig({ ...settings, ...more }));
    const same = { HOST: '10.0.0.2', PORT: '9465' };
    expect(check(same)).toThrow(twice.replaceAll(/946[3-5]/g, (port) => String(Number(port) + 1)));
    const fine: readonly Settings[] = [{}, { HOST: '10.0.0.2' }, { PORT: '9465' }, { ...same, PORT: '9466' }];
    for (const each of fine) expect(check(each)).not.toThrow();
    expect(check({ ...same, PORT: '1', MUNIMENT_METRICS_PORT: '0' })).not.toThrow();
    let refusal: unknown = null;
    try {
      check(same)();
    } catch (error) {
      refusal = error;
    }
    expect(told(refusal)).toBe(refusal instanceof Error ? refusal.message : '');
  });
});

test.each<readonly [object, string | null]>([
  [{ code: 'EACCES', syscall: 'mkdir' }, 'this user may not write there'],
  [{ code: 'EPERM' }, 'it cannot be written'],
  [{ code: 'EROFS' }, 'it cannot be written'],
  [{ code: 'ENOTDIR' }, 'something that is not a folder is in its place'],
  [{ code: 'EEXIST' }, 'something that is not a folder is in its place'],
  [{ code: 'ENOENT', syscall: 'mkdir' }, 'no folder can be made there'],
  [{ code: 'ENOENT', syscall: 'open' }, null],
  [{ code: 'ENOSPC' }, 'the disk is full'],
])('the data folder is named with its fault: %j', (error, fault) => {
  const folder = resolve('records/data');
  expect(told(failure(error), { MUNIMENT_DATA_DIR: 'records/data' })).toBe(
    fault === null ? null : `The data folder ${folder} cannot be used: ${fault}. MUNIMENT_DATA_DIR names another.`,
  );
});

describe('a database', () => {
  const url = 'postgresql://x:secret@db.example.org:5433/records?password=hush&sslmode=require';
  const shown = 'The database postgresql://x:***@db.example.org:5433/records?password=***&sslmode=require';
  const unreachable = (code: string): string =>
    `does not answer (${code}): is the server running, and reachable from here? DATABASE_URL names it.`;

  test.each<readonly [object, string, string | null]>([
    [{ code: 'ECONNREFUSED' }, '', unreachable('ECONNREFUSED')],
    [{ code: 'ECONNRESET' }, '', unreachable('ECONNRESET')],
    [{ code: 'ETIMEDOUT' }, '', unreachable('ETIMEDOUT')],
    [{ code: 'EHOSTUNREACH' }, '', unreachable('EHOSTUNREACH')],
    // A socket that is not there.
    [{ code: 'ENOENT' }, '', unreachable('ENOENT')],
    [{ code: 'ENOTFOUND' }, '', 'is on a host whose name is not known here. DATABASE_URL names it.'],
    [{ code: 'EAI_AGAIN' }, '', 'is on a host whose name is not known here. DATABASE_URL names it.'],
    [{ code: '28P01' }, 'wrong password', 'refuses the user: wrong password. DATABASE_URL names it.'],
    [{ code: '28000' }, 'no entry', 'refuses the user: no entry. DATABASE_URL names it.'],
    [{ code: '3D000' }, '', 'does not exist on its server: create it first (createdb). DATABASE_URL names it.'],
    [
      { code: '42501' },
      'permission denied for schema public',
      'does not let this user make tables: permission denied for schema public. DATABASE_URL names it.',
    ],
    [
      { code: '08P01' },
      'unsupported startup parameter: options',
      'does not take our connections: unsupported startup parameter: options. A pooler must let the options of connections pass (docs/operations.md). DATABASE_URL names it.',
    ],
    [{ code: '57P03' }, 'starting up', 'takes no connections now: starting up. DATABASE_URL names it.'],
    [{ code: '53300' }, 'too many', 'takes no connections now: too many. DATABASE_URL names it.'],
    [{}, 'timeout expired', 'does not answer. DATABASE_URL names it.'],
    [{}, 'Connection terminated unexpectedly', 'does not answer. DATABASE_URL names it.'],
    [{ code: '22P02' }, 'invalid input', null],
  ])('is named without its passwords, with its fault: %j %s', (error, message, words) => {
    const expected = words === null ? null : `${shown} ${words}`;
    expect(explainDatabase(failure(error, message), url, 'DATABASE_URL')).toBe(expected);
  });

  test('without a password, or by what is no URL, is named with nothing that might be one', () => {
    const gone = failure({ code: 'ENOTFOUND' });
    expect(['postgresql://db/x', 'secret'].map((name) => explainDatabase(gone, name, 'DATABASE_URL'))).toEqual([
      'The database postgresql://db/x is on a host whose name is not known here. DATABASE_URL names it.',
      'The database (which is no URL: postgresql://user:password@host:5432/name) is on a host whose name is not known here. DATABASE_URL names it.',
    ]);
  });

  test('is the one without a pooler where there is one, and none of ours where it is embedded', () => {
    const none = failure({ code: '3D000' });
    const both = { DATABASE_URL: 'postgresql://pooler/x', DATABASE_DIRECT_URL: 'postgresql://db/x' };
    const words = 'does not exist on its server: create it first (createdb).';
    const settings: readonly Settings[] = [{}, { DATABASE_URL: both.DATABASE_URL }, both];
    expect(settings.map((each) => told(none, each))).toEqual([
      null,
      `The database postgresql://pooler/x ${words} DATABASE_URL names it.`,
      `The database postgresql://db/x ${words} DATABASE_DIRECT_URL names it.`,
    ]);
  });
});
