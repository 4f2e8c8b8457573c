// What start.mjs runs: the bundle of a program while nothing of it has changed, and its sources otherwise; both do the same.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from '../../../scripts/bundle.ts';

const files = {
  'package.json': '{ "type": "module", "imports": { "#domain/*": "./libs/domain/*" } }',
  'libs/domain/said.ts': 'export const said: string = "first";\n',
  'db/words.txt': 'words',
  'apps/worker/main.ts': 'process.stdout.write("a worker\\n");\n',
  'apps/thread.ts': `import { parentPort } from 'node:worker_threads';
import { said } from '#domain/said.ts';
const fault = new TypeError('there');
parentPort?.postMessage({ said, from: import.meta.filename, stack: fault.stack });
`,
  'apps/main.ts': `import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { said } from '#domain/said.ts';

type Told = { readonly said: string };
const [told] = await once(new Worker(new URL('thread.ts', import.meta.url)), 'message');
const words = readFileSync(new URL('../db/words.txt', import.meta.url), 'utf8');
const fault = (): Error => new Error('where');
const { said: late } = await import('#domain/late.ts');
console.log(JSON.stringify({ said, told, words, late, from: import.meta.filename, args: process.argv.slice(2), stack: fault().stack }));
`,
  'libs/domain/late.ts': 'export const said = "late";\n',
};

// One for all: what is bundled already is not bundled anew for the next test, unless the one before has changed a file.
let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'muniment-bundle-')));
  mkdirSync(join(root, 'node_modules'));
  for (const name of ['start.mjs', 'bundled.mjs', 'mapped-stacks.mjs'])
    cpSync(join(import.meta.dirname, '../../../scripts', name), join(root, 'scripts', name));
});
beforeEach(() => {
  for (const [path, text] of Object.entries(files)) write(path, text);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** What the program of the project says, started from another folder. */
function run(of = root): {
  readonly isBundle: boolean;
  readonly said: unknown;
  readonly stacks: readonly string[];
} {
  const done = spawnSync(process.execPath, [join(of, 'scripts/start.mjs'), join(of, 'apps/main.ts'), 'x y'], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(done.stderr);
  const { from, stack, told, ...said } = JSON.parse(done.stdout);
  const isBundle = from.includes('/node_modules/.cache/bundle/');
  expect(told.from.includes('/node_modules/.cache/bundle/')).toBe(isBundle);
  return { isBundle, said: { ...said, thread: told.said }, stacks: [stack, told.stack] };
}

const first = { said: 'first', thread: 'first', words: 'words', late: 'late', args: ['x y'] };

describe('the bundle of a program', () => {
  it('does what its sources do, with its threads, files and modules loaded later, and names their lines in stack traces, in threads too', async () => {
    const before = run();
    expect(before).toMatchObject({ isBundle: false, said: first });
    await bundle(root);
    const after = run();
    expect(after).toMatchObject({ isBundle: true, said: first });
    for (const { stacks } of [before, after]) {
      expect(stacks[0]).toMatch(/^Error: where\n {4}at fault \(/);
      expect(stacks[0]).toContain(`${join(root, 'apps/main.ts')}:9:`);
      expect(stacks[1]).toMatch(/^TypeError: there\n {4}at /);
      expect(stacks[1]).toContain(`${join(root, 'apps/thread.ts')}:3:`);
    }
  });

  it.each([
    [
      'a module of it',
      'libs/domain/said.ts',
      'export const said: string = "other";\n',
      { said: 'other', thread: 'other' },
    ],
    ['a module that is loaded later', 'libs/domain/late.ts', 'export const said = "later";\n', { late: 'later' }],
    ['the names of folders', 'package.json', `${files['package.json']}\n`, {}],
  ])('is not run once %s has changed, and is after it is bundled anew', async (_, path, text, change) => {
    await bundle(root);
    write(path, text);
    expect(run()).toMatchObject({ isBundle: false, said: { ...first, ...change } });
    await bundle(root);
    expect(run()).toMatchObject({ isBundle: true, said: { ...first, ...change } });
  });

  it('is run where the project is named through a link, as where versions stand side by side', async () => {
    await bundle(root);
    const link = `${root}-current`;
    symlinkSync(root, link);
    try {
      expect(run(link)).toMatchObject({ isBundle: true, said: first });
    } finally {
      rmSync(link);
    }
  });

  it('is run where only times have changed, as in a copy', async () => {
    await bundle(root);
    for (const [path, text] of Object.entries(files)) write(path, text);
    expect(run()).toMatchObject({ isBundle: true, said: first });
  });

  it('is left as it is where nothing has changed, and can be read by others than who made it', async () => {
    await bundle(root);
    const made = statSync(join(root, 'node_modules/.cache/bundle'));
    await bundle(root);
    expect(statSync(join(root, 'node_modules/.cache/bundle')).ino).toBe(made.ino);
    expect(made.mode & 0o777).toBe(0o755);
  });

  it('is none where the packages are those of another project', async () => {
    await bundle(root);
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'muniment-bundle-')));
    try {
      for (const folder of ['apps', 'libs', 'db', 'scripts', 'package.json'])
        cpSync(join(root, folder), join(other, folder), { recursive: true });
      symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'));
      writeFileSync(join(other, 'db/words.txt'), 'its own');
      await bundle(other);
      expect(run(other)).toMatchObject({ isBundle: false, said: { ...first, words: 'its own' } });
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('is nothing that a program needs: one that cannot be made leaves what is there', async () => {
    await bundle(root);
    write('libs/domain/said.ts', 'export const said = ;\n');
    await expect(bundle(root)).rejects.toThrow(/said\.ts/);
    write('libs/domain/said.ts', files['libs/domain/said.ts']);
    expect(run()).toMatchObject({ isBundle: true, said: first });
  });
});
