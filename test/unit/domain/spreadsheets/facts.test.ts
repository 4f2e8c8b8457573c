// What a row of the spreadsheet sees of an archival object: every column its own text, parts by their place (contract trees-and-jobs 6.2).
import { expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { multipartNotes, singlepartNotes } from '#domain/spreadsheets/columns.ts';
import { factsOf, highestRepeats, shownPart } from '#domain/spreadsheets/facts.ts';

const named = (prefix: string, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.map((field) => [field, `${prefix}${field}`]));
const seen = (record: JsonObject, linked: { readonly [uri: string]: JsonObject } = {}): object =>
  Object.fromEntries(factsOf({ id: 7, record, linked: new Map(Object.entries(linked)) }));

test('fields of the record', () => {
  const texts = ['title', 'level', 'ref_id', 'component_id', 'repository_processing_note'];
  expect(seen({ ...named('', texts), lock_version: 3, publish: false, position: 1 })).toEqual({
    id: '7',
    ...named('', texts),
    lock_version: '3',
    publish: 'false',
  });
  expect(seen({ title: '', level: null })).toEqual({ id: '7' });
});

test('dates and extents, each by its place', () => {
  const date = ['label', 'expression', 'begin', 'end', 'certainty'];
  const extent = ['portion', 'number', 'extent_type', 'container_summary', 'physical_details', 'dimensions'];
  const record = {
    dates: [named('a ', date), { ...named('b ', date), era: 'ce' }],
    extents: [named('c ', extent), named('d ', extent)],
  };
  const column = (group: string, index: number, prefix: string, fields: readonly string[]): JsonObject =>
    Object.fromEntries(fields.map((field) => [`${group}/${index}/${field}`, `${prefix}${field}`]));
  expect(seen(record)).toEqual({
    id: '7',
    ...column('dates', 0, 'a ', date),
    ...column('dates', 1, 'b ', date),
    ...column('extents', 0, 'c ', extent),
    ...column('extents', 1, 'd ', extent),
  });
});

test('languages without notes by their codes, notes of languages by their texts', () => {
  const coded = { language_and_script: { language: 'eng', script: 'Latn' } };
  const note = (...content: readonly string[]) => ({ type: 'langmaterial', content });
  expect(
    seen({ lang_materials: [{ ...coded, notes: [note('x', 'y')] }, coded, { notes: [note('p'), note('q')] }] }),
  ).toEqual({
    id: '7',
    'language_and_script/0/language': 'eng',
    'language_and_script/0/script': 'Latn',
    'note_langmaterial/0/content': 'x',
    'note_langmaterial/1/content': 'p',
    'note_langmaterial/2/content': 'q',
  });
});

test('containers and digital objects are numbered each for themselves, with what they link to', () => {
  const inside = ['type_2', 'indicator_2', 'barcode_2', 'type_3', 'indicator_3'];
  const box = (uri: string): JsonObject => ({
    instance_type: 'text',
    sub_container: { top_container: { ref: uri }, ...named('in ', inside) },
  });
  const scan = (uri: string): JsonObject => ({ instance_type: 'digital_object', digital_object: { ref: uri } });
  const linked = {
    '/t/1': named('top ', ['type', 'indicator', 'barcode']),
    '/d/1': {
      digital_object_id: 'D1',
      title: 'Scan',
      publish: true,
      file_versions: [{ file_uri: 'http://x.org/1', caption: 'One', publish: false }, { file_uri: 'http://x.org/2' }],
    },
  };
  expect(seen({ instances: [scan('/d/1'), box('/t/1'), box('/t/2')] }, linked)).toEqual({
    id: '7',
    'digital_object/0/digital_object_id': 'D1',
    'digital_object/0/digital_object_title': 'Scan',
    'digital_object/0/digital_object_publish': 'true',
    'digital_object/0/file_version_file_uri': 'http://x.org/1',
    'digital_object/0/file_version_caption': 'One',
    'digital_object/0/file_version_publish': 'false',
    'instances/0/instance_type': 'text',
    ...Object.fromEntries(
      ['type', 'indicator', 'barcode'].map((field) => [`instances/0/top_container_${field}`, `top ${field}`]),
    ),
    ...Object.fromEntries(inside.map((field) => [`instances/0/sub_container_${field}`, `in ${field}`])),
    'instances/1/instance_type': 'text',
    ...Object.fromEntries(inside.map((field) => [`instances/1/sub_container_${field}`, `in ${field}`])),
  });
});

test('accessions by the parts of their identifiers', () => {
  const parts = named('', ['id_0', 'id_1', 'id_2', 'id_3']);
  expect(seen({ accession_links: [{ ref: '/a/0' }, { ref: '/a/1' }] }, { '/a/1': { ...parts, title: 'x' } })).toEqual({
    id: '7',
    'related_accessions/1/id_0': 'id_0',
    'related_accessions/1/id_1': 'id_1',
    'related_accessions/1/id_2': 'id_2',
    'related_accessions/1/id_3': 'id_3',
  });
});

test('notes of every type of the sheet by their first text, and of no other kind', () => {
  for (const type of multipartNotes) {
    const subnotes = [
      { jsonmodel_type: 'note_orderedlist', items: ['i'] },
      { jsonmodel_type: 'note_text', content: 'shown' },
      { jsonmodel_type: 'note_text', content: 'second' },
    ];
    const note = { jsonmodel_type: 'note_multipart', type, label: 'L', subnotes };
    const other = { jsonmodel_type: 'note_singlepart', type, content: ['x'] };
    expect(seen({ notes: [other, note] })).toEqual({
      id: '7',
      [`note/${type}/0/content`]: 'shown',
      [`note/${type}/0/label`]: 'L',
    });
  }
  for (const type of singlepartNotes) {
    const note = { jsonmodel_type: 'note_singlepart', type, content: ['shown', 'second'] };
    expect(seen({ notes: [note] })).toEqual({ id: '7', [`note/${type}/0/content`]: 'shown' });
  }
});

test('restrictions of access have their dates and type', () => {
  const rights_restriction = { begin: '2020', end: '2030', local_access_restriction_type: ['Closed', 'Other'] };
  const note = (type: string) => ({ jsonmodel_type: 'note_multipart', type, rights_restriction });
  expect(seen({ notes: [note('accessrestrict'), note('userestrict')] })).toEqual({
    id: '7',
    'note/accessrestrict/0/begin': '2020',
    'note/accessrestrict/0/end': '2030',
    'note/accessrestrict/0/local_access_restriction_type': 'Closed',
  });
});

test('the most that one record has of each group', () => {
  const of = (record: JsonObject) => factsOf({ id: 1, record, linked: new Map() });
  const dates = (n: number) => ({ dates: Array.from({ length: n }, () => ({ label: 'creation' })) });
  expect(highestRepeats([of(dates(1)), of({ ...dates(3), extents: [{ number: '1' }] }), of(dates(2))])).toEqual({
    dates: 3,
    extents: 1,
  });
});

// What is wrong with a record is told by path, and the person who filled the sheet looks for a column.
test.each([
  ['title', 'title'],
  ['dates', 'dates'],
  ['dates/1/begin', 'dates/1'],
  ['external_documents/0/location', 'external_documents/0'],
  ['instances/1/sub_container/top_container', 'instances/0'],
  ['instances/0/digital_object', 'digital_object/0'],
  ['accession_links/1/ref', 'related_accessions/1'],
  ['lang_materials/0/notes/0/content', 'note_langmaterial/0'],
  ['lang_materials/1/language_and_script/script', 'language_and_script/0'],
  ['lang_materials/2/notes/1/content', 'note_langmaterial/2'],
  ['notes/1/subnotes/0/content', 'note/scopecontent/0'],
  ['notes/2/subnotes/0/content', 'note/scopecontent/1'],
  // No column shows these.
  ['lang_materials/3/notes', 'lang_materials/3'],
  ['notes/0/items/0', 'notes/0'],
])('what is wrong at %s is told at %s', (path, shown) => {
  const scope = { jsonmodel_type: 'note_multipart', type: 'scopecontent' };
  const note = { type: 'langmaterial', content: ['x'] };
  const record = {
    instances: [{ instance_type: 'digital_object' }, { instance_type: 'text' }],
    lang_materials: [{ notes: [note] }, { language_and_script: { language: 'eng' } }, { notes: [note, note] }, {}],
    notes: [{ jsonmodel_type: 'note_index', items: [] }, scope, scope],
  };
  expect(shownPart(record, path)).toBe(shown);
});
