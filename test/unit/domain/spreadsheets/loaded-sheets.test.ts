// Sheets to load, as a harbour board's archive would fill them in: what each plan comes to as a whole, and the words for rows that are wrong, each in
// one way.
import { describe, expect, it } from 'vitest';
import type { CodedRow } from '#domain/spreadsheets/coded-sheet.ts';
import { controlledBy } from '#domain/spreadsheets/controlled.ts';
import { planArchivalObjects } from '#domain/spreadsheets/load/archival-objects.ts';
import { checkPlan } from '#domain/spreadsheets/load/check.ts';
import { planDigitalObjects } from '#domain/spreadsheets/load/digital-objects.ts';
import { wantedByLoad } from '#domain/spreadsheets/load/facts.ts';
import type { LoadInput, LoadPlan } from '#domain/spreadsheets/load/plan.ts';
import { faultyRows, loadedRows, loadReport } from '#domain/spreadsheets/load/report.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { referenceLists } from '#test/support/make/lists.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

type Cells = { readonly [code: string]: string };

const controlled = controlledBy(referenceLists(), { archival_record_level: { akte: 'file' } });
const rowsOf = (rows: readonly Cells[]): readonly CodedRow[] =>
  rows.map((cells, at) => ({ row: at + 5, cells: new Map(Object.entries(cells)) }));

const facts: LoadInput['facts'] = {
  agents: [
    { kind: 'agent_person', id: 1, header: 'Stroud, Agnes' },
    { kind: 'agent_person', id: 2, header: 'Twin' },
    { kind: 'agent_person', id: 3, header: 'Twin' },
    { kind: 'agent_family', id: 1, header: 'Strouds' },
    { kind: 'agent_corporate_entity', id: 1, header: 'Harbour Board' },
  ],
  subjectIds: new Set([1]),
  used: [{ uri: '/repositories/2/top_containers/1', type: 'box', indicator: '31', barcode: 'BOX-0031' }],
  barcoded: [
    { uri: '/repositories/2/top_containers/1', type: 'box', indicator: '31', barcode: 'BOX-0031' },
    { uri: '/repositories/2/top_containers/9', type: 'carton', indicator: '4', barcode: 'ELSEWHERE' },
  ],
  digitalObjectIds: new Set(['PEHB.DO.3']),
  components: [
    { id: 1, refId: 'ref_letters', title: 'Letters', publish: true, parentId: null },
    { id: 2, refId: 'ref_book3', title: 'Letterbook', publish: false, parentId: 1 },
  ],
};

function planOf(type: 'ao' | 'digital', rows: readonly Cells[], aoid: number | null = null): LoadPlan {
  let made = 0;
  const input: LoadInput = {
    sheet: {
      name: 'Sheet',
      others: [],
      codes: [...new Set(rows.flatMap((row) => Object.keys(row)))],
      nameless: [],
      rows: rowsOf(rows),
      faults: [],
    },
    facts,
    target: { repoId: 2, resource: { uri: '/repositories/2/resources/1', eadId: 'pehb7.xml' }, aoid, importId: 'aa' },
    lists: { value: controlled, isOpen: (list) => list === 'subject_source' },
    newId: () => `made-${(made += 1)}`,
  };
  const plan = type === 'ao' ? planArchivalObjects(input) : planDigitalObjects(input);
  return checkPlan(plan, testContext({ acceptTemporary: true }));
}

const component: Cells = { ead: 'pehb7.xml', title: 'Plans', level: 'series', hierarchy: '1' };
const object: Cells = { ead: 'pehb7.xml', ao_ref_id: 'ref_letters', digital_object_title: 'Scan' };

const loads: { readonly [name: string]: readonly Cells[] } = {
  ao: [
    component,
    {
      ...component,
      hierarchy: '2',
      level: 'Akte',
      title: 'Piers',
      unit_id: 'P/1',
      publish: '1',
      restrictions_flag: '0',
      processing_note: 'Flatten',
      begin: '1868',
      end: '1871',
      dates_label: 'creation',
      date_type: 'inclusive',
      expression: 'late 1860s',
      date_certainty: 'approximate',
      begin_2: '1870',
      number: '3',
      extent_type: 'reels',
      portion: 'part',
      container_summary: 'in a roll',
      physical_details: 'linen',
      dimensions: '3 m',
      l_lang: 'eng',
      l_langscript: 'Latn',
      n_langmaterial: 'English',
      p_langmaterial: '0',
    },
    {
      ...component,
      hierarchy: '3',
      level: 'otherlevel',
      other_level: 'roll',
      title: 'Mole',
      n_scopecontent: 'Plans of the mole',
      l_scopecontent: 'Scope',
      p_scopecontent: '0',
      n_abstract: 'In short',
      n_accessrestrict: 'Closed',
      b_accessrestrict: '1990-01-01',
      e_accessrestrict: '2050-01-01',
      t_accessrestrict: 'RestrictedSpecColl',
      n_odd_2: 'Odder',
    },
    {
      ...component,
      hierarchy: '2',
      title: 'Boxed',
      cont_instance_type: 'text',
      type_1: 'Box',
      indicator_1: '31',
      type_2: 'folder',
      indicator_2: '7',
      type_3: 'object',
      indicator_3: 'b',
      cont_instance_type_2: 'maps',
      type_1_2: 'carton',
      indicator_1_2: '8',
      barcode_2: 'NEW-8',
      cont_instance_type_3: 'maps',
      barcode_3: 'ELSEWHERE',
    },
    {
      ...component,
      hierarchy: '2',
      title: 'Headed',
      people_agent_record_id_1: '1',
      people_agent_role_1: 'creator',
      people_agent_relator_1: 'aut',
      people_agent_header_2: 'Stroud, Agnes',
      people_agent_role_2: 'subject',
      families_agent_header_1: 'Raes',
      corporate_entities_agent_record_id_1: '1',
      subject_1_record_id: '1',
      subject_2_term: 'Groynes',
      subject_2_type: 'topical',
      subject_2_source: 'local',
    },
    {
      ...component,
      title: 'Scanned',
      publish: 'yes',
      digital_object_id: 'PEHB.DO.9',
      digital_object_title: 'Scans',
      digital_object_publish: 'no',
      rep_file_uri: 'https://files.example/9.tif',
      rep_use_statement: 'image-master',
      rep_file_format: 'tiff',
      rep_file_size: '1024',
      rep_checksum: 'abc',
      rep_checksum_method: 'md5',
      rep_caption: 'Folio',
      nonrep_file_uri: 'https://files.example/9.jpg',
      nonrep_publish: '0',
      digital_object_link: 'https://link.example',
      digital_object_link_publish: '1',
      thumbnail: 'https://thumb.example',
      thumbnail_publish: '0',
    },
    {
      ...component,
      title: 'Linked',
      ref_id: 'mine',
      res_uri: '/repositories/2/resources/1',
      digital_object_link: 'https://link.example/2',
    },
  ],
  digital: [
    object,
    {
      ...object,
      ao_ref_id: '',
      ao_uri: '/repositories/2/archival_objects/2',
      digital_object_id: 'PEHB.DO.10',
      digital_object_publish: '1',
      level: 'image',
      digital_object_type: 'still_image',
      restrictions: '1',
      begin: '1868',
      number: '3',
      extent_type: 'reels',
      note_type: 'summary',
      note_label: 'Summary',
      note_content: 'Scanned',
      note_publish: '0',
      note_type_2: 'note',
      note_content_2: 'Second',
      people_agent_record_id_1: '1',
      people_agent_role_1: 'creator',
      subject_1_record_id: '1',
      rep_file_uri: 'https://files.example/10.tif',
    },
  ].map((cells) => Object.fromEntries(Object.entries(cells).filter(([, text]) => text !== ''))),
};

/** Each wrong in one way; an empty text takes a cell out. */
const wrongComponents: readonly Cells[] = [
  { title: '' },
  { level: '' },
  { level: 'shelf' },
  { hierarchy: '' },
  { hierarchy: '0' },
  { hierarchy: '3' },
  { hierarchy: 'x' },
  { ead: '' },
  { ead: 'other' },
  { res_uri: '/repositories/2/resources/9' },
  { level: 'otherlevel' },
  { publish: 'perhaps' },
  { begin: '1999', end: '1998' },
  { begin: 'long ago' },
  { dates_label: 'creation' },
  { number: '3' },
  { extent_type: 'reels' },
  { number: '3', extent_type: 'ells' },
  { portion: 'whole' },
  { l_lang: 'xyz' },
  { l_langscript: 'Latn' },
  { n_shanty: 'x' },
  { b_accessrestrict: '1990' },
  { n_accessrestrict: 'x', b_accessrestrict: '1990-13' },
  { t_accessrestrict: 'Odd', n_accessrestrict: 'x' },
  { type_1: 'box' },
  { indicator_1: '5' },
  { cont_instance_type: 'text' },
  { cont_instance_type: 'digital_object', type_1: 'box', indicator_1: '5' },
  { cont_instance_type: 'text', type_1: 'chest', indicator_1: '5' },
  { cont_instance_type: 'text', barcode: 'UNKNOWN' },
  { cont_instance_type: 'text', indicator_1: '31', type_2: 'folder' },
  { cont_instance_type: 'text', type_1: 'box', indicator_1: '31', type_3: 'folder', indicator_3: '2' },
  { cont_instance_type: 'text', type_1: 'box', indicator_1: '31', barcode: 'ELSEWHERE' },
  { people_agent_record_id_1: '77' },
  { people_agent_record_id_1: 'x' },
  { people_agent_header_1: 'Twin' },
  { people_agent_role_1: 'creator' },
  { people_agent_header_1: 'A', people_agent_role_1: 'author' },
  { people_agent_header_1: 'A', people_agent_relator_1: 'xxx' },
  { subject_1_record_id: '9' },
  { subject_1_record_id: 'x' },
  { subject_1_term: 'T' },
  { subject_1_term: 'T', subject_1_type: 'odd' },
  { subject_1_type: 'topical' },
  { digital_object_id: 'PEHB.DO.3' },
  { digital_object_title: 'T' },
  { rep_caption: 'no file' },
  { rep_file_uri: 'a', rep_file_size: 'big' },
  { rep_file_uri: 'a', rep_use_statement: 'odd' },
  { digital_object_publish: '1' },
];
const wrongObjects: readonly Cells[] = [
  { ead: '' },
  { ao_ref_id: '' },
  { ao_ref_id: 'unknown' },
  { ao_uri: '/repositories/2/archival_objects/2' },
  { ao_uri: '/repositories/3/archival_objects/1' },
  { ao_uri: '99' },
  { digital_object_id: 'PEHB.DO.3' },
  { digital_object_title: '' },
  { level: 'shelf' },
  { note_type: 'odd', note_content: 'x' },
  { note_content: 'x' },
  { note_type: 'note' },
  { digital_object_publish: 'x' },
  { publish: '1' },
];

describe('a sheet to load', () => {
  it.each(['ao', 'digital'] as const)('of type %s becomes the plan that is kept', async (type) => {
    const rows = loads[type] ?? [];
    const plan = planOf(type, rows, type === 'ao' ? 2 : null);
    const report = [...loadReport(loadedRows(plan, 'Valid', new Map(), new Map()))].join('');
    const wanted = wantedByLoad(rowsOf(rows), 2, 2);
    await expectKept(keptText({ ...plan, report: report.split('\n'), wanted }, 5), `spreadsheets/load-${type}.json`);
  });

  it.each([
    ['ao', component, wrongComponents],
    ['digital', object, wrongObjects],
  ] as const)('of type %s is refused in the words that are kept', async (type, right, wrong) => {
    const outcomes = wrong.map((changes) => {
      const cells = Object.fromEntries(Object.entries({ ...right, ...changes }).filter(([, text]) => text !== ''));
      const { rows, faults, notes } = planOf(type, [cells]);
      const lines = [...loadReport(faultyRows(rows, faults))].slice(2);
      return [changes, ...lines, ...notes.map(({ message }) => message)];
    });
    await expectKept(keptText(outcomes, 2), `spreadsheets/load-${type}-refused.json`);
  });
});

it.each([
  ['1 t true T TRUE', true],
  ['0 f false n no F FALSE N No', false],
])('takes %s for flags, without a word', (words, publish) => {
  const plans = words.split(' ').map((word) => planOf('ao', [{ ...component, publish: word }]));
  expect(plans.map(({ records, notes }) => [records[0]?.record['publish'], notes])).toEqual(
    plans.map(() => [publish, []]),
  );
});
