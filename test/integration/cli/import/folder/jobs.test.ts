// Files in groups, each a job.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { groupFiles } from '../../../../../apps/cli/import/folder/jobs.ts';
import { findingAid } from '../../archive.ts';
import { filesForTests, runCli } from '../../run-cli.ts';

const { folder, put } = filesForTests();
const file = (name: string, sizeBytes: number, type = 'eac_xml', repository = '/repositories/2') => ({
  file: { name, path: `/${name}`, sizeBytes, type, sha256: '' },
  repository,
});
const names = (placed: readonly ReturnType<typeof file>[]): readonly (readonly string[])[] =>
  groupFiles(placed).map(({ files }) => files.map(({ name }) => name));

it('puts small files of one type and repository together, and large ones by themselves', () => {
  expect(
    names([
      file('a', 10),
      file('large', 300_000),
      file('b', 10),
      file('c', 10, 'ead_xml'),
      file('d', 10, 'eac_xml', '/repositories/3'),
      file('e', 10),
    ]),
  ).toEqual([['a', 'b', 'e'], ['large'], ['c'], ['d']]);
});

it('fills groups up to 40 files and two million bytes', () => {
  expect(names(Array.from({ length: 90 }, (_, index) => file(`${index}`, 1))).map(({ length }) => length)).toEqual([
    40, 40, 10,
  ]);
  expect(
    names(Array.from({ length: 25 }, (_, index) => file(`${index}`, 200_000))).map(({ length }) => length),
  ).toEqual([10, 10, 5]);
});

it('sends the files of a job that somebody canceled no more', async () => {
  // Without a worker: the job waits for whoever cancels it.
  await using api = await startTestApi({ worker: false });
  const jobs = `/repositories/${await api.repository('CANCELED')}/jobs`;
  const ids = async (): Promise<readonly number[]> => (await api.get(`${jobs}?all_ids=true`)).json;
  mkdirSync(join(folder, 'canceled'));
  for (const name of ['a', 'b', 'c']) put(`canceled/${name}.xml`, findingAid(`C-${name}`));
  const running = runCli(['import', 'canceled', '--repository', 'CANCELED', '--report', 'x.html', '--json'], {
    cwd: folder,
    env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword },
  });
  await expect.poll(ids).toHaveLength(1);
  await api.post(`${jobs}/${(await ids())[0]}/cancel`);
  // One that is sent all the same waits for nobody.
  const isOver = running.then(() => true);
  await expect.poll(async () => (await ids()).length > 1 || Promise.race([isOver, Promise.resolve(false)])).toBe(true);
  expect(await ids()).toHaveLength(1);
  const { code, stdout } = await running;
  const { files } = JSON.parse(stdout);
  expect([code, files.map(({ status }: { readonly status: string }) => status)]).toEqual([
    1,
    ['failed', 'failed', 'failed'],
  ]);
  expect(files[0].faults).toEqual([{ line: null, text: expect.stringContaining('canceled') }]);
});
