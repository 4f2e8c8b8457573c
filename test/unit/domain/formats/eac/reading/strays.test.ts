// EAC-CPF documents whose words stand where the standard has none: nothing goes without a word in the report.
import { expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import type { Reading } from '#test/support/import-reading.ts';

const read = (names: string, description = '', relations = ''): Promise<Reading> =>
  readFormat(
    'eac_xml',
    `<eac-cpf xmlns="urn:isbn:1-931666-33-4" xmlns:xlink="http://www.w3.org/1999/xlink"><control><recordId>r1</recordId></control>
    <cpfDescription><identity><entityType>person</entityType><nameEntry><part>Roe, Ann</part></nameEntry>${names}</identity><description>${description}</description>${relations}</cpfDescription></eac-cpf>`,
  );

test.each([
  ['a name without a part', '<nameEntry>Doe</nameEntry>', 'nameEntry: Doe'],
  ['a date of use', '<nameEntry><part>D</part><useDates>1900</useDates></nameEntry>', 'useDates: 1900'],
  [
    'a range of dates',
    '<nameEntry><part>D</part><useDates><dateRange>from <fromDate>1900</fromDate><date>1901</date></dateRange></useDates></nameEntry>',
    'dateRange: from',
    'date: 1901',
  ],
])('%s outside its parts is told', async (_what, names, ...told) => {
  expect(droppedOf(await read(names))).toEqual(told);
});

test.each([
  ['existDates', '<existDates><dateSet>long <date>1900</date></dateSet></existDates>', 'dateSet: long'],
  ['a list', '<biogHist><list>Posts <item>clerk</item></list></biogHist>', 'list: Posts'],
  [
    'an outline',
    '<biogHist><outline>I <item>one</item><level><item>two</item></level></outline></biogHist>',
    'outline: I',
    'item: one',
  ],
  [
    'a chronology',
    '<biogHist><chronList>Life <event>born</event><chronItem>x<date>1900</date><event>worked</event></chronItem></chronList></biogHist>',
    'chronList: Life',
    'event: born',
    'chronItem: x',
  ],
  ['an occupation', '<occupation>clerk <term>writer</term></occupation>', 'occupation: clerk'],
  [
    'a place with coordinates',
    '<place><placeEntry latitude="48.4" longitude="9.9">Ulm</placeEntry></place>',
    'placeEntry: 48.4',
    'placeEntry: 9.9',
  ],
  [
    'a function told in words',
    '<function>aid <descriptiveNote><p>It helps.</p></descriptiveNote></function>',
    'function: aid',
  ],
])('words in %s outside its parts are told', async (_what, description, ...told) => {
  expect(droppedOf(await read('', description))).toEqual(told);
});

test('words of a list, an outline or a chronology are paragraphs where notes have none of these', async () => {
  const { of, report } = await read('', '<mandate><list>Rules <item>one</item></list></mandate>');
  expect(of('agent_person')[0]).toMatchObject({ notes: [{ subnotes: [{ content: 'Rules\n\none' }] }] });
  expect(report.dropped).toEqual([]);
});

test('a language has its words wherever they stand', async () => {
  const { of } = await read(
    '',
    '<languageUsed>Old Norse <descriptiveNote><p>spoken</p></descriptiveNote></languageUsed>',
  );
  expect(of('agent_person')[0]).toMatchObject({
    used_languages: [{ notes: [{ content: 'Old Norse; spoken' }] }],
  });
});

test('relations tell their own words, and a second set of them, which would replace the first', async () => {
  const relation = (name: string): string =>
    `<resourceRelation>by hand <relationEntry>${name}</relationEntry></resourceRelation>`;
  const reading = await read(
    '',
    '',
    `<relations>see ${relation('First')}</relations><relations>${relation('Second')}</relations>`,
  );
  expect(reading.of('agent_person')[0]).toMatchObject({ agent_resources: [{ linked_resource: 'First' }] });
  expect(droppedOf(reading)).toEqual(['resourceRelation: by hand', 'relations: see', 'relations: by hand Second']);
});

const droppedOf = ({ report }: Reading): readonly string[] =>
  report.dropped.map(({ element, text }) => `${element}: ${text}`);

test('what looks like markup in the citation of a place stays text', async () => {
  const place = '<place><placeEntry>Rome</placeEntry><citation>A &amp; B, &lt;text missing&gt;</citation></place>';
  const { of } = await read('', place);
  expect(of('agent_person')[0]?.['agent_places']).toMatchObject([
    { notes: [{ content: ['A &amp; B, &lt;text missing&gt;'] }] },
  ]);
});
