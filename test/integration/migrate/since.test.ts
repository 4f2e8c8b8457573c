// From when on changes of a source are not in a folder.
import { expect, it } from 'vitest';
import type { Manifest } from '#migrate/folder.ts';
import { secondBefore, sinceFolder } from '#migrate/since.ts';

const manifest: Manifest = {
  format: 1,
  source: { url: 'http://source', release: 'R-B', version: 'v4.1.1' },
  started: '2026-03-01T12:00:00.900Z',
  finished: null,
  since: null,
  files: {},
};
const started = Date.parse('2026-03-01T12:00:00Z') / 1000;

it('is a minute before its reading began, or before that of a list that is behind; the feed hides no record', () => {
  expect(sinceFolder(manifest)).toBe(started - 60);
  const behind = { '/subjects': '2026-02-01T00:00:00Z', '/delete-feed': '1970-01-01T00:00:00.000Z' };
  expect(sinceFolder({ ...manifest, behind })).toBe(Date.parse('2026-02-01T00:00:00Z') / 1000 - 60);
  // Never before the first second there is.
  expect(secondBefore('1970-01-01T00:00:00.000Z')).toBe(0);
});
