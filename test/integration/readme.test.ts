// The README as a stranger follows it: its start, then every command of its fenced blocks marked `<!-- session -->`, in order, with bash.
// Only the address and the data folder are replaced.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '#test/support/service.ts';
import { makeDataDir, projectRoot, startService } from '#test/support/service.ts';

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/<!-- session -->\n```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

/** What each command of the README shows, in order. A new command in the README needs a line here. */
const shown: readonly (readonly [beginning: string, shows: readonly RegExp[]])[] = [
  ['export MUNIMENT_URL=', []],
  ['export MUNIMENT_SESSION=', []],
  ['curl', [/"status":"Created"/, /"uri":"\/repositories\/2"/]],
  ['npm run -s muniment -- import', [/\/repositories\/2\/resources\/1\b/]],
  ['npm run -s muniment -- tree', [/Harbour Board records/, /Minute book, second/, /Harbour light, elevation/]],
  ['curl', [/"child_count":2\b/, /"title":"Minutes"/, /"title":"Plans"/]],
  [
    'curl',
    [
      /"display_string":"Minute book, second, 1880-1891"/,
      /"ancestors":.*"_resolved":\{.*"title":"Minutes"/,
      /"_resolved":\{.*"title":"Harbour Board records"/,
    ],
  ],
  ['npm run -s muniment -- search elevation', [/Harbour light, elevation/, /\d found/]],
  ['curl', [/"total_hits":[1-9]/, /"title":"Harbour light, elevation/]],
  ['curl', [/"status":"Created"/, /"uri":"\/repositories\/2\/archival_objects\/6"/]],
  ['npm run -s muniment -- search tide', [/archival_objects\/6 +archival_object +Tide tables\n1 found/]],
];

const data = makeDataDir();
const folder = mkdtempSync(join(tmpdir(), 'muniment-readme-'));
let service: Service;
beforeAll(async () => {
  service = await startService({ MUNIMENT_DATA_DIR: data.path });
  writeFileSync(join(folder, 'variables'), '');
});
afterAll(async () => {
  await service.stop();
  await data[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the root of the project, with the variables that earlier ones exported. */
async function run(
  command: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const replaced = command
    .replaceAll('http://127.0.0.1:8089', service.url)
    .replaceAll('data/admin-password', join(data.path, 'admin-password'));
  const variables = join(folder, 'variables');
  const script = `set -o pipefail; source ${variables}; ${replaced}\ncode=$?; declare -px | grep MUNIMENT > ${variables}; exit $code`;
  const child = spawn('bash', ['-c', script], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

describe('the README', () => {
  test('starts the service with the command that the package has', () => {
    expect(readme).toContain('npm ci && npm start');
    expect(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))).toMatchObject({
      scripts: { start: 'node scripts/start.mjs apps/main.ts' },
    });
    expect(service.output()).toMatch(/Documentation +http\S+\/docs\n/);
    expect(service.output()).toContain(`password in ${join(data.path, 'admin-password')}`);
  });

  test('has a session of which this test knows each command', () => {
    expect(commands.length).toBe(shown.length);
    for (const [index, [beginning]] of shown.entries())
      expect(commands[index]?.startsWith(beginning), `${index}: ${commands[index]}`).toBe(true);
  });

  test.each(commands.map((command, index) => [command, shown[index]?.[1] ?? []] as const))(
    '%s',
    async (command, shows) => {
      const result = await run(command);
      expect(result, result.stderr).toMatchObject({ code: 0 });
      for (const pattern of shows) expect(result.stdout).toMatch(pattern);
    },
  );

  test('names files that exist', () => {
    for (const [, path = ''] of readme.matchAll(/\]\(([^)#:]+)\)/g))
      expect(() => readFileSync(join(projectRoot, path)), path).not.toThrow();
  });

  test('has a documentation page at the address that it gives', async () => {
    const page = await fetch(`${service.url}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});
