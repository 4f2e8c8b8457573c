// Secrets from files, as containers and systemd hand them out.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readServiceConfig } from '../../apps/service-config.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muniment-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

it.each([
  ['a line', 'hush\n', 'hush'],
  ['a line of another system', 'hush\r\n', 'hush'],
  ['a text without an end', 'hush', 'hush'],
  ['blanks that belong to it', ' hush \n', ' hush '],
])('reads %s', (name, text, value) => {
  const config = readServiceConfig({ MUNIMENT_ADMIN_PASSWORD_FILE: secret(name, text) });
  expect(config.MUNIMENT_ADMIN_PASSWORD).toBe(value);
});

it('takes an empty name as none', () => {
  expect(readServiceConfig({ DATABASE_URL_FILE: '' }).DATABASE_URL).toBeUndefined();
});

it.each(['', '\n', '\r\n'])('refuses a file that says nothing (%j), in place of going on as without it', (text) => {
  expect(() => readServiceConfig({ DATABASE_URL_FILE: secret('nothing', text) })).toThrow(
    /DATABASE_URL_FILE: is empty: .*nothing/,
  );
});

it('refuses a file that is not there, and a secret that is given twice', () => {
  expect(() => readServiceConfig({ DATABASE_URL_FILE: join(folder, 'none') })).toThrow(
    /DATABASE_URL_FILE: cannot be read: .*none/,
  );
  expect(() =>
    readServiceConfig({ DATABASE_URL: 'postgres://a', DATABASE_URL_FILE: secret('url', 'postgres://b') }),
  ).toThrow('DATABASE_URL_FILE: is given twice, since DATABASE_URL is set too');
});
