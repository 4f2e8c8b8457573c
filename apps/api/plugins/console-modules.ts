// Which modules of the console a module needs before it runs, so that the page can have them fetched at once and not one behind another.
import { posix } from 'node:path';

// What is imported where it is used (`import('…')`) is not needed before.
const imports = /\b(?:from|import)\s*["']([^"'\n]+)["']/g;

/**
 * The modules that these need and they themselves, by path, each before what it imports. `read` gives the text of a module, undefined where
 * there is none; `packages` are the paths of packages by name.
 */
export function modulesOf(
  entries: readonly string[],
  read: (path: string) => string | undefined,
  packages: { readonly [name: string]: string },
): readonly string[] {
  const found = new Set<string>();
  const add = (path: string): void => {
    const text = found.has(path) ? undefined : read(path);
    if (text === undefined) return;
    found.add(path);
    for (const [, name = ''] of text.matchAll(imports)) {
      const to = name.startsWith('.') ? posix.join(posix.dirname(path), name) : packages[name];
      if (to !== undefined) add(to);
    }
  };
  entries.forEach(add);
  return [...found];
}
