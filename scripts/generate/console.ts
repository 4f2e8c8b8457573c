// What browsers get of /console: the modules of apps/console and what they use of libs/client, compiled by the compiler that checks them. They are
// committed, so that a service that was installed without the compiler has them.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the modules are, from the root of the project. */
export const consoleFolder = 'apps/console/built';

/** The modules by path from the root of the project. Throws what the compiler says where the console does not compile. */
export function consoleModules(root: string): ReadonlyMap<string, string> {
  const out = mkdtempSync(join(tmpdir(), 'muniment-console-'));
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const done = spawnSync(process.execPath, [compiler, '-p', 'apps/console', '--outDir', out], {
      cwd: root,
      encoding: 'utf8',
    });
    if (done.status !== 0) throw new Error(`apps/console does not compile:\n${done.stdout}${done.stderr}`);
    const paths = globSync('**/*.js', { cwd: out }).sort();
    return new Map(
      paths.map((path) => [`${consoleFolder}/${path.replaceAll('\\', '/')}`, readFileSync(join(out, path), 'utf8')]),
    );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
