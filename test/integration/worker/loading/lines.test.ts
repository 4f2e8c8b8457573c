// Lines as an array of records, wherever the chunks are cut.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { linesAsArray } from '../../../../apps/worker/loading/lines.ts';
import { chunksOf } from '../../../support/batch.ts';
import { inChunks } from '../../../support/real-data.ts';

async function read(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  let text = '';
  for await (const piece of linesAsArray(chunks)) text += Buffer.from(piece).toString('utf8');
  return JSON.parse(text);
}

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

test('gzip is unpacked, and nothing is an empty array', async () => {
  expect(await read(inChunks(gzipSync(lines), 10))).toEqual(records);
  expect(await read(chunksOf('', 10))).toEqual([]);
  expect(await read(chunksOf('\n \n', 1))).toEqual([]);
});
