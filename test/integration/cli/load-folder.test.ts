// `muniment load-folder`: a folder goes in whole, and what is wrong with one is said before anything is sent.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { addLoadFolder } from '../../../apps/cli/load-folder.ts';
import type { Run } from './run-cli.ts';
import { runCli } from './run-cli.ts';

let api: TestApi;
const folder = mkdtempSync(join(tmpdir(), 'muniment-load-'));
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await api[Symbol.asyncDispose]();
});
const run = (...args: readonly string[]): Promise<Run> =>
  runCli(args, { env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });
const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content);

it('refuses a folder without records, and one that was not read to its end', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  expect((await run('load-folder', empty)).stderr).toContain('holds no files of records');
  expect(await run('load-folder', empty, '--update')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('was never loaded'),
  });
  put(
    'repositories.ndjson',
    '{"jsonmodel_type":"repository","uri":"/repositories/5","repo_code":"FIVE","name":"Five","lock_version":2}\n{"half',
  );
  expect((await run('load-folder', folder)).stderr).toContain('has no manifest.json');
  put('manifest.json', JSON.stringify({ format: 1, finished: null }));
  expect(await run('load-folder', folder)).toMatchObject({ code: 1, stderr: expect.stringContaining('--unfinished') });
});

it('names a file that cannot be read, packed or plain', async () => {
  const broken = join(folder, 'broken');
  const packed = gzipSync('{"uri":"/users/77"}\n');
  for (const [name, make] of [
    ['folder.ndjson.gz', (path: string) => void mkdirSync(path)],
    ['folder.ndjson', (path: string) => void mkdirSync(path)],
    ['cut.ndjson.gz', (path: string) => writeFileSync(path, packed.subarray(0, -8))],
  ] as const) {
    mkdirSync(broken);
    make(join(broken, name));
    const { code, stderr } = await run('load-folder', broken, '--unfinished');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${join(broken, name)} cannot be read: `)]);
    expect(stderr).not.toMatch(/\n {4}at |The connection/);
    rmSync(broken, { recursive: true });
  }
});

it('loads the whole lines of plain and packed files, and tells who has no password', async () => {
  put('manifest.json', JSON.stringify({ format: 1, finished: '2026-01-01T00:00:00Z' }));
  put('users.ndjson.gz', gzipSync('{"jsonmodel_type":"user","uri":"/users/77","username":"jane","name":"Jane"}\n'));
  put('problems.ndjson', '{"uri":"/x","status":500,"reason":"r"}\n');
  const { code, stdout, stderr } = await run('load-folder', folder);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Has no password yet: jane')]);
  expect(stdout).toMatch(/^Loaded in \d/);
  expect((await api.get('/repositories/5')).json).toMatchObject({ repo_code: 'FIVE', lock_version: 2 });
  const uploads = await api.database.reader.any(sql.type(AnyRow)`
    SELECT encode(substring(c.bytes FOR 2), 'hex') AS begin FROM blob b JOIN blob_chunk c ON c.blob_id = b.id AND c.n = 0 WHERE b.file_name = 'records.ndjson'`);
  expect(uploads).toEqual([{ begin: '1f8b' }]);
  const again = await run('load-folder', folder);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/Nothing was loaded: failed\.\n$/) });
  const reason = 'There are records already';
  expect(again.stderr.split('\n').filter((line) => line.startsWith(reason))).toHaveLength(1);
  // Who reads JSON has seen no log.
  expect((await run('load-folder', folder, '--json')).stdout).toMatch(
    `"error":"Nothing was loaded: failed.\\n  ${reason}`,
  );
});

it('is a command with an example of its use', () => {
  const program = new Command();
  // Nothing is run: the environment is not looked at.
  addLoadFolder(program, {} as never);
  expect(program.commands[0]?.name()).toBe('load-folder');
});
