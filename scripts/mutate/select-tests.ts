// Which tests a mutant is given to: those that import its file, the one at the mirrored path, then those nearest by imports and name.
import type { Importers } from './imports.ts';
import { distancesTo } from './imports.ts';

/** The test files for a changed file, most telling first, at most `limit` of them. */
export type Selection = (path: string, limit: number) => readonly string[];

/** How tests are selected in a tree. */
export function testSelection(importers: Importers, tests: readonly string[]): Selection {
  const breadths = breadthsOf(importers, tests);
  const rarities = raritiesOf(tests);
  return (path, limit) => {
    const distances = distancesTo(path, importers);
    const mirrored = new Set(mirrorsOf(path));
    const words = wordsOf(path);
    return tests
      .filter((test) => distances.has(test) || mirrored.has(test))
      .map((test) => {
        const distance = distances.get(test) ?? 0;
        const shared = [...wordsOf(test)].filter((word) => words.has(word));
        const likeness = shared.reduce((sum, word) => sum + (rarities.get(word) ?? 0), 0);
        // Most tests reach most files, through the whole service. One that reaches little says more of it, and is quick.
        const rank = distance + Math.log2(breadths.get(test) ?? 1) - likeness;
        return { test, group: distance === 1 ? 0 : mirrored.has(test) ? 1 : 2, rank };
      })
      .toSorted((one, other) => one.group - other.group || one.rank - other.rank || (one.test < other.test ? -1 : 1))
      .slice(0, limit)
      .map(({ test }) => test);
  };
}

/** Where the test of a file stands: below test/unit or test/integration, at the path that the file has below libs or apps. */
function mirrorsOf(path: string): readonly string[] {
  const place = path.replace(/^(?:libs|apps)\//, '').replace(/\.ts$/, '.test.ts');
  return [`test/unit/${place}`, `test/integration/${place}`];
}

/** How many files each test reaches. */
function breadthsOf(importers: Importers, tests: readonly string[]): ReadonlyMap<string, number> {
  const imported = new Map<string, Set<string>>();
  for (const [path, by] of importers)
    for (const importer of by) imported.set(importer, (imported.get(importer) ?? new Set()).add(path));
  return new Map(tests.map((test) => [test, distancesTo(test, imported).size]));
}

/** How much it says that a path has a word: more, the fewer tests have it in theirs. */
function raritiesOf(tests: readonly string[]): ReadonlyMap<string, number> {
  const words = tests.flatMap((test) => [...wordsOf(test)]);
  const counts = Map.groupBy(words, (word) => word);
  return new Map([...counts].map(([word, { length }]) => [word, Math.log2(tests.length / length)]));
}

function wordsOf(path: string): ReadonlySet<string> {
  const words = path.split(/[^a-z0-9]+/i).filter((word) => !['', 'ts', 'test', 'libs', 'apps'].includes(word));
  return new Set(words.map((word) => word.toLowerCase().replace(/s$/, '')));
}
