// The `did` of a component in EAD 2002 (contract behaviour-exports, section 2).
import { expect, test } from 'vitest';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { didOf, fullComponent } from '#test/support/make/finding-aid-did.ts';

const published = [
  '<unittitle>Letters and more</unittitle>',
  '<unitid>C 7</unitid>',
  '<origination label="Creator"><persname role="aut">Muster, Anna</persname></origination>',
  '<origination label="source"><persname>Given, By</persname></origination>',
  '<physdesc altrender="whole"><extent altrender="materialtype spaceoccupied">2 LINEAR_FEET</extent><extent altrender="carrier">3 boxes</extent><dimensions>1 x 2</dimensions></physdesc>',
  '<physdesc altrender="part"><extent altrender="materialtype spaceoccupied">5 REELS</extent><physfacet>brittle</physfacet></physdesc>',
  '<unitdate type="inclusive" certainty="approximate" normal="1900/1901" datechar="creation">1900-1901</unitdate>',
  '<unitdate datechar="copyright">about 1905</unitdate>',
  '<langmaterial><language langcode="eng" scriptcode="Latn">ENG</language><language langcode="ger">GER</language></langmaterial>',
  '<langmaterial>Mostly English.</langmaterial>',
];

test('tells what is published of a component', async () => {
  expect(await didOf('EAD 2002', writeEad2002, fullComponent)).toEqual(published);
});

test('tells what is not published, addresses and ARKs where they are wanted', async () => {
  const wanted = { includeUnpublished: true, includeUris: true, arks: true };
  const did = await didOf('EAD 2002', writeEad2002, fullComponent, wanted);
  expect(did.filter((element) => !published.includes(element))).toEqual([
    '<unitid type="ark"><extref xlink:href="https://x.org/ark:/1/b" xlink:actuate="onLoad" xlink:show="new" xlink:type="simple">Archival Resource Key</extref></unitid>',
    '<unitid type="ark-superseded"><extref xlink:href="https://x.org/ark:/1/a" xlink:actuate="onLoad" xlink:show="new" xlink:type="simple">Previous Archival Resource Key</extref></unitid>',
    '<unitid type="aspace_uri">/repositories/2/archival_objects/7</unitid>',
    '<unitid audience="internal" type="old" identifier="x1">x1</unitid>',
    '<origination label="Creator" audience="internal"><persname>Hidden</persname></origination>',
  ]);
  expect(did.filter((element) => published.includes(element))).toEqual(published);
});

test('has nothing where there is nothing to tell', async () => {
  const bare = { jsonmodel_type: 'archival_object', title: 'x', level: 'file', publish: true };
  expect(await didOf('EAD 2002', writeEad2002, bare, { includeUnpublished: true, arks: true })).toEqual([
    '<unittitle>x</unittitle>',
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
  expect(await didOf('EAD 2002', writeEad2002, { ...component, lang_materials: [{ notes: [note] }] })).toEqual([
    '<unittitle>x</unittitle>',
    '<langmaterial label="In &amp; about">Mostly English.</langmaterial>',
  ]);
});
