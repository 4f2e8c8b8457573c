// What one run at a time may work on: two imports of a folder at once, a job that somebody cancels, and what killed runs leave.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { processBirth } from '#store/embedded/postmaster.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { holdAlone } from '../../../apps/cli/held-alone.ts';
import type { Run } from './run-cli.ts';
import { filesForTests, runCli } from './run-cli.ts';

const { folder } = filesForTests();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
});
afterAll(async () => api[Symbol.asyncDispose]());

/** A finding aid without identifiers: nothing but the run itself keeps it from being imported twice. */
const nameless = (title: string): string =>
  `<ead><eadheader><eadid></eadid><filedesc><titlestmt><titleproper>${title}</titleproper></titlestmt></filedesc></eadheader><archdesc level="collection"><did><unittitle>${title}</unittitle><unitdate normal="1900/1910" type="inclusive">1900</unitdate><physdesc><extent>1 linear_feet</extent></physdesc><langmaterial><language langcode="eng"/></langmaterial></did></archdesc></ead>`;

// A file of this size is a job of its own (more than `smallBytes`, apps/cli/import/folder/jobs.ts): five are more jobs than a hundred others.
const ownJob = `<!-- ${'wombat '.repeat(30_000)} -->`;
function folderOf(name: string, files: number): void {
  mkdirSync(join(folder, name));
  for (let n = 0; n < files; n += 1) writeFileSync(join(folder, name, `${n}.xml`), nameless(`Wombats ${n}`) + ownJob);
}
const importing = (name: string, code: string): Promise<Run> =>
  runCli(['import', name, '--repository', code, '--report', join(folder, `${name}-${code}.html`), '--json'], {
    cwd: folder,
    env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword },
  });

describe('a folder that is imported', () => {
  it('is imported by one run at a time, and by the next where that has ended', async () => {
    const repoId = await api.repository('ALONE');
    // More jobs than are sent at once: a second run would follow those, and send the others too.
    folderOf('alone', 5);
    const both = await Promise.all([importing('alone', 'ALONE'), importing('alone', 'ALONE')]);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    const refused = both.find(({ code }) => code === 1);
    expect(JSON.parse(refused?.stdout ?? '').error).toContain(`worked on by another run (process ${process.pid})`);
    expect((await api.get(`/repositories/${repoId}/resources?all_ids=true`)).json).toHaveLength(5);
    expect(await importing('alone', 'ALONE')).toMatchObject({ code: 0 });
    expect(readdirSync(join(folder, 'alone')).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});

describe('a service that is read', () => {
  it('is read into a folder by one run at a time', async () => {
    const reading = (): Promise<Run> =>
      runCli(['migrate', '--from', api.url, '--into', 'read', '--no-jobs', '--requests-a-second', '200', '--json'], {
        cwd: folder,
        env: { MUNIMENT_SOURCE_PASSWORD: adminPassword },
      });
    const both = await Promise.all([reading(), reading()]);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    const refused = both.find(({ code }) => code === 1);
    expect(JSON.parse(refused?.stdout ?? '').error).toContain(`${join(folder, 'read')} is worked on by another run`);
    expect(existsSync(join(folder, 'read', '.muniment-migrate.lock'))).toBe(false);
    expect(existsSync(join(folder, 'read', 'manifest.json'))).toBe(true);
  });
});

describe('holdAlone', () => {
  const file = join(folder, 'held.lock');
  const again = (): void => holdAlone(file, 'It')[Symbol.dispose]();
  const refusedWhere = (text: string): void => {
    writeFileSync(file, text);
    expect(again).toThrow('It is worked on by another run');
  };

  it('refuses while there is another, and of another machine while that gives a sign', () => {
    const held = holdAlone(file, 'It');
    expect(again).toThrow(
      `It is worked on by another run (process ${process.pid}): wait for its end, or a minute where it was killed.`,
    );
    held[Symbol.dispose]();
    expect(existsSync(file)).toBe(false);
    refusedWhere('1 2 elsewhere\n');
    expect(again).toThrow('(process 1 of elsewhere)');
    // Just made, and not written into yet.
    refusedWhere('');
  });

  it('gives its file the time, by which runs elsewhere know that it lives', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const signed = join(folder, 'signed.lock');
    try {
      using _held = holdAlone(signed, 'It');
      utimesSync(signed, 1, 1);
      vi.advanceTimersByTime(10_000);
      expect(statSync(signed).mtimeMs).toBeGreaterThan(Date.now() - 10_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes over what a killed run left, also where its number is that of another process now', () => {
    const { pid } = spawnSync('true');
    for (const text of [
      `${pid} 1 ${hostname()}\n`,
      `${process.pid} ${processBirth(process.pid)}0 ${hostname()}\n`,
      '1 2 elsewhere\n',
      '',
    ]) {
      writeFileSync(file, text);
      utimesSync(file, 1, 1);
      const held = holdAlone(file, 'It');
      expect(readFileSync(file, 'utf8')).toContain(`${process.pid} `);
      held[Symbol.dispose]();
    }
  });
});
