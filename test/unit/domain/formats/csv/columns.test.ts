// Every column that the contract lists for an import sheet (trees-and-jobs 6.9) is known and says something: without its cell other records
// come out. Columns in any order give the same.
import { describe, expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';

type Row = Readonly<Record<string, string>>;

const under = (prefix: string, ...names: readonly string[]): readonly string[] =>
  names.map((name) => `${prefix}${name}`);
const numbered = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}_${index + 1}`);

const management = (prefix: string): readonly string[] =>
  under(
    prefix,
    ...under('processing_', 'hours_total', 'plan', 'priority', 'status', 'total_extent', 'total_extent_type'),
    'processors',
    'rights_determined',
  );
const events = (prefix: string): readonly string[] =>
  ['acknowledgement_sent', 'agreement_received', 'agreement_sent', 'cataloged', 'processed'].flatMap((name) => [
    `${prefix}${name}`,
    `${prefix}${name}_date`,
  ]);
const userDefined = under(
  'user_defined_',
  ...numbered('boolean', 3),
  ...numbered('integer', 3),
  ...numbered('real', 3),
  ...numbered('string', 4),
  ...numbered('text', 5),
  ...numbered('date', 3),
  ...numbered('enum', 4),
);
const dates = ['date_1_', 'date_2_'].flatMap((prefix) => under(prefix, 'label', 'expression', 'begin', 'end', 'type'));
const contact = under(
  'agent_contact_',
  ...numbered('address', 3),
  'city',
  'country',
  'email',
  'fax',
  'name',
  'post_code',
  'region',
  'salutation',
  'telephone',
  'telephone_ext',
);
const names = under(
  'agent_name_',
  'authority_id',
  'dates',
  'fuller_form',
  'name_order',
  'number',
  'prefix',
  'title',
  'primary_name',
  'qualifier',
  'rest_of_name',
  'rules',
  'sort_name',
  'source',
  'subordinate_name_1',
  'subordinate_name_2',
  'suffix',
  'description_note',
  'description_citation',
);
const subject = under('subject_', 'source', 'term', 'term_type');

const accession = [
  ...under(
    'accession_',
    'title',
    ...numbered('number', 4),
    'accession_date',
    'access_restrictions',
    'access_restrictions_note',
    'acquisition_type',
    'condition_description',
    'content_description',
    'disposition',
    'general_note',
    'inventory',
    'provenance',
    'publish',
    'resource_type',
    'language',
    'script',
    'restrictions_apply',
    'retention_rule',
    'use_restrictions',
    'use_restrictions_note',
    'cataloged_note',
  ),
  ...management('accession_'),
  'lang_material_language',
  'lang_material_script',
  ...dates,
  ...under('extent_', 'type', 'container_summary', 'number'),
  ...events('accession_'),
  ...userDefined,
  'agent_role',
  'agent_relator',
  'agent_type',
  ...contact,
  ...names,
  ...subject,
];
const files = under(
  'file_version_',
  'file_uri',
  'publish',
  'use_statement',
  'xlink_actuate_attribute',
  'xlink_show_attribute',
  'file_format_name',
  'file_format_version',
  'file_size_bytes',
  'checksum',
  'checksum_method',
  'is_representative',
  'caption',
);
const digital = [
  ...under(
    'digital_object_',
    'id',
    'language',
    'script',
    'level',
    'publish',
    'type',
    'restrictions',
    'title',
    'is_component',
    'component_id',
  ),
  ...management('digital_object_'),
  ...events('digital_object_'),
  ...userDefined,
  ...dates,
  ...under('extent_', 'container_summary', 'dimensions', 'number', 'physical_details', 'portion', 'type'),
  'agent_role',
  'agent_type',
  ...contact,
  ...names,
  ...subject,
  ...files,
];
const location = under(
  'location_',
  'building',
  'floor',
  'room',
  'area',
  'barcode',
  'classification',
  ...[1, 2, 3].flatMap((n) => [`coordinate_${n}_label`, `coordinate_${n}_indicator`]),
  'temporary',
);
const subjects = [
  ...under('subject_', 'authority_id', 'source', 'scope_note'),
  ...under('external_document_', 'title', 'location', 'publish'),
  ...under(
    'md_rights_dec_',
    'license',
    'descriptive_note',
    'file_uri',
    'xlink_actuate',
    'xlink_show',
    'xlink_title',
    'xlink_role',
    'xlink_arcrole',
    'last_verified_date',
  ),
  ...[1, 2, 3, 4, 5].flatMap((n) => [`term_${n}`, `term_type_${n}`]),
];

/** A cell that says something else than a blank one. */
function cellFor(column: string, at: number): string {
  if (
    /_(boolean_\d|publish|restrictions|restrictions_apply|is_representative|rights_determined|acknowledgement_sent|agreement_received|agreement_sent|cataloged|processed)$/.test(
      column,
    )
  )
    return 'yes';
  if (/_(accession_date|date_[123]|last_verified_date|begin)$/.test(column)) return `${1800 + at}-02-03`;
  if (column.endsWith('_end')) return '1999-02-03';
  if (/^date_\d_type$/.test(column)) return 'bulk';
  if (/_(integer_\d|real_\d|file_size_bytes|processing_hours_total|processing_total_extent)$/.test(column))
    return String(100 + at);
  if (column.startsWith('term_type_')) return 'geographic';
  if (column === 'subject_term_type') return 'geographic';
  return (
    {
      agent_role: 'source',
      agent_type: 'agent_person',
      digital_object_is_component: '',
      agent_name_name_order: 'direct',
      lang_material_language: 'ger',
      lang_material_script: 'Latn',
      digital_object_language: 'ger',
      digital_object_script: 'Latn',
    }[column] ?? `what ${column} says`
  );
}

const full = (columns: readonly string[], more: Row = {}): Row => ({
  ...Object.fromEntries(columns.map((column, at) => [column, cellFor(column, at)])),
  ...more,
});
const csv = (columns: readonly string[], rows: readonly Row[]): string =>
  [columns.join(','), ...rows.map((row) => columns.map((column) => `"${row[column] ?? ''}"`).join(','))].join('\n');

/** What comes of rows, as text; the message where they are refused. */
async function outcome(
  type: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<{ readonly said: string; readonly dropped: readonly string[] }> {
  try {
    const { records, report } = await readFormat(type, csv(columns, rows));
    return {
      said: JSON.stringify(records),
      dropped: report.dropped.filter(({ reason }) => reason.includes('no column')).map(({ element }) => element),
    };
  } catch (error) {
    return { said: String(error), dropped: [] };
  }
}

describe.each([
  // Two columns are in the template and target nothing (imports 7).
  [
    'accession_csv',
    accession,
    [full(accession), full(accession, { accession_number_1: 'another', agent_type: 'agent_corporate_entity' })],
    ['accession_language', 'accession_script'],
  ],
  [
    'digital_object_csv',
    digital,
    [
      full(digital),
      full(digital, { digital_object_id: 'another', agent_type: 'agent_corporate_entity' }),
      {
        digital_object_id: 'another',
        digital_object_title: 'Page',
        digital_object_is_component: '1',
        digital_object_component_id: 'p1',
      },
    ],
    [],
  ],
  ['location_csv', location, [full(location)], []],
  ['subject_csv', subjects, [full(subjects)], []],
] as const)('%s', (type, columns, rows, silent) => {
  test('knows all of its columns, in any order', async () => {
    const { said, dropped } = await outcome(type, columns, rows);
    expect(said).toMatch(/^\[\{/);
    expect(dropped).toEqual(silent);
    expect((await outcome(type, columns.toReversed(), rows)).said).toBe(said);
  });

  test('takes something from each of them', async () => {
    const { said } = await outcome(type, columns, rows);
    const without = await Promise.all(
      columns.map(
        async (column) =>
          [
            column,
            (
              await outcome(
                type,
                columns,
                rows.map((row) => ({ ...row, [column]: '' })),
              )
            ).said === said,
          ] as const,
      ),
    );
    expect(without.flatMap(([column, isSame]) => (isSame ? [column] : []))).toEqual(silent);
  });
});

test('accession_csv has the 119 columns of its template', () => {
  expect(new Set(accession).size).toBe(119);
  expect(location).toHaveLength(13);
});

describe('a cell', () => {
  const least = { accession_title: 'x', accession_number_1: '1' };
  const accessionOf = async (more: Row) =>
    (await readFormat('accession_csv', csv(Object.keys({ ...least, ...more }), [{ ...least, ...more }]))).of(
      'accession',
    )[0];

  test.each([
    ['1', true],
    ['T', true],
    ['y', true],
    ['YES', true],
    ['True', true],
    ['0', false],
    ['on', false],
    ['no', false],
  ])('of a flag that says %s is %s', async (text, flag) => {
    expect(await accessionOf({ accession_publish: text })).toMatchObject({ publish: flag });
  });

  test.each([['NULL'], [''], ['  ']])('of %j is absent', async (text) => {
    expect(await accessionOf({ accession_provenance: text })).not.toHaveProperty('provenance');
  });

  test.each([
    ['9/4/2021', '2021-09-04'],
    ['12/31/1999', '1999-12-31'],
    ['2021-09-04', '2021-09-04'],
    ['2021-9-4', '2021-09-04'],
    ['May 3, 2012', '2012-05-03'],
    ['3 May 2012', '2012-05-03'],
  ])('of a day that says %s is %s', async (text, day) => {
    expect(await accessionOf({ accession_accession_date: text })).toMatchObject({ accession_date: day });
  });
});

test.each(['accession', 'digital_object'])('two dates of a row of %s that say the same are one', async (kind) => {
  const least: Row =
    kind === 'accession'
      ? { accession_title: 'x', accession_number_1: '1' }
      : { digital_object_title: 'x', digital_object_id: '1' };
  const datesOf = async (more: Row): Promise<unknown> =>
    (await readFormat(`${kind}_csv`, csv(Object.keys({ ...least, ...more }), [{ ...least, ...more }]))).of(kind)[0]?.[
      'dates'
    ];
  expect(await datesOf({ date_1_begin: '1900', date_2_begin: '1900' })).toMatchObject([{ begin: '1900' }]);
  expect(await datesOf({ date_1_begin: '1900', date_2_begin: '1901' })).toHaveLength(2);
  expect(await datesOf({ date_2_begin: '1901' })).toMatchObject([{ begin: '1901' }]);
});
