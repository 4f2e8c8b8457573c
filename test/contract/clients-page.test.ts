// The page of client programs as people use it: the blocks of each language, one after the other, on a service of their own. A language whose
// program or library is not on this machine is skipped, and the name of the test says so.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, ok, startTestApi } from '#test/support/api.ts';
import { isLong } from '#test/support/long.ts';
import { projectRoot } from '#test/support/service.ts';

const run = promisify(execFile);
const largest = { maxBuffer: 64e6 };
const modules = join(projectRoot, 'node_modules');
const page = readFileSync(join(projectRoot, 'docs/guides/clients.md'), 'utf8');
const tasks = page.split(/^## \d+\. /m).slice(1);

/** What the block of each task shows, in whatever language. A new task on the page needs a line here. */
const shown: readonly (readonly RegExp[])[] = [
  [/admin/],
  [/\/repositories\/2\/archival_objects\/6\b/],
  [/Minute book, second/, /Minutes/, /Harbour Board records/],
  [/Updated/],
  [/\/archival_objects\/1\b/, /Harbour light, elevation/, /Tide tables, corrected/],
  [/\/repositories\/2\/archival_objects\/6\b/],
  [/Harbour light, elevation/],
  [/Minutes/, /Minute book, first/, /Plans/],
  [/completed/],
  [/<titleproper>Guide to the records of the Harbour Board/],
];

type Language = {
  /** As its fences are marked. */
  readonly fence: string;
  /** Asks for what it needs; a failure skips the language. */
  readonly needs: readonly string[];
  readonly mark: (task: number) => string;
  readonly file: string;
  readonly command: readonly string[];
};
const languages: readonly Language[] = [
  {
    fence: 'sh',
    needs: ['curl', '--version'],
    mark: (task) => `echo "== ${task}"`,
    file: 'page.sh',
    command: ['bash', '-eu', '-o', 'pipefail'],
  },
  {
    fence: 'ts',
    needs: [process.execPath, '--version'],
    mark: (task) => `console.log('== ${task}');`,
    file: 'page.ts',
    command: [process.execPath],
  },
  {
    fence: 'python',
    needs: ['python3', '-c', 'import asnake'],
    mark: (task) => `print("== ${task}", flush=True)`,
    file: 'page.py',
    command: ['python3'],
  },
  {
    fence: 'ruby',
    needs: ['ruby', '-e', 'require "archivesspace/client"'],
    mark: (task) => `puts "== ${task}"`,
    file: 'page.rb',
    command: ['ruby'],
  },
];

const folder = mkdtempSync(join(tmpdir(), `muniment-test-${process.pid}-`));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blockOf = (task: string, fence: string): string =>
  new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(task)?.[1] ?? '';

/** A service that holds the finding aid of the README's session, found by searches. */
async function withFindingAid(): Promise<TestApi> {
  const api = await startTestApi();
  expect(await api.repository('DEMO')).toBe(2);
  const form = new FormData();
  form.set('job', '{"job":{"jsonmodel_type":"import_job","import_type":"ead_xml","filenames":["harbour.xml"]}}');
  const aid = readFileSync(join(projectRoot, 'test/fixtures/formats/ead/harbour.xml'));
  form.set('files[]', new Blob([aid]), 'harbour.xml');
  const { uri } = ok(await api.ask('/repositories/2/jobs_with_files', { form }));
  await expect.poll(async () => (await api.get(String(uri))).json.status).toBe('completed');
  const search = '/repositories/2/search?page=1&q=title:elevation';
  await expect.poll(async () => (await api.get(search)).json.total_hits).toBe(1);
  return api;
}

describe('the page of client programs', () => {
  test('has each task in each language, and this test knows each task', () => {
    expect(tasks.length).toBe(shown.length);
    for (const task of tasks)
      for (const { fence } of languages) expect(blockOf(task, fence), `${task.split('\n')[0]}: ${fence}`).not.toBe('');
  });

  for (const language of languages) {
    const { fence, needs, mark, file, command } = language;
    const isThere = spawnSync(needs[0] ?? '', needs.slice(1)).status === 0;
    // Of TypeScript the package is built and compiled against in each run by test/integration/client/entry.test.ts; doing so once more is for long ones.
    test.runIf(isThere && (isLong || fence !== 'ts'))(
      `${fence}: does what each task says${isThere ? '' : ` (NOT RUN: ${needs.join(' ')} fails here)`}`,
      async () => {
        const place = join(folder, fence);
        mkdirSync(join(place, 'node_modules'), { recursive: true });
        writeFileSync(join(place, 'package.json'), '{"type":"module"}');
        const another = join(projectRoot, 'test/fixtures/formats/ead/harbour.xml');
        const text = readFileSync(another, 'utf8').replaceAll('HB.1', 'HB.2').replaceAll('harbour-board', 'second');
        writeFileSync(join(place, 'finding-aid.xml'), text);
        const marked = tasks.map((task, index) => `${blockOf(task, fence)}\n${mark(index + 1)}\n`).join('\n');
        writeFileSync(join(place, file), marked);
        if (fence === 'ts') await compile(place, file);
        await using api = await withFindingAid();
        const [program = '', ...given] = command;
        const env = { ...process.env, MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword };
        const { stdout } = await run(program, [...given, file], { ...largest, cwd: place, env });
        const said = stdout.split(/^== \d+\n/m);
        for (const [index, patterns] of shown.entries())
          for (const pattern of patterns) expect(said[index], tasks[index]?.split('\n')[0]).toMatch(pattern);
      },
    );
  }
});

/** Builds the package for a program and compiles that against it, as strictly as may be. */
async function compile(place: string, file: string): Promise<void> {
  const built = join(place, 'node_modules/muniment-client');
  await run(process.execPath, [join(projectRoot, 'scripts/build-client.ts'), built], largest);
  symlinkSync(join(modules, 'openapi-fetch'), join(place, 'node_modules/openapi-fetch'));
  symlinkSync(join(modules, '@types'), join(place, 'node_modules/@types'));
  const flags = '--strict --noEmit --target es2024 --lib es2024,esnext.disposable --module nodenext --types node';
  const args = [join(modules, 'typescript/bin/tsc'), ...flags.split(' '), file];
  const compiled = await run(process.execPath, args, { ...largest, cwd: place }).catch((error) => error);
  expect(compiled).toMatchObject({ stdout: '' });
}
