// Which server is asked, and as whom: options, environment, profiles and kept sessions beside each other.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCredentials } from '../../../apps/cli/credentials.ts';
import { keepSession, keptSession, readProfiles, writeProfiles } from '../../../apps/cli/profiles.ts';
import { filesForTests } from './run-cli.ts';

const files = filesForTests();

describe('which server is asked, and as whom', () => {
  const config = { XDG_CONFIG_HOME: join(files.folder, 'c'), XDG_STATE_HOME: join(files.folder, 's') };
  beforeAll(() => {
    writeProfiles(config, {
      current: 'here',
      all: { here: { url: 'http://here.example', user: 'anna' }, there: { url: 'http://there.example', user: 'ben' } },
    });
    keepSession(config, { url: 'http://there.example', user: 'ben' }, 'kept');
  });
  const elsewhere = { MUNIMENT_URL: 'http://env.example', MUNIMENT_USER: 'eve', MUNIMENT_SESSION: 'env' };
  const secret = { MUNIMENT_PASSWORD: 'secret' };

  it.each([
    ['the current profile where nothing is named', {}, {}, 'http://here.example', 'anna', undefined],
    ['the profile of the environment', {}, { MUNIMENT_PROFILE: 'there' }, 'http://there.example', 'ben', 'kept'],
    ['the environment before the current profile', {}, elsewhere, 'http://env.example', 'eve', 'env'],
    ['a named profile before the environment', { profile: 'there' }, elsewhere, 'http://there.example', 'ben', 'kept'],
    ['options before all', { profile: 'there', user: 'cleo' }, elsewhere, 'http://there.example', 'cleo', undefined],
    ['an address without any profile', { url: 'http://x.example' }, {}, 'http://x.example', 'admin', undefined],
  ])('is %s', (_what, options, env, url, user, session) => {
    const found = readCredentials(options, { env: { ...config, ...env }, cwd: '/' });
    expect([found.url, found.user, found.session]).toEqual([url, user, session]);
  });

  it('does not send a profile the password that the environment has for another server', () => {
    const passwordOf = (options: object, env: object): string | undefined =>
      readCredentials(options, { env: { ...config, ...secret, ...env }, cwd: '/' }).password;
    expect(passwordOf({ profile: 'there' }, elsewhere)).toBeUndefined();
    expect(passwordOf({ profile: 'there' }, { MUNIMENT_URL: 'http://there.example/' })).toBe('secret');
    expect(passwordOf({ profile: 'there' }, {})).toBe('secret');
    expect(passwordOf({}, elsewhere)).toBe('secret');
  });

  it('keeps nothing where there is no place for it', () => {
    expect(readProfiles({})).toEqual({ current: null, all: {} });
    expect(keptSession({}, { url: 'http://there.example', user: 'ben' })).toBeUndefined();
    expect(() => keepSession({}, { url: 'http://a.example', user: 'a' }, 's')).toThrow('no place');
  });

  it('refuses a file that is damaged', () => {
    const broken = { XDG_CONFIG_HOME: join(files.folder, 'broken') };
    const path = writeProfiles(broken, { current: null, all: {} });
    files.put(path.slice(files.folder.length + 1), '[');
    expect(() => readProfiles(broken)).toThrow('is damaged');
  });
});
