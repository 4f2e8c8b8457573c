// Sheets of AtoM: their columns, and how much of one is read.
import { expect, it } from 'vitest';
import { openAtomSheet } from '#domain/formats/atom-csv/reading/sheet.ts';
import { externalId, extentOf } from '#domain/formats/atom-csv/reading/parts.ts';
import { readHistories } from '#domain/formats/atom-csv/reading/events.ts';
import { readFindingAid, readLanguages } from '#domain/formats/atom-csv/reading/description-parts.ts';
import { testAbout } from '../../../../../support/import-reading.ts';

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
const open = (text: string) => openAtomSheet(bytes(text), testAbout);

it('refuses a sheet without a column that is needed, or with one twice', async () => {
  await expect(open('title\nx\n').allRows(['legacyId'])).rejects.toMatchObject({
    error: { message: 'The sheet has no column legacyId.', line: 1 },
  });
  await expect(open('title,title\nx,y\n').allRows(['title'])).rejects.toMatchObject({
    error: { message: 'The column title is there twice.' },
  });
});

it('refuses a sheet beyond its limits', async () => {
  const limits = { rows: 2, bytes: 20 };
  const read = async (text: string) => openAtomSheet(bytes(text), testAbout, limits).allRows(['title']);
  expect(await read('title\nx\nx\n')).toHaveLength(2);
  for (const text of ['title\nx\nx\nx\n', `title\n${'x'.repeat(20)}\n`])
    await expect(read(text)).rejects.toMatchObject({
      error: { message: 'A sheet has at most 2 rows and 20 bytes.' },
    });
});

it('tells of text to the right of all columns', async () => {
  const sheet = open('title,\nx,y,,\nPapers, with comma,C4\n');
  await sheet.allRows(['title']);
  expect(sheet.report().faults).toMatchObject([{ line: 3, column: 'C', message: expect.stringContaining('C4') }]);
});

it('keeps the places of blank values, and leaves them out of lists', async () => {
  const [row] = await open('title,n\n a | NULL ||b,NULL\n').allRows(['title']);
  expect([row?.places('title'), row?.list('title'), row?.cell('n'), row?.line]).toEqual([
    ['a', '', '', 'b'],
    ['a', 'b'],
    undefined,
    2,
  ]);
});

it('tells of the columns that nobody asked for', async () => {
  const sheet = open('title,colour\nx,red\n');
  for (const row of await sheet.allRows(['title'])) row.cell('title');
  expect(sheet.report().dropped).toEqual([
    { line: 1, element: 'colour', reason: 'no column of this import; it is ignored', text: 'colour' },
  ]);
});

it('counts what is a number of a known unit, and nothing else', () => {
  const { context } = open('');
  expect(extentOf(context, '2,5 linear_feet')).toMatchObject({ number: '2.5', extent_type: 'linear_feet' });
  for (const text of ['2,500 volumes', '2 500 volumes'])
    expect(extentOf(context, text)).toMatchObject({ number: '2500', extent_type: 'volumes' });
  for (const text of ['2 linear_feet of letters', 'some', '3', '2 m\nmore'])
    expect(extentOf(context, text)).toBeUndefined();
  expect(externalId('x'.repeat(300), 's')['external_id']).toHaveLength(255);
  expect(externalId(`${'x'.repeat(254)}😀😀`, 's')['external_id']).toBe(`${'x'.repeat(254)}😀`);
});

it('keeps the first history of an actor, and tells of another and of one of nobody', async () => {
  const sheet = open('eventActors,eventActorHistories\nA|B,first|\nA|,second|lost\n');
  const rows = await sheet.allRows(['eventActors']);
  expect([...readHistories(sheet.context, rows)]).toEqual([['A', 'first']]);
  expect(sheet.report().dropped.map(({ line, text }) => [line, text])).toEqual([
    [3, 'second'],
    [3, 'lost'],
  ]);
});

it('puts scripts with languages in the same places, and tells of scripts of which nobody says whose they are', async () => {
  const sheet = open('language,script,culture\nen|fr|de,latn|cyrl,fr\nen|fr,latn|cyrl,xx\n');
  const [three, two] = await sheet.allRows(['language']);
  if (three === undefined || two === undefined) throw new Error('two rows');
  expect(readLanguages(sheet.context, three)).toHaveLength(3);
  expect(JSON.stringify(readLanguages(sheet.context, three))).not.toContain('"script":');
  expect(readLanguages(sheet.context, two)).toMatchObject([
    { language_and_script: { language: 'eng' } },
    { language_and_script: { language: 'fre' } },
  ]);
  expect(sheet.report().dropped.map(({ line, element }) => [line, element])).toContainEqual([2, 'script']);
  expect(readFindingAid(sheet.context, three)).toMatchObject({
    finding_aid_language: 'fre',
    finding_aid_script: 'Zyyy',
  });
  expect(readFindingAid(sheet.context, two)).toMatchObject({ finding_aid_language: 'und' });
});
