// `muniment purge` against a running service, and the question that it asks on a terminal.
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { httpRecords } from '#test/support/make/http-records.ts';
import { confirm } from '../../../../apps/cli/confirm.ts';
import { runCli } from '../run-cli.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('purge', () => {
  const run = (args: readonly string[]) =>
    runCli(['purge', ...args], { env: { MUNIMENT_URL: api.url, MUNIMENT_SESSION: api.session } });

  it('erases the history of a record with --yes, and not without', async () => {
    const made = await (await httpRecords(api)).make('accession', { title: 'First' });
    await api.post(made, { ...(await api.get(made)).json, title: 'Second' });
    expect(await run([made])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect((await api.get(`${made}/history`)).json.total).toBe(2);
    const done = { code: 0, stdout: `Erased the history of ${made}: 1 earlier versions\n`, stderr: '' };
    expect(await run([made, '--yes'])).toEqual(done);
    expect((await api.get(`${made}/history`)).json.total).toBe(1);
    expect((await api.get(made)).json.title).toBe('Second');
  });

  it('fails where there is no such record, and on what is no uri', async () => {
    expect(await run(['/agents/people/99999', '--yes'])).toMatchObject({ code: 1 });
    for (const uri of ['agents/people/1', '/agents/people/../../users/1', '/agents/people/1?x', '/agents/people/1#x'])
      expect([uri, (await run([uri, '--yes'])).code]).toEqual([uri, 2]);
  });
});

describe('the question', () => {
  const ask = async (answer: string): Promise<void> => {
    const [stdin, stderr] = [new PassThrough(), new PassThrough()];
    const { signal } = new AbortController();
    const asking = confirm(
      { stdin, streams: { stdout: stderr, stderr }, signal } as never,
      'Sure? ',
      'Nothing was done.',
    );
    stdin.end(`${answer}\n`);
    return asking;
  };

  it('takes yes, and nothing else', async () => {
    await expect(ask(' YES ')).resolves.toBeUndefined();
    for (const answer of ['', 'y', 'no']) await expect(ask(answer)).rejects.toThrow('Nothing was done.');
  });
});
