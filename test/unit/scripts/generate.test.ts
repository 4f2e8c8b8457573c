// The generator keeps registries in step with the files they list, and says what is missing from a pair of files.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CopiedTree } from '#test/support/copied-tree.ts';
import { copyTree } from '#test/support/copied-tree.ts';

let copy: CopiedTree;
beforeAll(() => {
  copy = copyTree();
});
afterAll(() => copy[Symbol.dispose]());

const write = (path: string, text: string): void => writeFileSync(join(copy.root, path), text);

const kind = 'libs/domain/kinds/new_kind.ts';
const kindText = '// A kind for this test.\nexport const newKind = {};\n';

// Each run that comes to its end compiles the console: what is done by one is what the next starts from.
test('writes what is missing, and the check finds nothing then', () => {
  write(kind, kindText);
  expect(copy.generate()).toEqual({ status: 0, output: expect.stringContaining('docs/configuration.md') });
  expect(readFileSync(join(copy.root, 'libs/domain/kinds/index.ts'), 'utf8')).toContain(
    "import { newKind } from './new_kind.ts';",
  );
  expect(copy.generate('--check')).toEqual({ status: 0, output: '' });
});

test('refuses drift and names the files', () => {
  rmSync(join(copy.root, kind));
  const check = copy.generate('--check');
  expect(check.status).toBe(1);
  expect(check.output).toContain('libs/domain/kinds/index.ts');
  expect(check.output).not.toContain('docs/configuration.md');
  write(kind, kindText);
});

test('says of a job without a handler, of a handler without a job and of names that differ what to write where', () => {
  const before = readFileSync(join(copy.root, 'libs/domain/jobs/index.ts'), 'utf8');
  write('libs/domain/jobs/new-job.ts', "export const newJob = defineJob({\n  name: 'new-job',\n});\n");
  write('libs/domain/jobs/odd-job.ts', "export const oddJob = defineJob({\n  name: 'other-job',\n});\n");
  write('apps/worker/jobs/odd-job.ts', 'export const handler = defineHandler(expire, async () => undefined);\n');
  write('apps/worker/jobs/lost-job.ts', 'export const handler = defineHandler(lostJob, async () => undefined);\n');
  for (const options of [[], ['--check']]) {
    const { status, output } = copy.generate(...options);
    expect(status).toBe(1);
    expect(output.split('\n')).toEqual([
      "libs/domain/jobs/odd-job.ts: write export const oddJob = defineJob({ name: 'odd-job', … })",
      'libs/domain/jobs/new-job.ts has no handler: write export const handler = defineHandler(newJob, async (payload, context) => …) in apps/worker/jobs/new-job.ts',
      'apps/worker/jobs/lost-job.ts has no declaration: write libs/domain/jobs/lost-job.ts, or give both one name',
      'apps/worker/jobs/odd-job.ts does not handle the job of its name: write export const handler = defineHandler(oddJob, async (payload, context) => …) in apps/worker/jobs/odd-job.ts',
      'Nothing was generated.',
      '',
    ]);
  }
  expect(readFileSync(join(copy.root, 'libs/domain/jobs/index.ts'), 'utf8')).toBe(before);
  for (const path of ['libs/domain/jobs/new-job.ts', 'libs/domain/jobs/odd-job.ts']) rmSync(join(copy.root, path));
  for (const path of ['apps/worker/jobs/odd-job.ts', 'apps/worker/jobs/lost-job.ts']) rmSync(join(copy.root, path));
  // Nor is there anything to do: neither the check nor what was refused has written.
  expect(copy.generate()).toEqual({ status: 0, output: 'Everything generated is up to date.\n' });
});
