// Every column code of the sheets to load, in the order of the contract (trees-and-jobs 6.7, 9), says something: without its cell another
// plan comes out. The columns of both releases are taken whatever the release.
import { describe, expect, test } from 'vitest';
import { planArchivalObjects } from '#domain/spreadsheets/load/archival-objects.ts';
import { planDigitalObjects } from '#domain/spreadsheets/load/digital-objects.ts';
import { unknownColumns } from '#domain/spreadsheets/load/known-columns.ts';
import type { LoadInput, LoadPlan } from '#domain/spreadsheets/load/plan.ts';
import { digitalObjectTemplate } from '#domain/templates/creation-templates.ts';

type Cells = { readonly [code: string]: string };

const twice = (codes: readonly string[]): readonly string[] => [...codes, ...codes.map((code) => `${code}_2`)];
const dates = twice(['dates_label', 'begin', 'end', 'date_type', 'expression', 'date_certainty']);
const extents = twice(['portion', 'number', 'extent_type', 'container_summary', 'physical_details', 'dimensions']);
const file = [
  'file_uri',
  'use_statement',
  'xlink_actuate_attribute',
  'xlink_show_attribute',
  'file_format',
  'file_format_version',
  'file_size',
  'checksum',
  'checksum_method',
  'caption',
];
const files = [
  ...file.map((code) => `rep_${code}`),
  'nonrep_file_uri',
  'nonrep_publish',
  ...file.slice(1).map((code) => `nonrep_${code}`),
];
const filesOfA = ['digital_object_link', 'digital_object_link_publish', 'thumbnail', 'thumbnail_publish'];
const agentsOf = (prefix: string, most: number): readonly string[] =>
  Array.from({ length: most }, (_, index) =>
    ['record_id', 'header', 'role', 'relator'].map((name) => `${prefix}_agent_${name}_${index + 1}`),
  ).flat();
const agents = [...agentsOf('people', 5), ...agentsOf('families', 2), ...agentsOf('corporate_entities', 3)];
const subjects = [1, 2].flatMap((n) => ['record_id', 'term', 'type', 'source'].map((name) => `subject_${n}_${name}`));
const singlepart = ['abstract', 'physdesc', 'physfacet', 'physloc'];
const noteTypes = [
  'abstract',
  'accessrestrict',
  'acqinfo',
  'arrangement',
  'bioghist',
  'custodhist',
  'dimensions',
  'odd',
  'physdesc',
  'physfacet',
  'physloc',
  'prefercite',
  'processinfo',
  'relatedmaterial',
  'scopecontent',
  'separatedmaterial',
  'userestrict',
];
const notes = noteTypes.flatMap((type) => [
  `n_${type}`,
  ...(type === 'accessrestrict' ? ['b_accessrestrict', 'e_accessrestrict', 't_accessrestrict'] : []),
  `p_${type}`,
  `l_${type}`,
]);
const containers = [
  'cont_instance_type',
  'type_1',
  'indicator_1',
  'barcode',
  'type_2',
  'indicator_2',
  'type_3',
  'indicator_3',
  'cont_instance_type_2',
  'type_1_2',
  'indicator_1_2',
  'barcode_2',
  'type_2_2',
  'indicator_2_2',
  'type_3_2',
  'indicator_3_2',
];

const archivalObjects = [
  'collection_id',
  'ead',
  'res_uri',
  'ref_id',
  'title',
  'unit_id',
  'hierarchy',
  'level',
  'other_level',
  'publish',
  'restrictions_flag',
  'processing_note',
  ...twice(['l_lang', 'l_langscript', 'n_langmaterial', 'p_langmaterial']),
  ...dates,
  ...extents,
  ...containers,
  'digital_object_id',
  'digital_object_title',
  'digital_object_publish',
  ...files,
  ...agents,
  ...subjects,
  ...notes,
];
const matchDigital = [
  'collection_id',
  'ead',
  'ref_id',
  'res_uri',
  'ao_ref_id',
  'ao_uri',
  'digital_object_id',
  'digital_object_title',
];
const digitalOfA = [...matchDigital, 'publish', ...filesOfA];
const digitalOfB = [
  ...matchDigital,
  'digital_object_publish',
  'level',
  'digital_object_type',
  'restrictions',
  ...dates,
  ...files,
  ...twice(['note_type', 'note_label', 'note_publish', 'note_content']),
  ...agents,
  ...subjects,
  ...extents,
];

/** A cell that says something else than a blank one: flags yes, for the component is not published. */
const cellFor = (code: string): string => {
  if (/(^|_)(publish|restrictions|restrictions_flag)(_\d)?$|^p_/.test(code)) return '1';
  if (code.endsWith('_file_size')) return '12';
  // No number, so that what has one is told apart from `_record_id_1`, which is for ids.
  if (code.includes('record_id')) return '';
  return (
    { res_uri: '/repositories/2/resources/1', ead: 'ead-1', hierarchy: '1', ao_uri: '7', ao_ref_id: 'seven' }[code] ??
    `what ${code} says`
  );
};

const lists: LoadInput['lists'] = {
  value: (list, text) =>
    list === 'note_multipart_type'
      ? singlepart.includes(text)
        ? undefined
        : text
      : list === 'note_singlepart_type'
        ? singlepart.includes(text)
          ? text
          : undefined
        : text,
  isOpen: () => false,
};
const input = (codes: readonly string[], cells: Cells): LoadInput => ({
  sheet: {
    name: null,
    others: [],
    codes,
    nameless: [],
    rows: [{ row: 5, cells: new Map(Object.entries(cells).filter(([, text]) => text !== '')) }],
    faults: [],
  },
  facts: {
    agents: (['agent_person', 'agent_family', 'agent_corporate_entity'] as const).map((kind) => ({
      kind,
      id: 3,
      header: 'Known',
    })),
    subjectIds: new Set([4]),
    used: [],
    barcoded: [],
    digitalObjectIds: new Set(),
    components: [{ id: 7, refId: 'seven', title: 'Seven', publish: false, parentId: null }],
  },
  target: { repoId: 2, resource: { uri: '/repositories/2/resources/1', eadId: 'ead-1' }, aoid: null, importId: 'aa' },
  lists,
  newId: () => 'random',
});

/** What a plan comes to, without the codes behind its properties. */
const saidBy = ({ records, attachments, notes: told, faults, rows }: LoadPlan): string =>
  JSON.stringify([records.map(({ record }) => record), attachments, told, faults, rows]);

/** The codes without whose cell the plan is the same in every variant of the row. */
function silent(
  plan: (input: LoadInput) => LoadPlan,
  codes: readonly string[],
  variants: readonly Cells[],
): readonly string[] {
  const full = Object.fromEntries(codes.map((code) => [code, cellFor(code)]));
  return codes.filter((code) =>
    variants.every((variant) => {
      const cells = { ...full, ...variant };
      return saidBy(plan(input(codes, cells))) === saidBy(plan(input(codes, { ...cells, [code]: '' })));
    }),
  );
}
const byId = Object.fromEntries(
  [...agents, ...subjects]
    .filter((code) => code.includes('record_id'))
    .map((code) => [code, code.startsWith('subject') ? '4' : '3']),
);
const byIdAlone = Object.fromEntries(
  [...agents, ...subjects].filter((code) => /header|term/.test(code)).map((code) => [code, '']),
);
// Subjects that are named twice are linked once: one of them by its id.
// Flags of parts are those of the object where they are blank, so they are told apart where they say no and the object yes.
const unpublishedParts = Object.fromEntries(
  [...archivalObjects, ...digitalOfA, ...digitalOfB]
    .filter((code) => /^p_|(nonrep|link|thumbnail|note|digital_object)_publish/.test(code))
    .map((code) => [code, '0']),
);
const variants: readonly Cells[] = [
  {},
  unpublishedParts,
  { ...unpublishedParts, digital_object_publish: '1' },
  { ...byIdAlone, ...byId, subject_2_record_id: '', subject_2_term: 'Other' },
  { ...byIdAlone, ...byId, subject_1_record_id: '', subject_1_term: 'Other' },
  { res_uri: '' },
  { ead: '' },
  { ao_uri: '' },
  { ao_ref_id: '' },
];

describe('each column says something', () => {
  test('of the sheet of archival objects', () => {
    expect(
      planArchivalObjects(
        input(archivalObjects, Object.fromEntries(archivalObjects.map((code) => [code, cellFor(code)]))),
      ).faults,
    ).toEqual([]);
    expect(unknownColumns('ao', archivalObjects)).toEqual([]);
    // The collection's name is for people.
    expect(silent(planArchivalObjects, archivalObjects, variants)).toEqual(['collection_id']);
  });

  test('of the sheet of archival objects in R-A', () => {
    const codes = [
      'res_uri',
      'title',
      'hierarchy',
      'level',
      'publish',
      'digital_object_id',
      'digital_object_title',
      'digital_object_publish',
      ...filesOfA,
    ];
    expect(silent(planArchivalObjects, codes, variants)).toEqual([]);
    expect(unknownColumns('ao', codes)).toEqual([]);
  });

  test.each([
    ['R-A', digitalOfA],
    ['R-B', digitalOfB],
  ] as const)('of the sheet of digital objects in %s', (release, codes) => {
    expect(
      planDigitalObjects(input(codes, Object.fromEntries(codes.map((code) => [code, cellFor(code)])))).faults,
    ).toEqual([]);
    expect(silent(planDigitalObjects, codes, variants)).toEqual(['collection_id', 'ref_id']);
    expect(unknownColumns('digital', codes)).toEqual([]);
    expect(digitalObjectTemplate(release).columns.map(({ code }) => code)).toEqual(codes);
  });
});

test.each([
  [
    'ao',
    ['titel', 'title_2', 'begin_1', 'begin_02', 'n_', 'p_odd', 'l_scope', 'l_langmaterial', 'ao_uri', 'note_content'],
  ],
  ['ao', ['people_agent_header', 'people_agent_name_1', 'subject_0_term', 'subject_term', 'digital_object_id_2']],
  ['digital', ['hierarchy', 'n_odd', 'l_lang', 'type_1', 'title', 'thumbnail_2']],
] as const)('columns of which nothing is made are known in the sheet %s: %j', (type, codes) => {
  const known = [
    'res_uri',
    'begin_3',
    'people_agent_header_12',
    'subject_10_term',
    'dimensions_2',
    ...(type === 'ao' ? ['n_phystech_2', 'l_phystech_2'] : []),
  ];
  expect(unknownColumns(type, [...known, ...codes])).toEqual(codes);
});

describe('a digital object', () => {
  const least = { res_uri: '/repositories/2/resources/1', ao_uri: '/repositories/2/archival_objects/7' };
  const objectOf = (cells: Cells): unknown =>
    planDigitalObjects(input(Object.keys({ ...least, ...cells }), { ...least, ...cells })).records.at(-1)?.record;

  test('of release R-A has the link and the thumbnail as files, published as their cells say or as the object is', () => {
    const link = { file_uri: 'http://x.org/l', xlink_actuate_attribute: 'onRequest', xlink_show_attribute: 'new' };
    const thumbnail = { file_uri: 'http://x.org/t', xlink_actuate_attribute: 'onLoad', xlink_show_attribute: 'embed' };
    const cells = { digital_object_link: link.file_uri, thumbnail: thumbnail.file_uri };
    expect(objectOf({ ...cells, publish: '1' })).toMatchObject({
      publish: true,
      file_versions: [
        { ...link, publish: true },
        { ...thumbnail, publish: true },
      ],
    });
    expect(objectOf({ ...cells, publish: '1', thumbnail_publish: '0' })).toMatchObject({
      file_versions: [{ publish: true }, { publish: false }],
    });
    expect(objectOf({ ...cells, digital_object_link_publish: '1' })).toMatchObject({
      publish: false,
      file_versions: [{ publish: true }, { publish: false }],
    });
  });

  test('without identifier and title has a random one and that of its archival object', () => {
    expect(objectOf({})).toMatchObject({ digital_object_id: 'random', title: 'Seven', publish: false });
  });
});

describe('a row', () => {
  const least = { res_uri: '/repositories/2/resources/1', title: 'x', hierarchy: '1', level: 'file' };
  const plan = (cells: Cells): LoadPlan =>
    planArchivalObjects(input(Object.keys({ ...least, ...cells }), { ...least, ...cells }));

  test.each([
    ['1', true],
    ['t', true],
    ['T', true],
    ['TRUE', true],
    ['0', false],
    ['yes', false],
    ['y', false],
  ])('with the flag %s is published: %s', (text, publish) => {
    expect(plan({ publish: text }).records[0]?.record).toMatchObject({ publish });
  });

  test.each([
    [{ res_uri: '' }, ['res_uri']],
    [{ res_uri: '', ead: 'ead-1' }, []],
    [{ ead: 'other' }, []],
    [{ res_uri: '/repositories/2/resources/2', ead: 'ead-1' }, ['res_uri']],
    [{ res_uri: '', ead: 'other' }, ['ead']],
    [{ hierarchy: '' }, ['hierarchy']],
    [{ hierarchy: '0' }, ['hierarchy']],
    [{ hierarchy: '2' }, ['hierarchy']],
  ] as const)('with %j has faults in %j', (cells, columns) => {
    expect(plan(cells).faults.map(({ column }) => column)).toEqual(columns);
  });

  test('has notes of any type that archival objects have, as often as there are columns, published as the object is where nothing is said', () => {
    const { record } =
      plan({ publish: '1', n_phystech: 'A', n_phystech_2: 'B', p_phystech_2: '0', n_physfacet: 'C' }).records[0] ?? {};
    expect(record?.['notes']).toMatchObject([
      {
        jsonmodel_type: 'note_multipart',
        type: 'phystech',
        publish: true,
        subnotes: [{ content: 'A', publish: true }],
      },
      { type: 'phystech', publish: false, subnotes: [{ content: 'B' }] },
      { jsonmodel_type: 'note_singlepart', type: 'physfacet', content: ['C'] },
    ]);
  });

  test('has dates, extents, languages and containers as far as the columns go', () => {
    const { record } =
      plan({
        begin: '1900',
        begin_3: '1902',
        number_2: '1',
        extent_type_2: 'reels',
        l_lang_4: 'ger',
        cont_instance_type_3: 'text',
        indicator_1_3: '5',
      }).records.at(-1) ?? {};
    expect(record).toMatchObject({
      dates: [{ begin: '1900' }, { begin: '1902' }],
      extents: [{ number: '1' }],
      lang_materials: [{ language_and_script: { language: 'ger' } }],
      instances: [{ instance_type: 'text' }],
    });
  });
});
