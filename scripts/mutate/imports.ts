// Who imports whom, tests included. Any string that names a file of the tree counts as an import of it: dynamic imports, threads and
// programs that are started are found the same way. Imports of types do not count, since nothing of them runs.
import { posix } from 'node:path';
import { parse, walk, wordOf } from './syntax.ts';

/** For each file the files that import it. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

/** The importers of each of the files (texts by path); `aliases` is `imports` of package.json. */
export function findImporters(
  files: ReadonlyMap<string, string>,
  aliases: { readonly [alias: string]: string },
): Importers {
  const importers = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    for (const name of namesIn(text)) {
      const target = targetsOf(path, name, aliases).find((candidate) => files.has(candidate));
      if (target === undefined || target === path) continue;
      const known = importers.get(target) ?? new Set();
      importers.set(target, known.add(path));
    }
  }
  return importers;
}

/** How many imports lie between the file and each of those that reach it. */
export function distancesTo(path: string, importers: Importers): ReadonlyMap<string, number> {
  const distances = new Map([[path, 0]]);
  for (const [reached, distance] of distances)
    for (const importer of importers.get(reached) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

/**
 * Whether a file has a part in the template that tests clone. What a worker does there (settled.ts) does not count: it spares each clone's worker the
 * reference data, and nearly the whole product comes to run for it.
 */
export function makesTemplate(path: string, importers: Importers): boolean {
  return distancesTo(path, importers).has('test/support/template.ts');
}

function namesIn(text: string): readonly string[] {
  const runs = walk(parse(text), (node) => node['importKind'] !== 'type' && node['exportKind'] !== 'type');
  return [...runs].map(({ node }) => (node.type === 'Literal' ? wordOf(node, 'value') : ''));
}

/** The files that a name in the file at `path` may stand for: by an alias, from the file, from the root. */
export function targetsOf(
  path: string,
  name: string,
  aliases: { readonly [alias: string]: string },
): readonly string[] {
  if (!name.endsWith('.ts')) return [];
  for (const [alias, target] of Object.entries(aliases)) {
    const start = alias.replace('*', '');
    if (name.startsWith(start)) return [posix.normalize(target.replace('*', name.slice(start.length)))];
  }
  return [posix.join(posix.dirname(path), name), posix.normalize(name)];
}
