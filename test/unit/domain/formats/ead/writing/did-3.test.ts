// The `did` of a component in EAD3 (contract behaviour-exports, section 3).
import { expect, test } from 'vitest';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { didOf, fullComponent } from '#test/support/make/finding-aid-did.ts';

const published = [
  '<unittitle>Letters and more</unittitle>',
  '<unitid>C 7</unitid>',
  '<langmaterial><languageset><language langcode="eng">ENG</language><script scriptcode="Latn">LATN</script></languageset><language langcode="ger">GER</language></langmaterial>',
  '<langmaterial><languageset><language langcode="eng">ENG</language><script scriptcode="Latn">LATN</script></languageset><language langcode="ger">GER</language><descriptivenote><p>Mostly English.</p></descriptivenote></langmaterial>',
  '<physdescstructured coverage="whole" physdescstructuredtype="spaceoccupied"><quantity>2</quantity><unittype>LINEAR_FEET</unittype><dimensions>1 x 2</dimensions></physdescstructured>',
  '<physdesc localtype="container_summary">3 boxes</physdesc>',
  '<physdescstructured coverage="part" physdescstructuredtype="materialtype"><quantity>5</quantity><unittype>REELS</unittype><physfacet>brittle</physfacet></physdescstructured>',
  '<unitdatestructured certainty="approximate" datechar="creation" unitdatetype="inclusive"><daterange><fromdate standarddate="1900">1900</fromdate><todate standarddate="1901">1901</todate></daterange></unitdatestructured>',
  '<unitdate datechar="copyright">about 1905</unitdate>',
  '<origination label="Creator"><persname relator="aut"><part>Muster, Anna</part></persname></origination>',
  '<origination label="source"><persname><part>Given, By</part></persname></origination>',
];

test('tells what is published of a component', async () => {
  expect(await didOf('EAD3', writeEad3, fullComponent)).toEqual(published);
});

test('tells what is not published, addresses and ARKs where they are wanted', async () => {
  const wanted = { includeUnpublished: true, includeUris: true, arks: true };
  const did = await didOf('EAD3', writeEad3, fullComponent, wanted);
  expect(did.filter((element) => !published.includes(element))).toEqual([
    '<unitid localtype="ark"><ref href="https://x.org/ark:/1/b" actuate="onload" show="new">Archival Resource Key</ref></unitid>',
    '<unitid localtype="ark-superseded"><ref href="https://x.org/ark:/1/a" actuate="onload" show="new">Previous Archival Resource Key</ref></unitid>',
    '<unitid localtype="aspace_uri">/repositories/2/archival_objects/7</unitid>',
    '<origination label="Creator" audience="internal"><persname><part>Hidden</part></persname></origination>',
    '<unitid audience="internal" localtype="old" identifier="x1">x1</unitid>',
  ]);
  expect(did.filter((element) => published.includes(element))).toEqual(published);
});

test('has nothing where there is nothing to tell', async () => {
  const bare = { jsonmodel_type: 'archival_object', title: 'x', level: 'file', publish: true };
  expect(await didOf('EAD3', writeEad3, bare, { includeUnpublished: true, arks: true })).toEqual([
    '<unittitle>x</unittitle>',
  ]);
});

test('keeps the words of a date whose end alone is known', async () => {
  const record = {
    jsonmodel_type: 'archival_object',
    title: 'x',
    level: 'file',
    publish: true,
    dates: [
      { label: 'creation', date_type: 'inclusive', end: '1850', expression: 'before 1850' },
      { label: 'creation', date_type: 'inclusive', end: '1860' },
    ],
  };
  const range = (end: string): string =>
    `<unitdatestructured datechar="creation" unitdatetype="inclusive"><daterange>${end}</daterange></unitdatestructured>`;
  const did = await didOf('EAD3', writeEad3, record);
  expect(did.slice(1)).toEqual([
    range('<todate standarddate="1850">before 1850</todate>'),
    range('<todate standarddate="1860">1860</todate>'),
  ]);
});

test('has the label of a note on languages', async () => {
  const note = {
    jsonmodel_type: 'note_langmaterial',
    publish: true,
    label: 'In & about',
    content: ['Mostly English.'],
  };
  const component = { jsonmodel_type: 'archival_object', title: 'x', level: 'file', publish: true };
  expect(await didOf('EAD3', writeEad3, { ...component, lang_materials: [{ notes: [note] }] })).toEqual([
    '<unittitle>x</unittitle>',
    '<langmaterial label="In &amp; about"><language langcode="und">UND</language><descriptivenote><p>Mostly English.</p></descriptivenote></langmaterial>',
  ]);
});
