// What a folder remembers of its loads.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readManifest, writeManifest } from '#migrate/folder.ts';
import { forgetSending, noteLoaded, noteSending, sendingOf } from '#migrate/sent-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'muniment-sent-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('has the mark of what was sent until that is loaded or forgotten; a load takes the changes away', async () => {
  expect([await noteSending(folder, 'here', false), await sendingOf(folder)]).toEqual([null, undefined]);
  await writeManifest(folder, {
    format: 1,
    source: { url: 'https://archives.example.org', release: 'R-B', version: 'v4.1' },
    started: '2026-01-01T00:00:00Z',
    finished: '2026-01-01T01:00:00Z',
    since: null,
    files: {},
  });
  const mark = await noteSending(folder, 'here', true);
  expect(await sendingOf(folder)).toEqual({ service: 'here', mark, update: true });
  await forgetSending(folder);
  expect([await sendingOf(folder), (await readManifest(folder))?.loaded]).toEqual([undefined, undefined]);
  mkdirSync(join(folder, 'changes'));
  await noteSending(folder, 'here', true);
  await noteLoaded(folder, 'here');
  expect([await sendingOf(folder), (await readManifest(folder))?.loaded]).toEqual([undefined, 'here']);
  expect(existsSync(join(folder, 'changes'))).toBe(false);
});
