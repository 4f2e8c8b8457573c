// From where this service may be filled by itself: origins, and nothing below them.
import { expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';

it('reads sources as origins with commas between, and refuses what is more than one', () => {
  expect(readConfig({}).MUNIMENT_MIGRATION_SOURCES).toBeUndefined();
  expect(
    readConfig({ MUNIMENT_MIGRATION_SOURCES: 'https://Archives.example.org:443/, http://10.0.0.5:8089' })
      .MUNIMENT_MIGRATION_SOURCES,
  ).toEqual(['https://archives.example.org', 'http://10.0.0.5:8089']);
  for (const wrong of ['archives.example.org', 'https://a/api', 'https://u:p@a', 'ftp://a', 'https://a?x=1'])
    expect(() => readConfig({ MUNIMENT_MIGRATION_SOURCES: wrong })).toThrow('MUNIMENT_MIGRATION_SOURCES');
});
