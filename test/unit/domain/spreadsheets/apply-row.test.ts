// What a row of the spreadsheet makes of an archival object (contract trees-and-jobs 6.3): fields, parts by their place, deletes, links.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf } from '#domain/json.ts';
import { applyRow } from '#domain/spreadsheets/apply-row.ts';
import { describedObjects, objectFrom } from '#domain/spreadsheets/digital-objects.ts';
import { factsOf } from '#domain/spreadsheets/facts.ts';
import type { UpdateRow } from '#domain/spreadsheets/rows.ts';

type Cells = { readonly [path: string]: string | null };
const box = (n: number): string => `/repositories/2/top_containers/${n}`;
const linked = new Map<string, JsonObject>([
  [box(1), { type: 'box', indicator: '1', barcode: 'b1' }],
  [box(2), { type: 'box', indicator: '2' }],
  [
    '/repositories/2/digital_objects/1',
    {
      digital_object_id: 'D1',
      title: 'Scan',
      publish: false,
      file_versions: [{ file_uri: 'http://x.org/1', caption: 'One' }],
    },
  ],
]);
const lookups = {
  containerUri: (type: string | null, indicator: string | null, barcode: string | null) =>
    [...linked].find(
      ([uri, body]) =>
        uri.includes('top_containers') &&
        (body['type'] ?? null) === type &&
        body['indicator'] === indicator &&
        (body['barcode'] ?? null) === barcode,
    )?.[0],
  containerNames: () => ['box, 1, b1', 'box, 2, (blank)'],
  digitalObjectUri: (id: string) =>
    ({ D1: '/repositories/2/digital_objects/1', D2: '/repositories/2/digital_objects/2' })[id],
  accessionUri: (parts: readonly (string | null)[]) =>
    parts[0] === '2020' && parts[1] === '7' ? '/repositories/2/accessions/1' : undefined,
};
const facts = (record: JsonObject) => factsOf({ id: 1, record: { lock_version: 0, ...record }, linked });
const row = (cells: Cells): UpdateRow => ({ row: 3, cells: new Map(Object.entries(cells)) });
const apply = (record: JsonObject, cells: Cells) => applyRow(record, facts(record), row(cells), lookups);
const noDeletes = { message: expect.stringMatching(/^Deleting a subrecord is disabled\./) };

describe('a row', () => {
  test('whose cells say what is stored changes nothing', () => {
    const record = { title: 'A', publish: true, dates: [{ label: 'creation', begin: '1900' }] };
    expect(
      apply(record, {
        title: 'A',
        publish: 'true',
        component_id: null,
        'dates/0/label': 'creation',
        'dates/0/begin': '1900',
        'dates/0/end': null,
        'dates/1/begin': null,
      }),
    ).toMatchObject({ isChanged: false, record, problems: [] });
  });

  test('sets and clears the fields of the record, and leaves those whose columns are gone', () => {
    expect(
      apply(
        { title: 'A', component_id: 'c', repository_processing_note: 'n', level: 'file' },
        { title: 'B', component_id: null, repository_processing_note: null },
      ).record,
    ).toEqual({ title: 'B', component_id: '', repository_processing_note: undefined, level: 'file' });
    expect(apply({ ref_id: 'a' }, { ref_id: 'b' }).problems).toEqual([
      { column: 'ref_id', message: expect.any(String) },
    ]);
  });
});

describe('dates and extents', () => {
  const dates = [
    { label: 'issued', begin: '1900', end: '1910', date_type: 'bulk', era: 'ce' },
    { label: 'creation', expression: 'later', date_type: 'single' },
    { label: 'creation', begin: '1950', date_type: 'single' },
  ];

  test('are overlaid by their place; others and those beyond the columns stay', () => {
    expect(apply({ dates }, { 'dates/0/begin': '1901', 'dates/0/end': '1910' }).record['dates']).toEqual([
      { ...dates[0], begin: '1901' },
      dates[1],
      dates[2],
    ]);
    expect(
      apply(
        { extents: [{ number: '1', portion: 'whole', dimensions: 'big' }] },
        { 'extents/0/number': '2', 'extents/1/number': '3', 'extents/1/portion': 'part', 'extents/2/number': null },
      ).record['extents'],
    ).toEqual([
      { number: '2', portion: 'whole', dimensions: 'big' },
      { number: '3', portion: 'part' },
    ]);
  });

  test.each([
    [{ begin: '1900', date_type: 'single' }, { begin: '1900', end: '1901' }, 'inclusive'],
    [{ begin: '1900', end: '1901', date_type: 'inclusive' }, { begin: '1900', end: null }, 'single'],
    [{ begin: '1900', date_type: 'bulk' }, { begin: '1900', end: '1905' }, 'bulk'],
    [{ begin: '1900', end: '1901', date_type: 'bulk' }, { begin: '1900', end: '1902' }, 'bulk'],
  ])('of %j that become %j are %s', (old, cells, type) => {
    expect(
      apply(
        { dates: [{ label: 'creation', ...old }] },
        Object.fromEntries(Object.entries(cells).map(([field, cell]) => [`dates/0/${field}`, cell])),
      ).record['dates'],
    ).toMatchObject([{ date_type: type }]);
  });

  test('that are new are of the creation where nothing else is said, single without an end and inclusive with one', () => {
    expect(
      apply(
        { dates: [] },
        { 'dates/0/begin': '1900', 'dates/1/begin': '1901', 'dates/1/end': '1902', 'dates/1/label': 'issued' },
      ).record['dates'],
    ).toMatchObject([
      { label: 'creation', date_type: 'single' },
      { label: 'issued', date_type: 'inclusive' },
    ]);
  });

  test('of which all cells are blanked are not deleted: that is told, with the column', () => {
    const { record, problems } = apply({ dates }, { 'dates/1/label': null, 'dates/1/expression': null });
    expect(problems).toEqual([{ column: 'dates/1', ...noDeletes }]);
    expect(record['dates']).toEqual(dates);
  });
});

describe('instances', () => {
  const instances = [
    { instance_type: 'digital_object', digital_object: { ref: '/repositories/2/digital_objects/1' } },
    { instance_type: 'text', sub_container: { top_container: { ref: box(1) }, type_2: 'folder', indicator_2: '1' } },
  ];

  test('are counted without digital objects, and keep their order and what the sheet does not show', () => {
    expect(apply({ instances }, { 'instances/0/sub_container_indicator_2': '9' }).record['instances']).toEqual([
      instances[0],
      { instance_type: 'text', sub_container: { top_container: { ref: box(1) }, type_2: 'folder', indicator_2: '9' } },
    ]);
  });

  test('keep their container where its cells say what is stored, whichever columns are there', () => {
    // Another container may be of the type and indicator of the one in use.
    const twins = { ...lookups, containerUri: () => box(99) };
    const record = { instances };
    const cells = {
      'instances/0/top_container_type': 'box',
      'instances/0/top_container_indicator': '1',
      'instances/0/sub_container_indicator_2': '9',
    };
    expect(applyRow(record, facts(record), row(cells), twins).record['instances']).toMatchObject([
      {},
      { sub_container: { top_container: { ref: box(1) }, indicator_2: '9' } },
    ]);
  });

  test('take another container by type, indicator and barcode, and name those there are where there is none', () => {
    const cells = (indicator: string | null, barcode: string | null) => ({
      'instances/0/top_container_type': 'box',
      'instances/0/top_container_indicator': indicator,
      'instances/0/top_container_barcode': barcode,
    });
    expect(apply({ instances }, cells('2', null)).record['instances']).toMatchObject([
      {},
      { sub_container: { top_container: { ref: box(2) }, type_2: 'folder' } },
    ]);
    expect(apply({ instances }, cells('2', 'b1')).problems).toEqual([
      {
        column: 'instances/0',
        message: 'No top container of this resource is: box, 2, b1. Those it has: box, 1, b1; box, 2, (blank)',
      },
    ]);
  });

  test('are added after those there are', () => {
    expect(
      apply(
        { instances },
        {
          'instances/1/instance_type': 'audio',
          'instances/1/top_container_type': 'box',
          'instances/1/top_container_indicator': '2',
          'instances/1/top_container_barcode': null,
        },
      ).record['instances'],
    ).toEqual([...instances, { instance_type: 'audio', sub_container: { top_container: { ref: box(2) } } }]);
  });
});

describe('digital objects', () => {
  const instances = [{ instance_type: 'digital_object', digital_object: { ref: '/repositories/2/digital_objects/1' } }];
  const stored = {
    digital_object_id: 'D1',
    title: 'Scan',
    publish: false,
    file_versions: [{ file_uri: 'http://x.org/1', caption: 'One', publish: false }, { file_uri: 'http://x.org/2' }],
  };
  const written = (cells: Cells, old: JsonObject | null) =>
    describedObjects(row(cells), facts({ instances })).map((each) => objectFrom(each, old));
  const same = { 'digital_object/0/digital_object_id': 'D1' };

  test('need an identifier that there is', () => {
    expect(
      apply({ instances }, { 'digital_object/0/digital_object_id': null, 'digital_object/0/digital_object_title': 'x' })
        .problems,
    ).toEqual([{ column: 'digital_object/0', message: 'digital_object_id is required' }]);
    expect(apply({ instances: [] }, { 'digital_object/0/digital_object_id': 'D9' }).problems).toMatchObject([
      { column: 'digital_object/0' },
    ]);
    expect(apply({ instances }, { 'digital_object/0/digital_object_id': 'D2' }).record['instances']).toMatchObject([
      { digital_object: { ref: '/repositories/2/digital_objects/2' } },
    ]);
  });

  test('change in their title, flag and first file, and in nothing whose column is gone', () => {
    expect(
      written(
        { ...same, 'digital_object/0/digital_object_title': 'New', 'digital_object/0/digital_object_publish': 'true' },
        stored,
      ),
    ).toEqual([{ ...stored, title: 'New', publish: true }]);
    expect(written({ ...same, 'digital_object/0/file_version_file_uri': 'http://x.org/9' }, stored)).toMatchObject([
      {
        file_versions: [{ file_uri: 'http://x.org/9', caption: 'One', publish: false }, { file_uri: 'http://x.org/2' }],
      },
    ]);
    expect(written({ ...same, 'digital_object/0/file_version_caption': 'Two' }, stored)).toMatchObject([
      { file_versions: [{ file_uri: 'http://x.org/1', caption: 'Two' }, {}] },
    ]);
    expect(
      written(
        {
          ...same,
          'digital_object/0/file_version_file_uri': 'http://x.org/1',
          'digital_object/0/file_version_caption': null,
          'digital_object/0/file_version_publish': 'true',
        },
        stored,
      ),
    ).toEqual([
      {
        ...stored,
        file_versions: [
          { file_uri: 'http://x.org/1', caption: undefined, publish: true },
          { file_uri: 'http://x.org/2' },
        ],
      },
    ]);
    expect(written(same, stored)).toEqual([]);
  });

  test('that are new have a title, a flag and one file', () => {
    expect(
      written(
        {
          'digital_object/1/digital_object_id': 'D3',
          'digital_object/1/digital_object_title': 'T',
          'digital_object/1/digital_object_publish': 'true',
          'digital_object/1/file_version_file_uri': 'u',
          'digital_object/1/file_version_caption': 'c',
          'digital_object/1/file_version_publish': 'true',
        },
        null,
      ),
    ).toEqual([
      {
        digital_object_id: 'D3',
        title: 'T',
        publish: true,
        file_versions: [{ file_uri: 'u', caption: 'c', publish: true }],
      },
    ]);
    expect(
      written(
        {
          'digital_object/1/digital_object_id': 'D3',
          'digital_object/1/digital_object_title': 'T',
          'digital_object/1/file_version_file_uri': null,
        },
        null,
      ),
    ).toEqual([{ digital_object_id: 'D3', title: 'T', file_versions: [] }]);
  });

  test('do not lose their file by blank cells: that is told, but not where another object is named', () => {
    const blank = { 'digital_object/0/file_version_file_uri': null, 'digital_object/0/file_version_caption': null };
    expect(apply({ instances }, { ...same, ...blank }).problems).toEqual([
      { column: 'digital_object/0', ...noDeletes },
    ]);
    expect(apply({ instances }, { 'digital_object/0/digital_object_id': 'D2', ...blank }).problems).toEqual([]);
  });
});

describe('notes, languages and accessions', () => {
  const notes = [
    {
      jsonmodel_type: 'note_multipart',
      type: 'odd',
      subnotes: [
        { jsonmodel_type: 'note_chronology', title: 't' },
        { jsonmodel_type: 'note_text', content: 'first' },
        { jsonmodel_type: 'note_text', content: 'second' },
      ],
    },
    { jsonmodel_type: 'note_singlepart', type: 'abstract', content: ['one', 'two'] },
  ];

  test('change the text that is shown, and leave the others', () => {
    const { record } = apply(
      { notes },
      { 'note/odd/0/content': 'changed', 'note/odd/0/label': 'Label', 'note/abstract/0/content': 'eins' },
    );
    expect(record['notes']).toMatchObject([
      { label: 'Label', subnotes: [{ title: 't' }, { content: 'changed' }, { content: 'second' }] },
      { content: ['eins', 'two'] },
    ]);
  });

  test('come new with their texts, and restrictions with days and a type', () => {
    const { record } = apply(
      { notes },
      {
        'note/odd/1/content': 'more',
        'note/physdesc/0/content': 'red',
        'note/accessrestrict/0/content': 'closed',
        'note/accessrestrict/0/begin': '2020-01-01',
        'note/accessrestrict/0/end': null,
        'note/accessrestrict/0/local_access_restriction_type': 'RestrictedSpecColl',
      },
    );
    expect(record['notes']).toMatchObject([
      ...notes,
      { type: 'odd', subnotes: [{ jsonmodel_type: 'note_text', content: 'more' }] },
      { jsonmodel_type: 'note_singlepart', type: 'physdesc', content: ['red'] },
      {
        type: 'accessrestrict',
        rights_restriction: { begin: '2020-01-01', local_access_restriction_type: ['RestrictedSpecColl'] },
      },
    ]);
  });

  test('keep the types of their restriction that the sheet does not show, and get none where none is said', () => {
    const at = 'note/accessrestrict/0/';
    const open = { jsonmodel_type: 'note_multipart', type: 'accessrestrict', label: 'L' };
    const rights_restriction = { begin: '2020-01-01', local_access_restriction_type: ['A', 'B'] };
    const note = (stored: JsonObject, cells: Cells): unknown => {
      const [begin, type] = stored === open ? [null, null] : ['2020-01-01', 'A'];
      const all = { [`${at}begin`]: begin ?? null, [`${at}local_access_restriction_type`]: type ?? null, ...cells };
      return objectsOf(apply({ notes: [stored] }, { [`${at}end`]: null, ...all }).record, 'notes')[0];
    };
    const restricted = { ...open, rights_restriction };
    expect(note(restricted, { [`${at}label`]: 'M' })).toEqual({ ...restricted, label: 'M' });
    expect(note(open, { [`${at}label`]: 'M' })).toEqual({ ...open, label: 'M' });
    const end = '2030-01-01';
    expect(note(restricted, { [`${at}end`]: end })).toMatchObject({
      rights_restriction: { ...rights_restriction, end },
    });
    // Contract 6.3: what is written into the cell is the only type.
    const typed = note(restricted, { [`${at}local_access_restriction_type`]: 'C' });
    expect(typed).toMatchObject({ rights_restriction: { local_access_restriction_type: ['C'] } });
  });

  test('of languages are counted apart: those that say a language without notes, and their notes', () => {
    const lang_materials = [
      { notes: [{ type: 'langmaterial', content: ['German', 'x'] }] },
      { language_and_script: { language: 'ger' } },
    ];
    expect(
      apply(
        { lang_materials },
        {
          'language_and_script/0/language': 'eng',
          'language_and_script/1/language': 'fre',
          'note_langmaterial/0/content': 'English',
        },
      ).record['lang_materials'],
    ).toMatchObject([
      { notes: [{ content: ['English', 'x'] }] },
      { language_and_script: { language: 'eng' } },
      { language_and_script: { language: 'fre' } },
    ]);
    expect(apply({ lang_materials }, { 'note_langmaterial/0/content': null }).problems).toEqual([
      { column: 'note_langmaterial/0', ...noDeletes },
    ]);
  });

  test('link accessions by all four parts of their identifiers', () => {
    expect(
      apply({}, { 'related_accessions/0/id_0': '2020', 'related_accessions/0/id_1': '7' }).record['accession_links'],
    ).toEqual([{ ref: '/repositories/2/accessions/1' }]);
    expect(apply({}, { 'related_accessions/0/id_0': '2020', 'related_accessions/0/id_1': '8' }).problems).toEqual([
      { column: 'related_accessions/0', message: 'Accession not found for identifier: 2020-8' },
    ]);
  });
});
