// Tests are chosen by who imports the changed file: directly, by the mirrored path, then by nearness.
import { expect, test } from 'vitest';
import { distancesTo, findImporters, makesTemplate } from '../../../../scripts/mutate/imports.ts';
import { testSelection } from '../../../../scripts/mutate/select-tests.ts';
import { findUses } from '../../../../scripts/mutate/uses.ts';

const files = new Map([
  ['libs/shelf/books.ts', 'export const a = 1;'],
  ['libs/shelf/types.ts', "import type { A } from './books.ts';\nexport type B = A;"],
  ['libs/shelf/lists.ts', "import { a } from './books.ts';\nexport const b = a;"],
  ['apps/desk/main.ts', "import { b } from '#shelf/lists.ts';\nb();"],
  ['apps/desk/thread.ts', "export { b } from '../../libs/shelf/lists.ts';"],
  ['test/unit/direct.test.ts', "import { a } from '#shelf/books.ts';\na;"],
  ['test/unit/shelf/books.test.ts', "import { b } from '#shelf/lists.ts';"],
  ['test/unit/shelf/other-books.test.ts', "import '../../support/start.ts';"],
  ['test/unit/other.test.ts', "import '../support/start.ts';"],
  ['test/unit/types.test.ts', "import { x } from '#shelf/types.ts';"],
  ['test/integration/desk/started.test.ts', "spawn('node', ['apps/desk/main.ts']);"],
  ['test/integration/desk/threads.test.ts', "new Worker(new URL('../../../apps/desk/thread.ts', import.meta.url));"],
  ['test/support/start.ts', "export const start = () => import('../../apps/desk/main.ts');"],
]);
const tests = [...files.keys()].filter((path) => path.endsWith('.test.ts'));
const aliases = { '#shelf/*': './libs/shelf/*' };
const importers = findImporters(files, aliases);
const selection = testSelection(importers, findUses(files, aliases), files, tests, {
  recorded: new Set(),
  reaching: () => new Set(),
});
const select = (path: string, limit: number): readonly string[] => selection(path, 0, limit);

test('imports are followed through aliases, dynamic imports and names of programs, not through types', () => {
  expect(Object.fromEntries(distancesTo('libs/shelf/books.ts', importers))).toEqual({
    'libs/shelf/books.ts': 0,
    'libs/shelf/lists.ts': 1,
    'test/unit/direct.test.ts': 1,
    'apps/desk/main.ts': 2,
    'apps/desk/thread.ts': 2,
    'test/unit/shelf/books.test.ts': 2,
    'test/integration/desk/started.test.ts': 3,
    'test/integration/desk/threads.test.ts': 3,
    'test/support/start.ts': 3,
    'test/unit/shelf/other-books.test.ts': 4,
    'test/unit/other.test.ts': 4,
  });
});

test('what makes the template of tests is told from what only runs on it', () => {
  const around = findImporters(
    new Map([
      ['libs/shelf/tables.ts', 'export const tables = 1;'],
      ['libs/shelf/work.ts', 'export const work = 1;'],
      ['test/support/template.ts', "import '#shelf/tables.ts';"],
      ['test/support/settled.ts', "import '#shelf/work.ts';"],
      ['test/support/cluster.ts', "import './template.ts';\nimport './settled.ts';"],
    ]),
    aliases,
  );
  expect(['tables', 'work'].map((name) => makesTemplate(`libs/shelf/${name}.ts`, around))).toEqual([true, false]);
});

test('direct importers come first, then the mirrored path, then what is near', () => {
  expect(select('libs/shelf/books.ts', 10)).toEqual([
    'test/unit/direct.test.ts',
    'test/unit/shelf/books.test.ts',
    'test/unit/shelf/other-books.test.ts',
    'test/integration/desk/started.test.ts',
    'test/integration/desk/threads.test.ts',
    'test/unit/other.test.ts',
  ]);
});

test('no more tests of the service than asked for, twice as many pure ones, and none where none reaches the file', () => {
  expect(select('libs/shelf/books.ts', 1)).toEqual([
    'test/unit/direct.test.ts',
    'test/unit/shelf/books.test.ts',
    'test/integration/desk/started.test.ts',
  ]);
  expect(select('libs/nowhere.ts', 10)).toEqual([]);
});

test('the mirrored test is run even where no import leads to the file', () => {
  expect(select('apps/desk/started.ts', 10)).toEqual(['test/integration/desk/started.test.ts']);
});

test('of the tests that were seen to run a line those are chosen, and those of which nothing was seen', () => {
  const uses = findUses(files, aliases);
  const choose = (reached: readonly string[], recorded: readonly string[]): readonly string[] =>
    testSelection(importers, uses, files, tests, {
      recorded: new Set(recorded),
      reaching: (path, _, line) => new Set(path === 'libs/shelf/books.ts' && line === 1 ? reached : []),
    })('libs/shelf/books.ts', 0, 10).toSorted();
  const [direct = '', mirrored = '', other = ''] = ['direct', 'shelf/books', 'other'].map(
    (name) => `test/unit/${name}.test.ts`,
  );
  // The mirrored one always: what a line does when its file is imported is seen with the first test of a process alone.
  expect(choose([other], tests)).toEqual([other, mirrored]);
  expect(
    choose(
      [other],
      tests.filter((each) => each !== direct),
    ),
  ).toEqual([direct, other, mirrored]);
  expect(choose([], tests)).toEqual(select('libs/shelf/books.ts', 10).toSorted());
  expect(choose([], tests)).toContain(direct);
});
