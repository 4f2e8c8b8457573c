// Folders that are made with those above them, and places where none can be made.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolders } from '#store/embedded/make-folders.ts';

const base = mkdtempSync(join(tmpdir(), 'muniment-folders-'));
afterAll(() => rmSync(base, { recursive: true }));

it('makes what is missing, and leaves what is there', () => {
  const deep = join(base, 'a/b/c');
  makeFolders(deep);
  makeFolders(deep);
  expect(statSync(deep).isDirectory()).toBe(true);
});

it('fails where a file is in the place of a folder', () => {
  writeFileSync(join(base, 'file'), '');
  expect(() => makeFolders(join(base, 'file'))).toThrow('EEXIST');
  expect(() => makeFolders(join(base, 'file/below'))).toThrow('EEXIST');
});

it.runIf(process.platform === 'linux')('fails at once where nothing can be made in a folder that is there', () => {
  expect(() => makeFolders('/proc/muniment/data')).toThrow('ENOENT');
});
