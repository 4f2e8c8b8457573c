// The scanner must give back every element whole and once, wherever chunks and blocks are cut, and must never hide one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecordScanner, scanRecords } from '#domain/batch-import/record-scanner.ts';
import type { RecordBlock } from '#domain/batch-import/record-scanner.ts';

const text = (block: RecordBlock): string => Buffer.from(block.bytes).toString('utf8');

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = Math.max(1, sizes[n % sizes.length] ?? 1);
    yield bytes.slice(at, at + size);
    at += size;
  }
}

async function scan(
  source: string | Uint8Array,
  sizes: readonly number[] = [7],
  blockBytes = 1,
): Promise<{ readonly blocks: readonly RecordBlock[]; readonly failure: unknown }> {
  const blocks: RecordBlock[] = [];
  try {
    for await (const block of scanRecords(
      cut(typeof source === 'string' ? Buffer.from(source) : source, sizes),
      blockBytes,
    ))
      blocks.push(block);
  } catch (failure) {
    return { blocks, failure };
  }
  return { blocks, failure: null };
}

const elements = (blocks: readonly RecordBlock[]): readonly unknown[] =>
  blocks.flatMap((block) => JSON.parse(text(block)));

describe('scanRecords', () => {
  const tricky = [
    { a: '"]}{[\\' },
    { 'k"': ['\\"', { b: ',' }] },
    {},
    { deep: { deep: [[[{}]]] } },
    { emoji: '𝄞 – ü', slash: '\\\\' },
  ];

  test('gives the same elements for chunks cut at every byte, and at every pair of bytes', async () => {
    const bytes = Buffer.from(` \n${JSON.stringify(tricky, null, 1)}\t`);
    for (let at = 1; at < bytes.length; at++) {
      const { blocks, failure } = await scan(bytes, [at, bytes.length]);
      expect(failure).toBeNull();
      expect(elements(blocks)).toEqual(tricky);
    }
    expect(elements((await scan(bytes, [1])).blocks)).toEqual(tricky);
  });

  test('gives whole elements in order, numbered, for any array, chunks and block size', async () => {
    const array = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        array,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom(0, 1, '\t'),
        async (records, sizes, blockBytes, indent) => {
          const { blocks, failure } = await scan(JSON.stringify(records, null, indent), sizes, blockBytes);
          expect(failure).toBeNull();
          expect(JSON.stringify(elements(blocks))).toBe(JSON.stringify(records));
          expect(blocks.map((block) => [block.first, block.count])).toEqual(
            blocks.map((block, n) => [
              blocks.slice(0, n).reduce((sum, each) => sum + each.count, 0),
              (JSON.parse(text(block)) as unknown[]).length,
            ]),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test('fills blocks up to the wanted size', async () => {
    const records = Array.from({ length: 100 }, (_, n) => ({ n, text: 'x'.repeat(50) }));
    const { blocks } = await scan(JSON.stringify(records), [333], 1000);
    expect(blocks.length).toBeLessThan(9);
    for (const block of blocks.slice(0, -1)) expect(block.bytes.length).toBeGreaterThanOrEqual(1000);
    for (const block of blocks) expect(block.bytes.length).toBeLessThan(1100);
  });

  test('takes an empty array, blanks and a byte order mark', async () => {
    expect(await scan('[]')).toEqual({ blocks: [], failure: null });
    expect(await scan(' [ \n ] \n')).toEqual({ blocks: [], failure: null });
    expect(elements((await scan('\ufeff[{"a":1}]', [1])).blocks)).toEqual([{ a: 1 }]);
  });

  test.each([
    ['', 'must be a JSON array'],
    ['   ', 'must be a JSON array'],
    ['{}', 'must be a JSON array'],
    ['"[]"', 'must be a JSON array'],
    ['[', 'does not end'],
    ['[{}', 'does not end'],
    ['[{}, ', 'does not end'],
    ['[{"a":"', 'does not end'],
    ['[{}]]', 'text after'],
    ['[{}] {}', 'text after'],
    ['[,{}]', 'after record 0'],
    ['[{},]', 'after record 1'],
    ['[{},,{}]', 'after record 1'],
    ['[{} {}]', 'after record 1'],
    ['[1]', 'after record 0'],
    ['[{},"x"]', 'after record 1'],
    ['[[]]', 'after record 0'],
  ])('refuses %j', async (source, says) => {
    for (const sizes of [[1], [100]]) {
      const { failure } = await scan(source, sizes);
      expect(failure).toMatchObject({ code: 'malformed_body', error: expect.stringContaining(says) });
    }
  });

  test('gives the whole elements before a fault first, so that an earlier bad record can be told', async () => {
    for (const rest of [',{"b":', ',7]', '] x', ' {}]']) {
      const { blocks, failure } = await scan(`[{"a":1},{"a":2}${rest}`, [5], 1_000_000);
      expect(failure).toMatchObject({ code: 'malformed_body' });
      expect(elements(blocks)).toEqual([{ a: 1 }, { a: 2 }]);
    }
  });

  test('leaves no byte of the array out, so what is no JSON is met when blocks are parsed', async () => {
    const { blocks } = await scan('[{"a":1],{"b":2},{"c":[}}]', [4], 1);
    expect(blocks.map(text)).toEqual(['[{"a":1]]', '[{"b":2}]', '[{"c":[}}]']);
    expect(() => elements(blocks)).toThrow(SyntaxError);
  });

  test('refuses an element larger than the limit, without holding it', () => {
    const scanner = createRecordScanner(10, 100);
    const push = (part: string): readonly RecordBlock[] => [...scanner.push(Buffer.from(part))];
    push('[{"a":"');
    push('x'.repeat(90));
    expect(() => push('x'.repeat(90))).toThrow('record 1 is larger than 100 bytes');
  });
});
