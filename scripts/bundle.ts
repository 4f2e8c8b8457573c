// Bundles the programs of the service: `npm run bundle`, and by itself with `npm ci`. Their nine hundred files become some sixty, which takes a second;
// from these they start in half the time and need less memory (docs/decisions/0052). start.mjs runs them while nothing has changed since.
import { chmodSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'rolldown';
import { bundleFolder, bundlesOf, digestOf, hasOwnPackages } from './bundled.mjs';

/**
 * Bundles programs of a project, by their paths from its root, into a folder: all of the service's (`apps/…/main.ts`), unless others are named. Does nothing
 * where that was done of the very same files. Packages stay what and where they are; where a link leads to them nothing is done.
 */
export async function bundle(
  root: string,
  programs: readonly string[] = globSync('apps/**/main.ts', { cwd: root }).toSorted(),
  folder = bundleFolder(root),
): Promise<void> {
  if (!hasOwnPackages(root)) return;
  if (isDeepStrictEqual(Object.keys(bundlesOf(root, null, folder)), programs)) return;
  // Here, since what is bundled already can be so without it.
  const { rolldown } = await import('rolldown');
  const sources = new Set(['package.json']);
  await using bundler = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(programs.map((program) => [nameOf(program), join(root, program)])),
    external: (id) => !/^[./#]/.test(id),
    plugins: [ownFiles(root, folder, sources)],
  });
  mkdirSync(dirname(folder), { recursive: true });
  // Beside the one that is there, from which a program may be starting.
  const made = mkdtempSync(`${folder}-`);
  try {
    await bundler.write({
      dir: made,
      sourcemap: true,
      sourcemapExcludeSources: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
    const read = [...sources].toSorted();
    const bundles = Object.fromEntries(programs.map((program) => [program, `${nameOf(program)}.js`]));
    writeFileSync(
      join(made, 'manifest.json'),
      JSON.stringify({ bundles, sources: read, digest: digestOf(root, read) }),
    );
    // Whoever runs the service need not be who installed it.
    chmodSync(made, 0o755);
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** The name of the bundle of a file, which says where that is. */
const nameOf = (path: string): string => path.replace(/\.ts$/, '').replaceAll('/', '-');

/**
 * Collects the files that are read, by their paths from the root, and puts right what they name by its place from themselves: from the bundle it is
 * elsewhere, and a module that runs in a thread is a bundle of its own.
 */
function ownFiles(root: string, folder: string, sources: Set<string>): Plugin {
  return {
    name: 'own files',
    transform(code, id) {
      // What the bundler puts in is no file.
      if (!isAbsolute(id)) return null;
      sources.add(relative(root, id));
      if (!code.includes('import.meta.url')) return null;
      const urlFrom = (path: string): string =>
        `new URL('${relative(folder, path)}${path.endsWith('/') ? '/' : ''}', import.meta.url)`;
      const replaced = code
        .replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (_, place: string) => {
          const path = fileURLToPath(new URL(place, pathToFileURL(id)));
          if (!path.endsWith('.ts')) return urlFrom(path);
          const fileName = `${nameOf(relative(root, path))}.js`;
          this.emitFile({ type: 'chunk', id: path, fileName });
          return urlFrom(join(folder, fileName));
        })
        .replaceAll('createRequire(import.meta.url)', `createRequire(${urlFrom(id)})`);
      // Nothing moves to another line.
      return { code: replaced, map: null };
    },
  };
}

if (import.meta.main) {
  // The service runs without, so an installation does not fail by it.
  await bundle(join(import.meta.dirname, '..')).catch((error: unknown) => {
    process.stderr.write(`The programs were not bundled and start from their sources: ${String(error)}\n`);
  });
}
