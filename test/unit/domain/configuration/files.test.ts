// Settings of where files are kept.
import { expect, it } from 'vitest';
import { ConfigSchema, readConfig, secretVariables } from '#domain/config.ts';
import { fileVariables } from '#domain/configuration/files.ts';

it('are settings of the service, whose keys are secrets; without them files are in the database', () => {
  expect(Object.keys(fileVariables).filter((name) => !Object.hasOwn(ConfigSchema.shape, name))).toEqual([]);
  expect(Object.keys(fileVariables).filter((name) => secretVariables.some((secret) => secret === name))).toEqual([
    'MUNIMENT_FILES_ACCESS_KEY_ID',
    'MUNIMENT_FILES_SECRET_ACCESS_KEY',
  ]);
  const config = readConfig({});
  expect(config.MUNIMENT_FILES_URL).toBeUndefined();
  expect([config.MUNIMENT_FILES_NEW, config.MUNIMENT_FILES_KEEP_DAYS]).toEqual(['storage', 7]);
  for (const [name, value] of [
    ['MUNIMENT_FILES_NEW', 'moon'],
    ['MUNIMENT_FILES_KEEP_DAYS', '-1'],
    ['MUNIMENT_FILES_KEEP_DAYS', '1.5'],
  ] as const)
    expect(() => readConfig({ [name]: value }), value).toThrow(name);
});

it('reads where files are kept, and refuses what names no storage', () => {
  const read = (url: string, more = {}): unknown => readConfig({ MUNIMENT_FILES_URL: url, ...more }).MUNIMENT_FILES_URL;
  expect(read('s3://archive')).toEqual({
    name: 's3://archive',
    bucket: 'archive',
    prefix: '',
    region: 'us-east-1',
    pathStyle: false,
  });
  expect(read('s3://archive/a/b/?endpoint=https://storage.example.org:9000&region=eu-central-1')).toEqual({
    name: 's3://archive/a/b',
    bucket: 'archive',
    prefix: 'a/b/',
    region: 'eu-central-1',
    endpoint: 'https://storage.example.org:9000',
    pathStyle: true,
  });
  expect(read('s3://archive?endpoint=http://a&path-style=false')).toMatchObject({ pathStyle: false });
  const wrong = [
    ['https://archive.s3.amazonaws.com', 'must be an address such as s3://'],
    ['s3://key:secret@archive', 'must hold no name'],
    ['s3://A_B', 'names no bucket'],
    ['s3://archive/a b', 'has a prefix'],
    ['s3://archive?regoin=x', 'unknown or repeated parameter regoin'],
    ['s3://archive?region=a&region=b', 'unknown or repeated parameter region'],
    ['s3://archive?endpoint=ftp://a', 'endpoint must be'],
    ['s3://archive?endpoint=https://a/path', 'endpoint must be'],
    ['s3://archive?region=../x', 'region must be'],
    ['s3://archive?path-style=yes', 'path-style must be'],
  ] as const;
  for (const [url, says] of wrong) expect(() => read(url), url).toThrow(says);
  expect(() => read('s3://archive', { MUNIMENT_FILES_ACCESS_KEY_ID: 'k' })).toThrow(
    'MUNIMENT_FILES_SECRET_ACCESS_KEY: is needed with MUNIMENT_FILES_ACCESS_KEY_ID',
  );
});
