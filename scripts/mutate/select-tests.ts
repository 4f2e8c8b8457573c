// Which tests a mutant is given to: those that import what it changes, the one at the mirrored path, then those nearest by uses and name.
import type { Importers } from './imports.ts';
import { distancesTo } from './imports.ts';
import type { Coverage } from './line-coverage/folder.ts';
import type { Uses } from './uses.ts';

/** The test files for a change at the offset of a file, most telling first: at most `limit` that run the service, and twice as many that are pure. */
export type Selection = (path: string, offset: number, limit: number) => readonly string[];

/** How tests are selected in a tree. */
export function testSelection(
  importers: Importers,
  uses: Uses,
  files: ReadonlyMap<string, string>,
  tests: readonly string[],
  coverage: Coverage,
): Selection {
  const speaksOf = vocabularies(files, tests);
  const breadths = breadthsOf(importers, tests);
  const rarities = raritiesOf(tests);
  return (path, offset, limit) => {
    const distances = uses.distancesTo(uses.declaredAt(path, offset));
    // What only reaches the file comes last: it may use what was changed in a way that the names do not show.
    const ofFile = distancesTo(path, importers);
    const mirrored = new Set(mirrorsOf(path));
    const words = wordsOf(path);
    const text = files.get(path) ?? '';
    const reaching = coverage.reaching(path, text, text.slice(0, offset).split('\n').length);
    // A test that was seen not to run the line finds nothing wrong with it. Where none was seen to run it, it runs on import or in another process; and
    // what runs on import was seen with the first test of a process alone, so that the mirrored test is always asked.
    const mayFind = (test: string): boolean =>
      reaching.size === 0 || reaching.has(test) || !coverage.recorded.has(test) || mirrored.has(test);
    const likenessOfStatement = speaksOf(uses.textAt(path, offset));
    const likenessOfFile = speaksOf(text);
    const ranked = tests
      .filter(
        (test) =>
          mayFind(test) && (distances.has(test) || ofFile.has(test) || mirrored.has(test) || reaching.has(test)),
      )
      .map((test) => {
        const distance = distances.get(test) ?? ofFile.get(test) ?? 0;
        const shared = [...wordsOf(test)].filter((word) => words.has(word));
        const likeness = shared.reduce((sum, word) => sum + (rarities.get(word) ?? 0), 0);
        // Most tests reach most files, through the whole service. One that reaches little says more of it, and is quick.
        const rank =
          distance + Math.log2(breadths.get(test) ?? 1) - likeness - likenessOfStatement(test) - likenessOfFile(test);
        const group = distances.get(test) === 1 ? 0 : mirrored.has(test) ? 1 : distances.has(test) ? 2 : 3;
        return { test, group, rank };
      })
      .toSorted((one, other) => one.group - other.group || one.rank - other.rank || (one.test < other.test ? -1 : 1))
      .map(({ test }) => test);
    // Pure tests share a process and cost a hundredth of the others.
    const isPure = (test: string): boolean => test.startsWith('test/unit/');
    const chosen = new Set([
      ...ranked.filter((test) => isPure(test)).slice(0, 2 * limit),
      ...ranked.filter((test) => !isPure(test)).slice(0, limit),
    ]);
    return ranked.filter((test) => chosen.has(test));
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

/**
 * How alike a stretch of code and a test are by their words, from 0 to 60. What is reached over HTTP is imported by every test of the service
 * alike, but its own test names the same routes, properties and functions. Rare words say more, and a long test has many by chance.
 */
function vocabularies(
  files: ReadonlyMap<string, string>,
  tests: readonly string[],
): (text: string) => (test: string) => number {
  const words = new Map(tests.map((test) => [test, vocabularyOf(files.get(test) ?? '')]));
  const counts = new Map<string, number>();
  for (const own of words.values()) for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => {
    const count = counts.get(word) ?? 0;
    return count === 0 ? 0 : Math.log2(tests.length / count) ** 2;
  };
  const lengths = new Map(
    [...words].map(([test, own]) => [test, Math.sqrt([...own].reduce((sum, word) => sum + weightOf(word), 0))]),
  );
  return (text) => {
    const wanted = [...vocabularyOf(text)];
    const length = Math.sqrt(wanted.reduce((sum, word) => sum + weightOf(word), 0));
    return (test) => {
      const shared = wanted.filter((word) => words.get(test)?.has(word)).reduce((sum, word) => sum + weightOf(word), 0);
      return shared === 0 ? 0 : (60 * shared) / (length * (lengths.get(test) ?? 1));
    };
  };
}

/** Names and words of a text, those with an underscore or inner capitals also by their parts. */
function vocabularyOf(text: string): ReadonlySet<string> {
  const names = text.match(/[A-Za-z_]\w{3,}/g) ?? [];
  return new Set(
    names
      .flatMap((name) => [name, ...name.split(/_|(?=[A-Z])/).filter((part) => part.length > 3)])
      .map((word) => word.toLowerCase()),
  );
}

function wordsOf(path: string): ReadonlySet<string> {
  const words = path.split(/[^a-z0-9]+/i).filter((word) => !['', 'ts', 'test', 'libs', 'apps'].includes(word));
  return new Set(words.map((word) => word.toLowerCase().replace(/s$/, '')));
}
