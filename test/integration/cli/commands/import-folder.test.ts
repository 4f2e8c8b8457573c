// Which repository a file of a folder goes to.
import { expect, it } from 'vitest';
import { byFolder } from '../../../../apps/cli/commands/import-folder.ts';

it('takes the first folder of a file for the code of its repository, whatever its case', () => {
  const mss = { id: 2, uri: '/repositories/2', code: 'MSS', name: 'Manuscripts' };
  const of = (name: string) => byFolder([mss])({ name, path: '', sizeBytes: 0, type: 'ead_xml', sha256: '' });
  expect(of('mss/deep/a.xml')).toBe(mss);
  expect(of('other/a.xml')).toBe('there is no repository other');
  expect(of('a.xml')).toBe('in no folder of a repository');
});
