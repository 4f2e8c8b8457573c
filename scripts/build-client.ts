// Builds the package of libs/client: `npm run build:client [FOLDER]`. The types come from the OpenAPI document, the code from libs/client and
// what it uses of libs/domain; the folder (tmp/client) then holds what `npm pack` and `npm publish` take.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { documentOf } from '#test/support/openapi-document.ts';

const root = join(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(root, 'tmp/client'));
const work = mkdtempSync(join(tmpdir(), 'muniment-client-'));
try {
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
  writeFileSync(join(work, 'package.json'), '{"type":"module"}');
  cpSync(join(root, 'libs/client'), join(work, 'src/client'), { recursive: true });
  mkdirSync(join(work, 'src/domain'));
  copyFileSync(join(root, 'libs/domain/json.ts'), join(work, 'src/domain/json.ts'));
  writeFileSync(join(work, 'document.json'), JSON.stringify(documentOf('R-B')));
  const types = run(process.execPath, [join(root, 'scripts/openapi-types.mjs'), join(work, 'document.json')]);
  writeFileSync(join(work, 'src/client/schema.ts'), types);

  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const flags =
    '--strict --skipLibCheck --declaration --target es2022 --lib es2024,esnext.disposable,dom,dom.iterable,dom.asynciterable --types node --module nodenext --rewriteRelativeImportExtensions --rootDir src';
  run(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    ...flags.split(' '),
    '--outDir',
    join(out, 'dist'),
    join(work, 'src/client/entry.ts'),
  ]);
  for (const name of ['package.json', 'README.md']) copyFileSync(join(root, 'libs/client', name), join(out, name));
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(`The package of the client is in ${out}.\n`);

function run(command: string, args: readonly string[]): string {
  const done = spawnSync(command, args, { cwd: work, encoding: 'utf8', maxBuffer: 64e6 });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}
