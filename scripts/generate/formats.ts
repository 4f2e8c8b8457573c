// The registries of formats: what the standards declare.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * libs/domain/formats/exports.ts, imports.ts and recognitions.ts: what the standards declare in files of that name, by path. `what` is a kind of
 * declaration; every function `define…` of define-export.ts, define-import.ts or define-recognition.ts makes one.
 */
export function formatsIndex(root: string, mark: string, what: 'Export' | 'Import' | 'Recognition'): string {
  const folder = 'libs/domain/formats';
  const file = what.toLowerCase();
  const declared = globSync(`**/${file}.ts`, { cwd: join(root, folder) })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({
      path,
      names: Array.from(
        readFileSync(join(root, folder, path), 'utf8').matchAll(/^export const (\w+) = define\w+\(/gm),
        ([, name = '']) => name,
      ),
    }))
    .filter(({ names }) => names.length > 0);
  return `// ${mark}
// The registry of ${file}s: what the standards declare in their ${file}.ts.
import type { ${what} } from './define-${file}.ts';
${declared.map(({ path, names }) => `import { ${names.join(', ')} } from './${path}';`).join('\n')}

/** All ${file}s, by folder. */
export const all${what}s: readonly ${what}[] = [
${declared.flatMap(({ names }) => names.map((name) => `  ${name},`)).join('\n')}
];
`;
}
