// Which lines a test reaches: read off V8's counters, kept per test, and asked for by those who choose tests for a mutant.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  appendLines,
  prepareFolder,
  readCoverage,
  setCurrent,
} from '../../../../scripts/mutate/line-coverage/folder.ts';
import { linesOf } from '../../../../scripts/mutate/line-coverage/record.ts';

const folder = mkdtempSync(join(tmpdir(), 'muniment-coverage-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = `const top = 1;
function called(a) {
  if (a) {
    return top;
  }

  return [2].map((two) => two);
}
function other() {
  return called(0);
}
`;

test('lines that ran are those within functions, without the branches that were not taken', () => {
  const range = (from: string, to: string, count: number) => ({
    startOffset: text.indexOf(from),
    endOffset: text.indexOf(to) + to.length,
    count,
  });
  const called = range('function called', 'two);\n}', 3);
  const functions = [
    { functionName: '', isBlockCoverage: true, ranges: [{ startOffset: 0, endOffset: text.length, count: 1 }] },
    { functionName: 'called', isBlockCoverage: true, ranges: [called, range('{\n    return top', ';\n  }', 0)] },
    { functionName: '', isBlockCoverage: true, ranges: [range('(two)', '=> two', 3)] },
    { functionName: 'other', isBlockCoverage: false, ranges: [range('function other', 'called(0);\n}', 0)] },
  ];
  expect(linesOf(functions, text)).toEqual([2, 3, 7, 8]);
});

test('a test is known to reach what it was seen to, as long as the file is what it was', () => {
  const files = new Map([['libs/a.ts', text]]);
  prepareFolder(folder, files, []);
  expect(readCoverage(folder).recorded).toEqual(new Set());
  appendLines(folder, { 'libs/a.ts': [9] });
  setCurrent(folder, 'test/unit/a.test.ts');
  appendLines(folder, { 'libs/a.ts': [2, 3] });
  setCurrent(folder, 'test/unit/b.test.ts');
  appendLines(folder, { 'libs/a.ts': [3] });
  appendLines(folder, { 'libs/a.ts': [7] });
  const { recorded, reaching } = readCoverage(folder);
  expect([...recorded].toSorted()).toEqual(['test/unit/a.test.ts', 'test/unit/b.test.ts']);
  const tests = [2, 3, 7, 9].map((line) => [...reaching('libs/a.ts', text, line)].toSorted());
  expect(tests).toEqual([
    ['test/unit/a.test.ts'],
    ['test/unit/a.test.ts', 'test/unit/b.test.ts'],
    ['test/unit/b.test.ts'],
    [],
  ]);
  expect(reaching('libs/a.ts', `${text}\n`, 3)).toEqual(new Set());

  // A further run adds to what is known of the others; of another tree nothing is known.
  prepareFolder(folder, files, ['test/unit/b.test.ts']);
  expect(readCoverage(folder).recorded).toEqual(new Set(['test/unit/a.test.ts']));
  prepareFolder(folder, new Map([['libs/a.ts', `${text}\n`]]), []);
  expect(readCoverage(folder).recorded).toEqual(new Set());
});
