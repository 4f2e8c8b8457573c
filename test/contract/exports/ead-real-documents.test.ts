// Real finding aids go in and come out: valid, and the same after a second import, but for ids. All of EAD 2002, which come back as EAD3 too, and of
// EAD3, in its own version. Of those up to 200 KB the ones that between them have all that any has; the others (the largest has 15,409 components) are
// for long runs. EAD_FILES runs those alone whose name has it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportEad, exportEad3, importEad } from '../../support/ead-round-trip.ts';
import { exportFaults } from '../../support/export-faults.ts';
import type { Importer } from '../../support/batch.ts';
import { openImporter } from '../../support/batch.ts';
import { upTo } from '../../support/long.ts';
import { mostDifferent } from '../../support/most-different.ts';
import type { ArchiveFile } from '../../support/real-data.ts';
import { readArchive, readManifest, realDataFolder } from '../../support/real-data.ts';

const folder = realDataFolder();
const wanted = process.env['EAD_FILES'] ?? '';
const rows = new Map(folder === undefined ? [] : readManifest(folder, 'ead').map((row) => [row['file'], row]));
const archive = folder === undefined ? [] : readArchive(folder, 'ead.tar.gz');
const all = (wanted === '' ? upTo(archive, 200_000) : archive).filter((file) => file.name.includes(wanted));
const filesOf = (version: string): readonly ArchiveFile[] => {
  const found = all.filter((file) => rows.get(file.name)?.['flags']?.includes(version) === true);
  return wanted === '' ? mostDifferent(found) : found;
};

/** A document without what names records and the installation, and white space as readers see it. */
const essence = (xml: string): string =>
  xml
    .replace(/ (id|parent|target|authfilenumber)="[^"]*"/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?(<[^>]*>) ?/g, '$1')
    .replace(/<publisher>.*?<\/publisher>|<repository>.*?<\/repository>/g, '');

/** Compares documents line by line; a fault shows the first difference and what stands around it. */
function expectSame(once: string, twice: string): void {
  const [a, b] = [essence(once).split(/(?=<)/), essence(twice).split(/(?=<)/)];
  const at = a.findIndex((line, index) => line !== b[index]);
  expect(at === -1 ? '' : b.slice(Math.max(0, at - 3), at + 6).join('\n')).toBe(
    at === -1 ? '' : a.slice(Math.max(0, at - 3), at + 6).join('\n'),
  );
  expect(b.length).toBe(a.length);
}

describe.skipIf(folder === undefined)('a real finding aid', () => {
  const validate3 = (xml: string): readonly string[] => exportFaults('EAD3', xml);
  const validate = (xml: string): readonly string[] => exportFaults('EAD 2002', xml);
  let importer: Importer;
  beforeAll(async () => {
    importer = await openImporter();
  });
  afterAll(() => importer[Symbol.asyncDispose]());
  let made = 0;
  /** Imports a document; gives what exports it, in the version that is wanted. */
  const inEmptyRepository = async (
    bytes: Uint8Array,
  ): Promise<{ readonly ead: () => Promise<string>; readonly ead3: () => Promise<string> }> => {
    made += 1;
    const { id: repoId } = await importer.create('repository', { repo_code: `E${made}`, name: 'A repository' });
    const own = { ...importer, repoId };
    const id = await importEad(own, bytes);
    return { ead: () => exportEad(own, id), ead3: () => exportEad3(own, id) };
  };

  test('the validator finds faults', () => {
    expect(validate('<ead xmlns="urn:isbn:1-931666-22-9"><c/></ead>')).not.toEqual([]);
  });

  test.each(filesOf('EAD2002').map((file) => [file.name, file] as const))(
    '%s comes out valid, and the same after another import',
    async (_name, file) => {
      const original = await inEmptyRepository(file.bytes);
      const [once, ead3] = [await original.ead(), await original.ead3()];
      expect(validate(once)).toEqual([]);
      expect(validate3(ead3)).toEqual([]);
      const twice = await (await inEmptyRepository(Buffer.from(once))).ead();
      expect(validate(twice)).toEqual([]);
      expectSame(once, twice);
      // Its EAD3 is read as well as written.
      expectSame(ead3, await (await inEmptyRepository(Buffer.from(ead3))).ead3());
    },
  );

  test.each(filesOf('EAD3').map((file) => [file.name, file] as const))(
    '%s of EAD3 comes out valid, and the same after another import',
    async (_name, file) => {
      const original = await inEmptyRepository(file.bytes);
      const once = await original.ead3();
      expect(validate(await original.ead())).toEqual([]);
      expect(validate3(once)).toEqual([]);
      expectSame(once, await (await inEmptyRepository(Buffer.from(once))).ead3());
    },
  );
});
