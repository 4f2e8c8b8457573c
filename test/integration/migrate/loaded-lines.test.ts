// What of a folder is loaded: whole lines of plain and packed files, or the last state of what has changed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { WrongFolder } from '#migrate/failures.ts';
import { linesToLoad, packed } from '#migrate/loaded-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'muniment-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));
const textOf = async (lines: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.concat(await Array.fromAsync(lines)).toString();

it('is every whole line, packed or not, of all files but jobs and problems; the same at each reading', async () => {
  writeFileSync(join(folder, 'agents.ndjson.gz'), gzipSync('{"uri":"/agents/people/1"}\n'));
  writeFileSync(join(folder, 'subjects.ndjson'), '{"uri":"/subjects/1"}\n{"uri":"/subj');
  writeFileSync(join(folder, 'jobs.ndjson'), '{"uri":"/repositories/2/jobs/1"}\n');
  writeFileSync(join(folder, 'problems.ndjson'), '{"uri":"/subjects/2"}\n');
  const { files, bytes, lines } = await linesToLoad(folder, false);
  const heard: number[] = [];
  const all = '{"uri":"/agents/people/1"}\n{"uri":"/subjects/1"}\n';
  expect([files, await textOf(lines((read) => heard.push(read))), await textOf(lines())]).toEqual([2, all, all]);
  expect(heard.at(-1)).toBeLessThanOrEqual(bytes);
});

it('is of what has changed the last line of each record, and of what was deleted that alone', async () => {
  expect((await linesToLoad(folder, true)).files).toBe(0);
  mkdirSync(join(folder, 'changes'));
  writeFileSync(
    join(folder, 'changes', 'subjects.ndjson'),
    '{"uri":"/subjects/2","n":1}\n{"uri":"/subjects/1"}\n{"uri":"/subjects/2","n":2}\n{"uri":"/subjects/3"}\n',
  );
  writeFileSync(join(folder, 'changes', 'deleted.ndjson'), '{"uri":"/subjects/3","at":null}\n');
  expect(await textOf((await linesToLoad(folder, true)).lines())).toBe(
    '{"uri":"/subjects/3","at":null}\n{"uri":"/subjects/1"}\n{"uri":"/subjects/2","n":2}\n',
  );
});

it('is refused of a folder that is not there', async () => {
  await expect(linesToLoad(join(folder, 'none'), false)).rejects.toThrow(WrongFolder);
});

it.each(['broken.ndjson', 'broken.ndjson.gz'])('ends where a file cannot be read: %s', async (name) => {
  const broken = mkdtempSync(join(folder, 'broken-'));
  // Whatever the rights of who runs this.
  mkdirSync(join(broken, name));
  await expect(textOf((await linesToLoad(broken, false)).lines())).rejects.toThrow('EISDIR');
});

it('is sent packed, in less than a quarter of its bytes; what breaks the reading breaks the sending', async () => {
  const line = Buffer.from(`${JSON.stringify({ uri: '/subjects/1', title: 'Minutes of the society' })}\n`);
  const lines = async function* (fails: boolean): AsyncGenerator<Uint8Array> {
    for (let n = 0; n < 1000; n++) yield line;
    if (fails) throw new WrongFolder('gone');
  };
  const sent = Buffer.concat(await Array.fromAsync(packed(lines(false))));
  expect(gunzipSync(sent)).toEqual(Buffer.concat(Array.from({ length: 1000 }, () => line)));
  expect(sent.length).toBeLessThan((1000 * line.length) / 4);
  await expect(Array.fromAsync(packed(lines(true)))).rejects.toThrow(WrongFolder);
});
