// Runs every command of docs/guides/command-line.md, in its order, on a new service; those that are marked stay out.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { batchOf, findingAid } from './archive.ts';
import { filesForTests, runCli } from './run-cli.ts';

const guide = readFileSync(new URL('../../../docs/guides/command-line.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/(<!-- not run by a test: [^\n]+ -->\n)?```sh\n([\s\S]*?)```/g)];
const commands = blocks
  .filter((block) => block[1] === undefined)
  .flatMap((block) => (block[2] ?? '').trim().split('\n'));

/** Words as a shell splits them: single and double quotes, nothing else that shells do. */
const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '');

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());
const files = filesForTests();
mkdirSync(join(files.folder, 'finding-aids'));
files.put('finding-aid.xml', findingAid('MS.1'));
files.put('broken.xml', findingAid('MS.2').slice(0, 700));
files.put('finding-aids/one.xml', findingAid('MS.3'));
files.put('records.json', batchOf('MS.4'));

describe('the guide to the command line', () => {
  it('has commands to run', () => {
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands) expect(command).toMatch(/^muniment /);
  });

  it.each(commands)('%s', async (command) => {
    const [line = '', code] = command.split(/\s+# exit code /);
    // Jobs that clients do not see take ids too, so the number in the guide is an example.
    const jobs = line.includes('/jobs/1') ? (await api.get('/repositories/2/jobs?page=1')).json : null;
    const words = wordsOf(line)
      .slice(1)
      .map((word) =>
        word.endsWith('/jobs/1')
          ? String(jobs?.results.find((job: { status: string }) => job.status === 'completed')?.uri)
          : word,
      );
    const run = await runCli(words, {
      cwd: files.folder,
      env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword, HOME: files.folder },
    });
    expect(run, run.stderr).toMatchObject({ code: Number(code ?? 0) });
    if (code === undefined) expect(run.stdout).not.toBe('');
    if (line.includes('--json'))
      expect(() =>
        run.stdout
          .trim()
          .split('\n')
          .map((text) => JSON.parse(text)),
      ).not.toThrow();
  });
});
