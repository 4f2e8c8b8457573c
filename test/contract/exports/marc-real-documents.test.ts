// Real MARC records come in as resources, go out, and come in and go out the same, but for what the contract's tables of both ways decide:
// 535 comes in as the place of originals whatever its indicator says, so a note on copies changes its indicator; and the day that stands
// in for no date at all comes back as a span (008/06), a bulk date alone (245 $g) with a span beside it. The folder is not part of the
// repository; without it this file skips.
import { describe, expect, test } from 'vitest';
import { exportFaults } from '../../support/export-faults.ts';
import { marcXmlOf, exportMarc, importMarc } from '../../support/marc-round-trip.ts';
import { readArchive, realDataFolder } from '../../support/real-data.ts';

const folder = realDataFolder();
const files = folder === undefined ? [] : readArchive(folder, 'marcxml.tar.gz');

const comparable = (resource: Parameters<typeof exportMarc>[0]): readonly string[] => {
  const fields = exportMarc(resource);
  // A span beside a bulk date repeats it: `1928 - 1954` and `1928-1954`.
  const repeated = /<subfield code="f">(\d{4}) - (\d{4})<\/subfield>(?=<subfield code="g">\1-\2<)/;
  return fields.map((field) =>
    field
      .replace('tag="535" ind1="2"', 'tag="535" ind1="1"')
      .replace(/(tag="008">.{6})./, '$1')
      .replace(repeated, ''),
  );
};

describe.skipIf(folder === undefined)('a real MARC record', () => {
  test('is there', () => expect(files).toHaveLength(60));

  test.each(files.map((file) => [file.name, file] as const))(
    '%s comes out valid, and the same after another import',
    async (_name, file) => {
      const resource = await importMarc(file.bytes);
      const xml = marcXmlOf(resource);
      expect(exportFaults('MARCXML', xml)).toEqual([]);
      const again = await importMarc(xml);
      expect(comparable(again)).toEqual(comparable(resource));
    },
  );
});
