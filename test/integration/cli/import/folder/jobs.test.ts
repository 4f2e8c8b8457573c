// Files in groups, each a job.
import { expect, it } from 'vitest';
import { groupFiles } from '../../../../../apps/cli/import/folder/jobs.ts';

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
