// Import sheets: what each column becomes, and what is wrong with a sheet, by line and column.
import { describe, expect, test } from 'vitest';
import { readCsv } from '#domain/formats/csv/read.ts';
import { emitAccession } from '#domain/formats/csv/records.ts';
import { bytesOf } from '#test/support/ead-document.ts';
import { readFormat, testAbout } from '#test/support/import-reading.ts';
import type { Reading } from '#test/support/import-reading.ts';

const sheet = (rows: readonly Readonly<Record<string, string>>[]): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return [columns.join(','), ...rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','))].join(
    '\r\n',
  );
};
const read = async (type: string, ...rows: readonly Readonly<Record<string, string>>[]): Promise<Reading> =>
  readFormat(type, sheet(rows));
const least = { accession_title: 'Letters', accession_number_1: '2026' };

describe('accession_csv', () => {
  test('makes an accession with dates, extent, language, management and own fields', async () => {
    const { of } = await read('accession_csv', {
      ...least,
      accession_number_2: '1',
      accession_accession_date: '9/4/2021',
      accession_publish: 'T',
      accession_restrictions_apply: 'no',
      accession_acquisition_type: 'gift',
      accession_processing_plan: 'soon',
      accession_processors: 'A. Clerk',
      lang_material_language: 'eng',
      lang_material_script: 'Latn',
      date_1_expression: '1936-1983',
      date_1_begin: '1936',
      date_1_end: '1983',
      date_2_begin: '1990-02',
      date_2_type: 'single',
      date_2_label: 'creation',
      extent_type: 'Linear Feet',
      extent_number: '3',
      extent_container_summary: '3 boxes',
      user_defined_boolean_1: '1',
      user_defined_integer_2: '12.7',
      user_defined_real_1: '1.005',
      user_defined_date_1: '1/2/2020',
    });
    expect(of('accession')).toMatchObject([
      {
        title: 'Letters',
        id_0: '2026',
        id_1: '1',
        accession_date: '2021-09-04',
        publish: true,
        restrictions_apply: false,
        acquisition_type: 'gift',
        collection_management: { processing_plan: 'soon', processors: 'A. Clerk' },
        lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
        dates: [
          { label: 'other', date_type: 'inclusive', expression: '1936-1983', begin: '1936', end: '1983' },
          { label: 'creation', date_type: 'single', begin: '1990-02' },
        ],
        extents: [{ portion: 'whole', number: '3', extent_type: 'linear_feet', container_summary: '3 boxes' }],
        user_defined: { boolean_1: true, integer_2: '12', date_1: '2020-01-02' },
      },
    ]);
  });

  test('makes agent, subject and events of a row, and links them', async () => {
    const { of } = await read(
      'accession_csv',
      {
        ...least,
        agent_role: 'source',
        agent_relator: 'dnr',
        agent_type: 'agent_family',
        agent_name_primary_name: 'Roe',
        agent_name_source: 'local',
        agent_contact_telephone: '1',
        agent_contact_fax: '2',
        agent_name_description_note: 'Rich',
        subject_source: 'lcsh',
        subject_term: 'Maps',
        subject_term_type: 'topical',
        accession_cataloged: 'true',
        accession_cataloged_date: 'May 2020',
        accession_cataloged_note: 'By hand',
        accession_processed: '0',
      },
      {
        ...least,
        accession_number_1: '2027',
        subject_source: 'lcsh',
        subject_term: 'Maps',
        subject_term_type: 'topical',
      },
    );
    const [accession] = of('accession');
    expect(of('agent_family')).toMatchObject([
      {
        names: [{ family_name: 'Roe' }],
        agent_contacts: [
          {
            name: 'Roe',
            telephones: [
              { number_type: 'home', number: '1' },
              { number_type: 'fax', number: '2' },
            ],
          },
        ],
        notes: [{ jsonmodel_type: 'note_bioghist' }],
      },
    ]);
    expect(accession).toMatchObject({
      linked_agents: [{ role: 'source', relator: 'dnr', ref: of('agent_family')[0]?.uri }],
      subjects: [{ ref: of('subject')[0]?.uri }],
    });
    expect(of('subject')).toHaveLength(1);
    expect(of('event')).toMatchObject([
      {
        event_type: 'cataloged',
        outcome_note: 'By hand',
        date: { expression: 'May 2020' },
        linked_records: [{ ref: accession?.uri, role: 'source' }],
      },
    ]);
  });

  test('keeps what looks like a formula, quotes and line ends as text', async () => {
    const { of } = await read('accession_csv', {
      ...least,
      accession_title: '=HYPERLINK("http://x","y")',
      accession_provenance: 'One,\n"two"',
      accession_inventory: '@SUM(A1)',
    });
    expect(of('accession')).toMatchObject([
      { title: '=HYPERLINK("http://x","y")', provenance: 'One,\n"two"', inventory: '@SUM(A1)' },
    ]);
  });

  test('takes NULL and blank cells for nothing, keeps the place of blank headers, passes over blank rows, and reports unknown columns', async () => {
    const { of, report } = await readFormat(
      'accession_csv',
      '\uFEFF\naccession_title,,accession_number_1,accession_colour\n\nLetters,ignored,7,NULL\n,,,\n',
    );
    expect(of('accession')).toMatchObject([{ title: 'Letters', id_0: '7' }]);
    expect(report.dropped).toMatchObject([
      { line: 4, element: 'B', text: 'ignored' },
      { element: 'accession_colour', reason: expect.stringContaining('no column') },
    ]);
  });

  test('takes several blank headers for columns without a name, not for one that is there twice', async () => {
    const { of, report } = await readFormat(
      'accession_csv',
      'accession_title,, ,accession_number_1,\nLetters,ignored,too,7,as well\n',
    );
    expect(of('accession')).toMatchObject([{ title: 'Letters', id_0: '7' }]);
    expect(report.dropped.map(({ element, text }) => `${element}: ${text}`)).toEqual([
      'B: ignored',
      'C: too',
      'E: as well',
    ]);
  });

  test.each([
    [
      'headers that are none',
      'Title,accession_number_1\nx,1',
      { message: '#<:CSVSyntaxException: bad_headers => ["Title"]>', line: 1, element: 'Title' },
    ],
    [
      'headers with semicolons between them',
      'accession_title;accession_number_1\nx;1',
      {
        message:
          '#<:CSVSyntaxException: bad_headers => ["accession_title;accession_number_1"]> The cells stand between semicolons; in CSV they must stand between commas',
        line: 1,
      },
    ],
    ['a workbook', 'PK\u0003\u0004\u0000', { message: expect.stringMatching(/^The file is a workbook/), line: 1 }],
    ['a column twice', 'accession_title,accession_title\nx,1', { element: 'accession_title' }],
    [
      'a day that is none',
      sheet([{ ...least, accession_accession_date: '31/12/2020' }]),
      { line: 2, element: 'accession_accession_date', message: expect.stringContaining('31/12/2020') },
    ],
    [
      'an unknown type of date',
      sheet([least, { ...least, date_1_type: 'x', date_1_begin: '1900' }]),
      {
        line: 3,
        message: 'Invalid date type provided: x; must be one of: ["bulk", "inclusive", "single"]; Date provided: 1900;',
      },
    ],
    [
      'an agent without a role',
      sheet([{ ...least, agent_name_primary_name: 'Roe', agent_type: 'agent_person' }]),
      { line: 2, element: 'agent_role' },
    ],
    ['no number', sheet([{ accession_title: 'x' }]), { line: 2, element: 'accession_number_1' }],
    [
      'a quote that never ends',
      'accession_title,accession_number_1\n"x,1',
      { message: expect.stringContaining('not CSV') },
    ],
    [
      'bytes of another encoding',
      Uint8Array.from([...Buffer.from('accession_title\n'), 0xe9, 0x20]),
      { message: expect.stringContaining('UTF-8') },
    ],
  ])('is refused for %s', async (_what, source, error) => {
    await expect(readFormat('accession_csv', source)).rejects.toMatchObject({ code: 'import_failed', error });
  });
});

test('tells every fault of a sheet with line and column, and gives the records of the other rows', async () => {
  const source = sheet([
    { ...least, accession_number_1: 'a', accession_accession_date: 'soon', date_1_begin: 'then' },
    { ...least, accession_number_1: 'b' },
    { accession_title: 'x', agent_name_primary_name: 'Roe' },
  ]);
  await expect(readFormat('accession_csv', source)).rejects.toMatchObject({
    error: {
      line: 2,
      element: 'accession_accession_date',
      faults: [
        { line: 2, column: 'accession_accession_date' },
        { line: 2, column: 'date_1_begin' },
        { line: 4, column: 'accession_number_1' },
        { line: 4, column: 'agent_role' },
        { line: 4, column: 'agent_type' },
      ],
    },
  });
});

test('tells of text to the right of all headings, and gives the records of the other rows', async () => {
  const head = 'accession_title,accession_number_1,accession_general_note';
  expect((await readFormat('accession_csv', `${head}\nPapers,C3,note,,NULL, \n`)).of('accession')).toHaveLength(1);
  await expect(
    readFormat('accession_csv', `${head}\nPapers,C3,note\nPapers, with comma,C4,note here\nLetters,C5,,,and,more\n`),
  ).rejects.toMatchObject({
    error: {
      faults: [
        {
          line: 3,
          column: 'D',
          message: 'There is no heading above this cell: note here; a cell with a comma in it must stand in quotes',
        },
        { line: 4, column: 'E' },
      ],
    },
  });
  const reading = readCsv(bytesOf(`${head}\nA,1,2,3\nB,1,2\n`), testAbout, emitAccession);
  expect(await Array.fromAsync(reading)).toMatchObject([{ title: 'B' }]);
});

test('leaves out what is no number among user-defined fields and amounts, and says so', async () => {
  const { of, report } = await readFormat(
    'accession_csv',
    sheet([
      {
        ...least,
        user_defined_real_1: 'udr1',
        user_defined_integer_1: 'many',
        user_defined_real_2: '1.5',
        accession_processing_hours_total: '7.25',
        accession_processing_total_extent: '9 files',
      },
    ]),
  );
  expect(of('accession')).toMatchObject([
    { collection_management: { processing_hours_total: '7.25' }, user_defined: { real_2: '1.50' } },
  ]);
  expect(report.dropped).toMatchObject([
    { line: 2, element: 'accession_processing_total_extent', text: '9 files' },
    { line: 2, element: 'user_defined_integer_1', text: 'many' },
    { line: 2, element: 'user_defined_real_1', text: 'udr1' },
  ]);
});

describe('other sheets', () => {
  test('digital_object_csv takes other words than types of dates', async () => {
    const { of, report } = await read('digital_object_csv', {
      digital_object_id: 'd1',
      digital_object_title: 'Scans',
      date_1_begin: '1999',
      date_1_end: '2000',
      date_1_type: 'creation',
      date_2_begin: '1980',
      date_2_type: 'accession',
    });
    expect(of('digital_object')).toMatchObject([
      {
        dates: [
          { begin: '1999', end: '2000', date_type: 'inclusive' },
          { begin: '1980', date_type: 'single' },
        ],
      },
    ]);
    expect(report.dropped.map(({ text }) => text)).toEqual(['creation', 'accession']);
  });

  test('digital_object_csv puts components below the object before them, and knows no object of another job', async () => {
    const object = {
      digital_object_id: 'd1',
      digital_object_title: 'Scans',
      digital_object_type: 'text',
      file_version_file_uri: 'http://x',
      file_version_file_size_bytes: '12',
      file_version_publish: '1',
    };
    const component = {
      digital_object_id: 'd1',
      digital_object_is_component: 'true',
      digital_object_title: 'Page',
      digital_object_component_id: 'p1',
    };
    const { of, report } = await read('digital_object_csv', object, component, {
      ...component,
      digital_object_component_id: 'p2',
      ...{ digital_object_level: 'image', digital_object_restrictions: '0', digital_object_processed: 'yes' },
      ...{ digital_object_processing_plan: 'soon', user_defined_string_1: 'mine' },
    });
    expect(report.dropped.map(({ line, element }) => [line, element])).toEqual([
      [4, 'digital_object_collection_management'],
      [4, 'digital_object_user_defined'],
      [4, 'digital_object_level'],
      [4, 'digital_object_processed'],
    ]);
    expect(of('event')).toEqual([]);
    expect(of('digital_object')).toMatchObject([
      {
        digital_object_id: 'd1',
        digital_object_type: 'text',
        file_versions: [{ file_uri: 'http://x', file_size_bytes: 12, publish: true }],
      },
    ]);
    expect(of('digital_object_component')).toMatchObject([
      { component_id: 'p1', position: 0, digital_object: { ref: of('digital_object')[0]?.uri } },
      { component_id: 'p2', position: 1 },
    ]);
    await expect(read('digital_object_csv', component)).rejects.toThrow(/must be preceded/);
  });

  test('location_csv, which the repository owns where that is asked for', async () => {
    const owned = async (repository: boolean): Promise<unknown> => {
      const row = {
        location_building: 'Main',
        location_coordinate_1_label: 'Range',
        location_coordinate_1_indicator: '3',
      };
      const switches = { ...testAbout.switches, repository };
      const { records } = await readFormat('location_csv', sheet([row]), { switches });
      return records.map(({ uri: _, ...fields }) => fields);
    };
    const location = {
      jsonmodel_type: 'location',
      building: 'Main',
      coordinate_1_label: 'Range',
      coordinate_1_indicator: '3',
    };
    expect(await owned(true)).toStrictEqual([{ ...location, owner_repo: { ref: '/repositories/2' } }]);
    expect(await owned(false)).toStrictEqual([location]);
  });

  test('subject_csv', async () => {
    const { of } = await read('subject_csv', {
      subject_source: 'lcsh',
      subject_authority_id: 'sh1',
      subject_scope_note: 'Drawn',
      term_1: 'Maps',
      term_type_1: 'topical',
      term_2: 'Rome',
      term_type_2: 'geographic',
      external_document_title: 'T',
      external_document_location: 'http://x',
    });
    expect(of('subject')).toMatchObject([
      {
        source: 'lcsh',
        authority_id: 'sh1',
        scope_note: 'Drawn',
        terms: [{ term: 'Maps' }, { term: 'Rome', term_type: 'geographic' }],
        external_documents: [{ title: 'T' }],
      },
    ]);
    await expect(read('subject_csv', { subject_source: 'lcsh', subject_scope_note: 'x' })).rejects.toMatchObject({
      error: { line: 2, element: 'term_1' },
    });
  });
});
