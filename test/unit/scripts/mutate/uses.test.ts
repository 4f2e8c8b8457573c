// Which declarations come to use another one: by name within a file and over imports, whole where a file is taken in or started whole.
import { expect, test } from 'vitest';
import { findUses } from '../../../../scripts/mutate/uses.ts';

const files = new Map([
  [
    'libs/rules.ts',
    `import type { A } from './types.ts';
const least = 1;
export const rule = (n: number): boolean => n > least;
export const other = (a: A): boolean => a.rule;
export { other as same };
`,
  ],
  [
    'libs/types.ts',
    "export type A = { rule: boolean };\nimport { rule } from './rules.ts';\nexport const check = rule;\n",
  ],
  ['libs/all.ts', "export * from './rules.ts';\n"],
  ['libs/passed.ts', "export { rule as law } from './rules.ts';\n"],
  ['apps/one.ts', "import { law } from '../libs/passed.ts';\nlaw(1);\nexport const unrelated = 1;\n"],
  ['apps/two.ts', "import { same } from '../libs/all.ts';\nexport const run = () => same;\n"],
  ['apps/space.ts', "import * as types from '../libs/types.ts';\nexport const t = types.check;\n"],
  ['test/one.test.ts', "import { unrelated } from '../apps/one.ts';\nunrelated;\n"],
  ['test/two.test.ts', "import { run } from '../apps/two.ts';\nrun();\n"],
  ['test/started.test.ts', "spawn('node', ['apps/one.ts']);\n"],
]);
const uses = findUses(files, {});
const reached = (...names: readonly string[]): object =>
  Object.fromEntries([...uses.distancesTo(names)].filter(([, distance]) => distance > 0));

test('a place belongs to the declaration around it', () => {
  const text = files.get('libs/rules.ts') ?? '';
  expect(uses.declaredAt('libs/rules.ts', text.indexOf('n > least'))).toEqual(['libs/rules.ts#rule']);
  expect(uses.textAt('libs/rules.ts', text.indexOf('least = 1'))).toBe('const least = 1;');
  expect(uses.declaredAt('apps/one.ts', (files.get('apps/one.ts') ?? '').indexOf('law(1)'))).toEqual(['apps/one.ts#']);
  expect(uses.declaredAt('libs/nowhere.ts', 5)).toEqual(['libs/nowhere.ts#']);
});

test('what uses it within the file is followed, under the names it is passed on with, and types are not', () => {
  expect(reached('libs/rules.ts#least')).toEqual({
    'libs/types.ts': 1,
    'libs/all.ts': 1,
    'libs/passed.ts': 1,
    'apps/one.ts': 2,
    'apps/space.ts': 2,
    'test/started.test.ts': 3,
  });
});

test('a file that imports another name of the same file is not reached', () => {
  expect(reached('libs/rules.ts#other')).toEqual({ 'libs/all.ts': 1, 'apps/two.ts': 2, 'test/two.test.ts': 3 });
  expect(reached('apps/one.ts#unrelated')).toEqual({ 'test/one.test.ts': 1, 'test/started.test.ts': 1 });
});
