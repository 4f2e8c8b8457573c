// What the files and folders of the command line stand for.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from '../../../../apps/cli/import/files.ts';
import { filesForTests } from '../run-cli.ts';

const files = filesForTests();

describe('the files of the arguments', () => {
  it('keeps the order given, and takes what can be imported of a folder, sorted', async () => {
    for (const below of ['deep', '.trash']) mkdirSync(join(files.folder, 'aids', below), { recursive: true });
    for (const name of [
      'aids/b.xml',
      'aids/a.json',
      'aids/deep/c.XML',
      'aids/readme.txt',
      'aids/people.csv',
      'aids/.hidden.xml',
      'aids/.trash/old.xml',
    ])
      files.put(name, 'x');
    files.put('first.dat', 'four');
    const names = async (type?: string) =>
      (await listFiles(['first.dat', 'aids'], files.folder, type)).map(({ name }) => name);
    expect(await names()).toEqual(['first.dat', 'aids/a.json', 'aids/b.xml', 'aids/deep/c.XML']);
    expect(await names('accession_csv')).toEqual(['first.dat', 'aids/people.csv']);
    expect((await listFiles(['first.dat'], files.folder, undefined))[0]?.sizeBytes).toBe(4);
  });

  it('refuses a folder without anything to import', async () => {
    mkdirSync(join(files.folder, 'empty'));
    await expect(listFiles(['empty'], files.folder, undefined)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('holds no files'),
    });
  });
});
