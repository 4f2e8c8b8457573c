// A whole service read into a folder: every kind, every record as GET answers it, killed and gone on with.
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { isLong } from '#test/support/long.ts';
import { Interrupted } from '../../../../apps/cli/failure.ts';
import { fast, kindsMade, linesOf, manifestOf, serveArchive } from '../archive-of-all-kinds.ts';
import { filesForTests } from '../run-cli.ts';

const { api, records, read, made, run } = await serveArchive({ worker: 'jobs' });
const files = filesForTests();
const folder = join(files.folder, 'archive');

describe('export-all', () => {
  it('goes on after kills, at whatever point, with nothing twice and nothing missing', async () => {
    // Slowly enough to be met in the middle.
    const slow = ['export-all', folder, '--requests-a-second', '60', '--requests-at-once', '2'];
    const stages = isLong
      ? ['agents_people', 'default_values', 'locations', 'archival_objects']
      : ['default_values', 'archival_objects'];
    for (const stage of stages) {
      const killed = await run(slow, { onStderr: (_text, child) => killAt(stage, () => child.kill('SIGKILL')) });
      expect(killed.code).toBeNull();
      expect(manifestOf(folder).finished).toBeNull();
      // As a kill leaves it that comes while a line is written.
      appendFileSync(join(folder, `${stage}.ndjson`), '{"uri":"/half/1","tit');
      const { [stage]: _cut, ...rest } = manifestOf(folder).files;
      writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifestOf(folder), files: rest }));
    }
    const done = await run(['export-all', folder, ...fast, '--json']);
    expect([done.code, done.stderr]).toEqual([0, '']);
    const { read_now: readNow, problems, manifest } = JSON.parse(done.stdout);
    expect(problems).toBe(0);
    expect(manifest.finished).toEqual(expect.any(String));
    const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
    const all = names.flatMap((name) => linesOf(folder, name.replace('.ndjson', ''))).map(({ uri }) => uri);
    expect(all.length).toBe(new Set(all).size);
    expect(readNow).toBeLessThan(all.length);
    expect(made.filter((uri) => !all.includes(uri))).toEqual([]);
    for (const [file, { records: number, complete }] of Object.entries<any>(manifest.files))
      expect([file, linesOf(folder, file).length, complete]).toEqual([file, number, true]);
  });

  it('says after Ctrl-C that it goes on, and leaves no folder where it was not let in', async () => {
    const stopped = join(files.folder, 'stopped');
    const interruption = new AbortController();
    const looking = setInterval(() => {
      if (existsSync(join(stopped, 'manifest.json'))) interruption.abort(new Interrupted());
    }, 5);
    const slow = ['export-all', stopped, '--requests-a-second', '60'];
    const interrupted = await run(slow, { signal: interruption.signal });
    clearInterval(looking);
    expect([interrupted.code, interrupted.stderr]).toEqual([
      130,
      expect.stringContaining('Run the same command again'),
    ]);
    const wrong = await run(['export-all', join(files.folder, 'wrong'), '--password', 'wrong']);
    expect([wrong.code, existsSync(join(files.folder, 'wrong'))]).toEqual([1, false]);
  });

  it('keeps every record exactly as GET answers it', async () => {
    const all = new Map<string, JsonObject>();
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.ndjson')))
      for (const record of linesOf(folder, name.replace('.ndjson', ''))) all.set(record.uri, record);
    for (const uri of made.slice(0, kindsMade.length * 2))
      expect(all.get(uri)).toEqual(await read(uri.includes('/groups/') ? `${uri}?with_members=true` : uri));
    expect(
      all.get(`/repositories/${records.repoId}/default_values/accession/${records.repoId}_accession`),
    ).toMatchObject({
      defaults: { title: 'Untitled' },
    });
    expect(linesOf(folder, 'events').some(({ uri }) => uri.startsWith('/repositories/1/'))).toBe(true);
    expect(linesOf(folder, 'enumerations').length).toBeGreaterThan(50);
    expect(linesOf(folder, 'users').every(({ username }) => typeof username === 'string')).toBe(true);
  });

  it('leaves what is complete alone, and refuses a folder of something else', async () => {
    const again = await run(['export-all', folder, '--json']);
    expect([again.code, JSON.parse(again.stdout).read_now]).toEqual([0, 0]);
    files.put('other.txt', 'x');
    const other = await run(['export-all', files.folder]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('no manifest.json')]);
    // Nothing can be made there, and Node tries for ever.
    expect(await run(['export-all', '/proc/records'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/proc/records cannot be used'),
    });
  });
});

describe('export-all --since', () => {
  it('takes with --since what has changed, and tells what was deleted', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const since = new Date().toISOString();
    const changed = await records.make('subject');
    const gone = await records.make('subject');
    await api.del(gone);
    const changes = join(files.folder, 'changes');
    expect((await run(['export-all', changes, '--since', since, ...fast])).code).toBe(0);
    expect(linesOf(changes, 'subjects').map(({ uri }) => uri)).toEqual([changed]);
    expect(linesOf(changes, 'archival_objects')).toEqual([]);
    expect(linesOf(changes, 'deleted').map(({ uri }) => uri)).toContain(gone);
    await api.del(changed);
  });
});

function killAt(stage: string, kill: () => void): void {
  const timer = setInterval(() => {
    if (!existsSync(join(folder, `${stage}.ndjson`))) return;
    clearInterval(timer);
    kill();
  }, 5);
}
