// Lines as an array of records, wherever the chunks are cut.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { linesAsArray } from '../../../../apps/worker/loading/lines.ts';
import { chunksOf } from '../../../support/batch.ts';
import { inChunks } from '../../../support/real-data.ts';

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of linesAsArray(chunks)) text += Buffer.from(piece).toString('utf8');
  return text;
}
const read = async (chunks: AsyncIterable<Uint8Array>): Promise<unknown> => JSON.parse(await textOf(chunks));

const lines = '\n{"a":1}\r\n\n  {"b":"x\\ny"}\n{"c":[1,2]}\n\n';
const records = [{ a: 1 }, { b: 'x\ny' }, { c: [1, 2] }];

test.each([1, 2, 3, 5, 7, 11, 100])('lines in chunks of %i bytes are the elements of an array', async (size) => {
  expect(await read(chunksOf(lines, size))).toEqual(records);
  expect(await read(chunksOf(lines.trim(), size))).toEqual(records);
});

test.each([1, 2, 3, 4, 5, 6, 7])('blanks in texts stay where chunks of %i bytes begin with one', async (size) => {
  const titled = [{ title: 'A letter  of some length ', at: [1, ' '] }, { title: ' b' }];
  const text = titled.map((record) => JSON.stringify(record).replaceAll('":', '" : ')).join(' \n ');
  expect(await read(chunksOf(text, size))).toEqual(titled);
});

test('each record comes at the same place, however the bytes are cut: a load reads them twice', async () => {
  const places = new Set<string>();
  for (let size = 1; size <= lines.length; size++) {
    const text = await textOf(chunksOf(lines, size));
    places.add([text.length, ...records.map((record) => text.indexOf(JSON.stringify(record)))].join());
  }
  expect([...places]).toHaveLength(1);
});

test('gzip is unpacked, and nothing is an empty array', async () => {
  expect(await read(inChunks(gzipSync(lines), 10))).toEqual(records);
  expect(await read(chunksOf('', 10))).toEqual([]);
  expect(await read(chunksOf('\n \n', 1))).toEqual([]);
});

test.each([
  ['cut off', (packed: Buffer) => packed.subarray(0, -10)],
  ['altered', (packed: Buffer) => Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8)])],
  ['followed by something else', (packed: Buffer) => Buffer.concat([packed, Buffer.from('more of it')])],
])('gzip that is %s is refused, and no reason to try again', async (_, spoiled) => {
  await expect(read(inChunks(spoiled(gzipSync(lines)), 10))).rejects.toMatchObject({
    code: 'malformed_body',
    error: expect.stringContaining('damaged, or not whole'),
  });
});
