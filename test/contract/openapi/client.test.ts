// A client of which nothing is written by hand: types from the document, a thin fetch around them, and a flow that compiles under `strict` without a
// cast and runs against the service. The generator and the compiler are others'.
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { documentOf } from '#test/support/openapi-document.ts';
import { isLong } from '#test/support/long.ts';
import { projectRoot } from '#test/support/service.ts';

const run = promisify(execFile);
const largest = { maxBuffer: 64e6 };
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), `muniment-test-${process.pid}-`));
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(projectRoot, 'test/fixtures/openapi/client/flow.ts'), join(folder, 'flow.ts'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The types of both differ in little: in usual runs those of the newer release are compiled.
describe.each(isLong ? (['R-A', 'R-B'] as const) : (['R-B'] as const))('the client of %s', (release) => {
  it('compiles under strict and takes a collection all its way without a cast', async () => {
    writeFileSync(join(folder, 'document.json'), JSON.stringify(documentOf(release)));
    const generator = join(projectRoot, 'scripts/openapi-types.mjs');
    const types = await run(process.execPath, [generator, join(folder, 'document.json')], largest);
    writeFileSync(join(folder, 'schema.ts'), types.stdout);
    const flags =
      '--strict --noEmit --skipLibCheck --target es2024 --module nodenext --allowImportingTsExtensions --types node';
    const compiled = spawnSync(
      process.execPath,
      [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), join(folder, 'flow.ts')],
      {
        encoding: 'utf8',
        cwd: folder,
      },
    );
    expect(compiled.stdout).toBe('');

    await using api = await startTestApi({ environment: { MUNIMENT_RELEASE: release } });
    const aid = join(projectRoot, 'test/fixtures/formats/ead/harbour.xml');
    const { stdout } = await run(process.execPath, [join(folder, 'flow.ts'), api.url, adminPassword, aid], largest);
    const steps = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(steps).toEqual([
      { step: 'login', value: 'admin' },
      { step: 'tree', value: [1, ['Minutes']] },
      { step: 'list', value: ['Harbour papers', 'More harbour papers'] },
      { step: 'resolved', value: 'More harbour papers' },
      { step: 'job', value: 'completed' },
      { step: 'search', value: ['Harbour Board records', 'Harbour papers', 'More harbour papers'] },
      { step: 'export', value: 'More harbour papers' },
      { step: 'merge', value: 1 },
    ]);
  });
});
