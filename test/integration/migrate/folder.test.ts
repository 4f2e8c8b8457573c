// Files of lines: whatever is cut off, split between pieces, or no JSON.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LinesWriter, linesFile, readLines, readManifest, readRecords, writeManifest } from '#migrate/folder.ts';
import { filesForTests } from '../cli/run-cli.ts';

const files = filesForTests();
const all = async <T>(records: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(records);

it('reads lines larger than a piece of the file, with where they begin, and leaves out half a line', async () => {
  const long = JSON.stringify({ uri: '/a/1', text: 'é'.repeat(400_000) });
  const path = files.put('long.ndjson', `${long}\n{"uri":"/a/2"}\n{"uri":"/a`);
  const lines = await all(readLines(path));
  expect(lines.map(({ at, bytes }) => [at, bytes.length])).toEqual([
    [0, Buffer.byteLength(long)],
    [Buffer.byteLength(long) + 1, 14],
  ]);
  expect((await all(readRecords(path))).map(({ uri }) => uri)).toEqual(['/a/1', '/a/2']);
  expect(await all(readLines(join(files.folder, 'none.ndjson')))).toEqual([]);
});

it('appends after the last complete line', async () => {
  const path = files.put('half.ndjson', '{"uri":"/a/1"}\n{"uri":"/a');
  const writer = await LinesWriter.open(path, 15);
  await writer.write([{ uri: '/a/2' }]);
  await writer.close();
  expect(readFileSync(path, 'utf8')).toBe('{"uri":"/a/1"}\n{"uri":"/a/2"}\n');
});

it('names the place of a line that is no record', async () => {
  const path = files.put('bad.ndjson', '{"uri":"/a/1"}\n[1]\n');
  await expect(all(readRecords(path))).rejects.toThrow(`${path}: the line at byte 15 is no record.`);
});

it('keeps a manifest, and knows a folder that has none from one of something else', async () => {
  const folder = join(files.folder, 'new');
  expect(await readManifest(folder)).toBeNull();
  const manifest = {
    format: 1,
    source: { url: 'http://a', release: 'R-A', version: 'v3.3.1' },
    started: '2026-01-01T00:00:00Z',
    finished: null,
    since: null,
    files: {},
  } as const;
  await writeManifest(folder, manifest);
  expect(await readManifest(folder)).toEqual(manifest);
  appendFileSync(linesFile(folder, 'subjects'), '');
  await expect(readManifest(files.folder)).rejects.toThrow('no manifest.json');
});

it('begins where the first manifest was cut off before it had its name', async () => {
  const folder = join(files.folder, 'begun');
  mkdirSync(folder);
  for (const name of ['manifest.json.new', '.muniment-migrate.lock']) writeFileSync(join(folder, name), '{"form');
  expect(await readManifest(folder)).toBeNull();
  writeFileSync(join(folder, 'subjects.ndjson'), '');
  await expect(readManifest(folder)).rejects.toThrow('no manifest.json');
});
