// Which rows of a sheet of AtoM say in another language what one before them says.
import { expect, it } from 'vitest';
import { openAtomSheet } from '#domain/formats/atom-csv/reading/sheet.ts';
import { translationFinder } from '#domain/formats/atom-csv/reading/translations.ts';
import { sheet as csv } from '../../../../../support/atom-sheet.ts';
import { bytesOf } from '../../../../../support/ead-document.ts';
import { testAbout } from '../../../../../support/import-reading.ts';

it('tells translations from rows that are there twice, and rows without an id from both', async () => {
  const text = csv([
    { id: '1', culture: 'en', title: 'Letters' },
    { id: '1', culture: 'fr', title: 'Lettres' },
    { id: '1', culture: 'en', title: 'Letters again' },
    { id: '', culture: 'fr', title: 'Cartes' },
    { id: '', culture: 'en', title: 'Maps' },
  ]);
  const sheet = openAtomSheet(bytesOf(text, 61), testAbout);
  const look = translationFinder(sheet, { idOf: (row) => row.cell('id'), named: 'title' });
  expect((await sheet.allRows(['id'])).map(look)).toEqual([
    { is: null, before: 0 },
    { is: 'translation', before: 2 },
    { is: 'twice', before: 2 },
    { is: null, before: 0 },
    { is: null, before: 0 },
  ]);
  expect(sheet.report().dropped).toMatchObject([{ line: 3, element: 'culture', text: 'fr: Lettres' }]);
});
