// The generator keeps registries in step with the files they list.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'generate-'));
  for (const folder of ['scripts', 'libs/domain']) cpSync(join(root, folder), join(copy, folder), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true }));

const generate = (...options: readonly string[]) =>
  spawnSync(process.execPath, [join(copy, 'scripts/generate.ts'), ...options], { encoding: 'utf8' });

test('writes what is missing, and finds nothing to do the second time', () => {
  expect(generate().status).toBe(0);
  expect(generate().stdout).toBe('Everything generated is up to date.\n');
  expect(generate('--check').status).toBe(0);
});

test('refuses drift and names the files', () => {
  generate();
  writeFileSync(join(copy, 'libs/domain/kinds/new_kind.ts'), '// A kind for this test.\nexport const newKind = {};\n');
  const check = generate('--check');
  expect(check.status).toBe(1);
  expect(check.stderr).toContain('libs/domain/kinds/index.ts');
  expect(check.stderr).not.toContain('docs/configuration.md');
  generate();
  expect(readFileSync(join(copy, 'libs/domain/kinds/index.ts'), 'utf8')).toContain(
    "import { newKind } from './new_kind.ts';",
  );
});
