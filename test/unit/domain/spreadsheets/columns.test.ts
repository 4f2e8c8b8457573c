// The columns of the spreadsheet for changing archival objects (contract trees-and-jobs 6.1, 6.2): paths and headings in order, and how often
// groups are repeated.
import { describe, expect, test } from 'vitest';
import {
  columnsFor,
  groups,
  listOfPath,
  multipartNotes,
  parsePath,
  repeatsFor,
  singlepartNotes,
} from '#domain/spreadsheets/columns.ts';

const paths = (selected: readonly string[], repeats: object): readonly string[] =>
  columnsFor(selected, { ...repeats }).map(({ path }) => path);
const once = Object.fromEntries(groups.map(({ group }) => [group, 1]));
const record = [
  'id',
  'lock_version',
  'title',
  'level',
  'ref_id',
  'component_id',
  'repository_processing_note',
  'publish',
];

describe('the columns', () => {
  test('are those of the contract, in its order', () => {
    expect(paths([], once)).toEqual([
      ...record,
      'language_and_script/0/language',
      'language_and_script/0/script',
      'note_langmaterial/0/content',
      ...['label', 'expression', 'begin', 'end', 'certainty'].map((name) => `dates/0/${name}`),
      ...['portion', 'number', 'extent_type', 'container_summary', 'physical_details', 'dimensions'].map(
        (name) => `extents/0/${name}`,
      ),
      ...[
        'instance_type',
        'top_container_type',
        'top_container_indicator',
        'top_container_barcode',
        'sub_container_type_2',
        'sub_container_indicator_2',
        'sub_container_barcode_2',
        'sub_container_type_3',
        'sub_container_indicator_3',
      ].map((name) => `instances/0/${name}`),
      ...[
        'digital_object_id',
        'digital_object_title',
        'digital_object_publish',
        'file_version_file_uri',
        'file_version_caption',
        'file_version_publish',
      ].map((name) => `digital_object/0/${name}`),
      ...[0, 1, 2, 3].map((n) => `related_accessions/0/id_${n}`),
      ...['content', 'label', 'begin', 'end', 'local_access_restriction_type'].map(
        (name) => `note/accessrestrict/0/${name}`,
      ),
      ...[
        'scopecontent',
        'bioghist',
        'accruals',
        'dimensions',
        'altformavail',
        'odd',
        'phystech',
        'processinfo',
        'relatedmaterial',
        'separatedmaterial',
        'abstract',
        'physdesc',
      ].flatMap((type) => [`note/${type}/0/content`, `note/${type}/0/label`]),
    ]);
  });

  test.each([
    ['level', ['level']],
    ['ref_id', ['ref_id']],
    ['component_id', ['component_id']],
    ['repository_processing_note', ['repository_processing_note']],
    ['publish', ['publish']],
    ['langmaterial', ['language_and_script/0/language', 'language_and_script/0/script', 'note_langmaterial/0/content']],
    ['related_accession', [0, 1, 2, 3].map((n) => `related_accessions/0/id_${n}`)],
    ['note_odd', ['note/odd/0/content', 'note/odd/0/label']],
    ['nonsense', []],
  ])('of %s come after id, version and title', (selected, expected) => {
    expect(paths([selected], once)).toEqual(['id', 'lock_version', 'title', ...expected]);
  });

  test('of several groups keep the order of the sheet', () => {
    expect(
      paths(['note_abstract', 'extent', 'date', 'level'], { ...once, dates: 2 }).map((path) =>
        path.split('/').slice(0, 2).join('/'),
      ),
    ).toEqual([
      ...record.slice(0, 4),
      ...Array<string>(5).fill('dates/0'),
      ...Array<string>(5).fill('dates/1'),
      ...Array<string>(6).fill('extents/0'),
      'note/abstract',
      'note/abstract',
    ]);
  });

  test('have headings that count from one', () => {
    expect(
      columnsFor(['date', 'note_odd', 'langmaterial'], { ...once, dates: 2 })
        .map(({ heading }) => heading)
        .filter((heading) => /Expression|Note/.test(heading)),
    ).toEqual([
      'Language Note - 1 - Content',
      'Date 1 - Expression',
      'Date 2 - Expression',
      'Note odd - 1 - Content',
      'Note odd - 1 - Label',
    ]);
  });

  test('are locked where nobody may change them, and have a list or a flag where the contract names one', () => {
    const columns = columnsFor([], once);
    expect(columns.filter(({ isLocked }) => isLocked === true).map(({ path }) => path)).toEqual([
      'id',
      'lock_version',
      'ref_id',
    ]);
    expect(columns.filter(({ isFlag }) => isFlag === true).map(({ path }) => path)).toEqual([
      'publish',
      'digital_object/0/digital_object_publish',
      'digital_object/0/file_version_publish',
    ]);
    expect(Object.fromEntries(columns.flatMap(({ path, list }) => (list === undefined ? [] : [[path, list]])))).toEqual(
      {
        level: 'archival_record_level',
        'language_and_script/0/language': 'language_iso639_2',
        'language_and_script/0/script': 'script_iso15924',
        'dates/0/label': 'date_label',
        'dates/0/certainty': 'date_certainty',
        'extents/0/portion': 'extent_portion',
        'extents/0/extent_type': 'extent_extent_type',
        'instances/0/instance_type': 'instance_instance_type',
        'instances/0/top_container_type': 'container_type',
        'instances/0/sub_container_type_2': 'container_type',
        'instances/0/sub_container_type_3': 'container_type',
        'note/accessrestrict/0/local_access_restriction_type': 'restriction_type',
      },
    );
  });

  test.each([
    ['dates/0/nonsense'],
    ['nonsense/0/begin'],
    ['dates/x/begin'],
    ['note/nonsense/0/content'],
    ['dates'],
    ['note/odd/0/begin'],
    ['instances/0/__proto__'],
  ])('do not have the path %s', (path) => {
    expect([parsePath(path), listOfPath(path)]).toEqual([null, undefined]);
  });
});

describe('a group is repeated', () => {
  const defaults = { minSubrecords: 0, extraSubrecords: 3, minNotes: 2 };
  const notes = [...multipartNotes, ...singlepartNotes].map((type) => `note/${type}`);

  test.each([
    [defaults, 0, { wide: 3, single: 1, note: 2 }],
    [defaults, 2, { wide: 5, single: 2, note: 2 }],
    [defaults, 5, { wide: 8, single: 5, note: 5 }],
    [{ minSubrecords: 10, extraSubrecords: 3, minNotes: 0 }, 2, { wide: 10, single: 2, note: 2 }],
    [{ minSubrecords: 4, extraSubrecords: 3, minNotes: 1 }, 2, { wide: 5, single: 2, note: 2 }],
    [{ minSubrecords: 0, extraSubrecords: 0, minNotes: 0 }, 0, { wide: 0, single: 1, note: 0 }],
    [{ minSubrecords: 0, extraSubrecords: 0, minNotes: 7 }, 3, { wide: 3, single: 3, note: 7 }],
    [{ minSubrecords: 3, extraSubrecords: 0, minNotes: 3 }, 3, { wide: 3, single: 3, note: 3 }],
  ] as const)('for %j where one record has it %i times: %j', (widths, count, { wide, single, note }) => {
    expect(repeatsFor(Object.fromEntries(groups.map(({ group }) => [group, count])), widths)).toEqual({
      ...Object.fromEntries(['dates', 'extents', 'instances', 'digital_object'].map((group) => [group, wide])),
      ...Object.fromEntries(
        ['language_and_script', 'note_langmaterial', 'related_accessions'].map((group) => [group, single]),
      ),
      ...Object.fromEntries(notes.map((group) => [group, note])),
    });
  });
});
