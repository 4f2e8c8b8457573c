// The package as others get it: built, packed, installed from the archive without a network, and a script that compiles against it under
// `strict` without a cast and works.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { projectRoot } from '#test/support/service.ts';

const run = promisify(execFile);
const largest = { maxBuffer: 64e6 };
const modules = join(projectRoot, 'node_modules');
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), `muniment-test-${process.pid}-`));
  await run(process.execPath, [join(projectRoot, 'scripts/build-client.ts'), join(folder, 'client')], largest);
  // What it depends on is packed from what is installed here.
  const parts = [join(folder, 'client'), join(modules, 'openapi-fetch'), join(modules, 'openapi-typescript-helpers')];
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, ...parts], { cwd: folder });
  const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const cache = ['--cache', join(folder, 'cache')];
  await run('npm', ['install', '--offline', ...cache, ...archives.map((name) => `./${name}`)], { cwd: folder });
  symlinkSync(join(modules, '@types'), join(folder, 'node_modules/@types'));
  copyFileSync(join(projectRoot, 'test/fixtures/openapi/client/packed-flow.ts'), join(folder, 'flow.ts'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed client', () => {
  it('holds code, types and a licence, and none of our sources', () => {
    const installed = join(folder, 'node_modules/muniment-client');
    for (const name of ['LICENSE', 'README.md', 'dist/client/entry.js', 'dist/client/entry.d.ts'])
      expect(existsSync(join(installed, name)), name).toBe(true);
    expect(readdirSync(installed, { recursive: true }).filter((name) => /(?<!\.d)\.ts$/.test(String(name)))).toEqual(
      [],
    );
  });

  it('compiles under strict and does what archivists do', async () => {
    const flags =
      '--strict --noEmit --target es2024 --lib es2024,esnext.disposable,esnext.array --module nodenext --types node';
    const compiled = await run(
      process.execPath,
      [join(modules, 'typescript/bin/tsc'), ...flags.split(' '), 'flow.ts'],
      {
        ...largest,
        cwd: folder,
      },
    ).catch((error: unknown) => error);
    expect(compiled).toMatchObject({ stdout: '' });

    await using api = await startTestApi({ worker: 'jobs' });
    const aid = join(projectRoot, 'test/fixtures/formats/ead/harbour.xml');
    const { stdout } = await run(process.execPath, [join(folder, 'flow.ts'), api.url, adminPassword, aid], largest);
    const steps = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(steps).toEqual([
      { step: 'refused', value: true },
      { step: 'login', value: 'admin' },
      { step: 'items', value: Array.from({ length: 7 }, (_, index) => `Papers ${index + 1}`) },
      { step: 'pages', value: 3 },
      { step: 'id sets', value: 7 },
      { step: 'job', value: ['completed', true, true] },
      { step: 'failed job', value: true },
      { step: 'ask', value: 'Harbour Board records' },
      { step: 'export', value: true },
      { step: 'error', value: [400, { error: { repo_code: [expect.any(String)] } }] },
    ]);
  });
});
