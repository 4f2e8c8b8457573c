// Whole sheets of AtoM, and the records and the report that come of them, compared with what is kept.
import { test } from 'vitest';
import { readAtomAccessions } from '#domain/formats/atom-csv/reading/accessions.ts';
import { readAtomAuthorities } from '#domain/formats/atom-csv/reading/authorities.ts';
import { readAtomDescriptions } from '#domain/formats/atom-csv/reading/descriptions.ts';
import { bytesOf } from '#test/support/ead-document.ts';
import { testAbout } from '#test/support/import-reading.ts';
import { expectRead, fixtureText } from '#test/support/kept-documents.ts';

// As the list of an installation has it: sheets write codes of scripts in small letters.
const about = {
  ...testAbout,
  isEnumerationValue: (list: string, value: string): boolean =>
    list === 'script_iso15924' ? value === 'Latn' : testAbout.isEnumerationValue(list, value),
};

test.each([
  ['descriptions', readAtomDescriptions],
  ['authorities', readAtomAuthorities],
  ['accessions', readAtomAccessions],
] as const)('reads a sheet of %s', async (file, read) => {
  await expectRead(read(bytesOf(fixtureText(`atom-csv/${file}.csv`)), about), `atom-csv/read/${file}.json`);
});
