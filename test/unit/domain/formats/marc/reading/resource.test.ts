// MARC 21 bibliographic records: what each field becomes, and what of a record is reported.
import { describe, expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import type { Reading } from '#test/support/import-reading.ts';
import { marcField as field, marcRecord as marc } from '#test/support/marc-document.ts';

const read = async (fields: string, options: Parameters<typeof marc>[1] = {}, type = 'marcxml'): Promise<Reading> =>
  readFormat(type, marc(fields, options));
const title = field('245', '1', '0', { a: 'Papers,' });

describe('a bibliographic record', () => {
  test('becomes a resource with title, identifier, language and rules', async () => {
    const { of } = await read(
      `${field('040', ' ', ' ', { b: 'fre', e: 'dacs' })}${field('245', '1', '0', { a: 'Papers,', b: 'mostly letters /', c: 'A. Roe.', f: '1900-1910,', g: '(bulk 1905).' })}${field('852', ' ', ' ', { b: 'Library', i: '22', k: 'MS' })}${field('536', ' ', ' ', { a: 'A fund' })}${field('546', ' ', ' ', { a: 'In English' })}`,
      { fixed: `000101i19001910xx ${' '.repeat(17)}eng d` },
    );
    expect(of('resource')).toMatchObject([
      {
        title: 'Papers : mostly letters / A. Roe.',
        id_0: 'MS_22',
        level: 'collection',
        finding_aid_language: 'fre',
        finding_aid_script: 'Zyyy',
        finding_aid_description_rules: 'dacs',
        finding_aid_sponsor: 'A fund',
        dates: [
          { date_type: 'inclusive', begin: '1900', end: '1910', expression: '1900-1910' },
          { date_type: 'bulk', expression: '(bulk 1905)' },
        ],
        lang_materials: [
          { language_and_script: { language: 'eng' } },
          { notes: [{ type: 'langmaterial', content: ['In English'] }] },
        ],
      },
    ]);
  });

  test('has the languages of 041 beside that of 008', async () => {
    const languages = async (fixed: string): Promise<unknown> =>
      (
        await read(
          `${title}${field('041', '0', ' ', { a: 'engger' })}${field('041', '0', '7', { a: 'fr', 2: 'iso639-1' })}`,
          { fixed },
        )
      ).of('resource')[0]?.['lang_materials'];
    const coded = (...codes: readonly string[]): unknown =>
      codes.map((language) => ({ language_and_script: { language } }));
    expect(await languages(`000101i19001910xx ${' '.repeat(17)}eng d`)).toMatchObject(
      coded('eng', 'ger', 'fre') as object,
    );
    expect(await languages(`000101i19001910xx ${' '.repeat(20)} d`)).toMatchObject(
      coded('eng', 'ger', 'fre') as object,
    );
  });

  test('whose coded date is of the bulk has the dates of all in words of their own', async () => {
    const { of } = await read(field('245', '1', '0', { a: 'Papers,', f: '1900-1962', g: '(bulk 1920-1949)' }), {
      fixed: `000101k19201949xx ${' '.repeat(17)}eng d`,
    });
    expect(of('resource')[0]?.['dates']).toEqual([
      { jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', expression: '1900-1962' },
      {
        jsonmodel_type: 'date',
        date_type: 'bulk',
        label: 'creation',
        begin: '1920',
        end: '1949',
        expression: '(bulk 1920-1949)',
      },
    ]);
  });

  test('of several languages names each, and takes a qualifier in brackets as it is', async () => {
    const { of } = await read(
      `${title}${field('041', '0', ' ', { a: 'engger' })}${field('700', '1', ' ', { a: 'Roe, Ann', g: '(Title of a work: Works.)' })}`,
      { fixed: `000101i19001910xx ${' '.repeat(17)}mul d` },
    );
    expect(of('resource')[0]?.['lang_materials']).toMatchObject([
      { language_and_script: { language: 'eng' } },
      { language_and_script: { language: 'ger' } },
    ]);
    expect(of('agent_person')).toMatchObject([{ names: [{ qualifier: 'Title of a work: Works.' }] }]);
  });

  test('reports what stands in it beside its fields', async () => {
    const { report } = await readFormat(
      'marcxml',
      marc(title).replace(
        '</record>',
        '<holdings><record><datafield tag="866"><subfield code="a">box 1</subfield></datafield></record></holdings></record>',
      ),
    );
    expect(report.dropped).toContainEqual(expect.objectContaining({ element: 'holdings', text: 'box 1' }));
  });

  test('takes its identifier from the first of the call numbers, else from the import', async () => {
    expect(
      (
        await read(
          `${title}${field('050', ' ', ' ', { a: 'QA', b: '1' })}${field('090', ' ', ' ', { a: 'PR', b: '2' })}`,
        )
      ).of('resource')[0]?.['id_0'],
    ).toBe('PR_2');
    expect((await read(title)).of('resource')[0]?.['id_0']).toMatch(/^imported-0a-\d+$/);
  });

  test('of a monograph is an item, and without any date is undated', async () => {
    const { of, report } = await read(title, { leader: '00000ctm a2200000 a 4500' });
    expect(of('resource')).toMatchObject([{ level: 'item', dates: [{ expression: 'undated' }] }]);
    expect(report.dropped.map((part) => part.text)).toContain('no date');
  });

  test('without a title fails with the line of the record', async () => {
    await expect(read(field('500', ' ', ' ', { a: 'Only a note' }))).rejects.toMatchObject({
      code: 'import_failed',
      error: { element: 'record', line: expect.any(Number), message: expect.stringContaining('245') },
    });
  });

  test('takes the year of publication where nothing else is a date', async () => {
    expect(
      (
        await read(`${field('245', '0', '0', { a: 'T', f: '1900' })}${field('264', ' ', '1', { c: '1951' })}`)
      ).report.dropped.map((part) => part.text),
    ).toContain('1951');
    expect(
      (await read(`${title}${field('264', ' ', '1', { a: 'Rome :', c: '1987.' })}`)).of('resource')[0]?.['dates'],
    ).toMatchObject([{ date_type: 'single', label: 'publication', expression: '1987' }]);
  });
});

describe('an extent', () => {
  test.each([
    [{ a: '27.5 linear feet (in 29 boxes), 3 reels' }, { number: '27.5', extent_type: 'linear_feet' }],
    [
      { a: '1,200 ', f: 'items' },
      { number: '1200', extent_type: 'items' },
    ],
    [{ a: 'ca. 4 volumes.' }, { number: '4', extent_type: 'volumes' }],
    [
      { a: '1,5', f: 'linear metres' },
      { number: '1.5', extent_type: 'linear metres' },
    ],
    [{ a: '1 1/2 linear feet' }, { number: '1.5', extent_type: 'linear_feet' }],
    [{ a: '2,5 linear metres' }, { number: '2.5', extent_type: 'linear metres' }],
    [{ a: '1 000 photographs' }, { number: '1000', extent_type: 'photographs' }],
  ])('is a number and a unit: %o', async (subfields, extent) => {
    expect((await read(`${title}${field('300', ' ', ' ', subfields)}`)).of('resource')[0]?.['extents']).toMatchObject([
      {
        portion: 'whole',
        ...extent,
        container_summary: Object.values(subfields)
          .map((text) => text.trim())
          .join(' '),
      },
    ]);
  });

  test.each(['Some boxes', '5 x 7 cm', '1/0 boxes'])(
    'of %s counts nothing: a note, which does not stop the import',
    async (a) => {
      const { of, report } = await read(`${title}${field('300', ' ', ' ', { a })}`);
      expect(of('resource')[0]).toMatchObject({
        extents: [{ number: '1', extent_type: 'collection' }],
        notes: [{ label: 'Physical Description', subnotes: [{ content: a }] }],
      });
      expect(report.dropped).toContainEqual(expect.objectContaining({ reason: expect.stringContaining('stands in') }));
    },
  );
});

describe('a note', () => {
  test.each([
    ['500', ' ', 'note_multipart', 'odd', 'General Note'],
    ['506', ' ', 'note_multipart', 'accessrestrict', 'Restrictions on Access Note'],
    ['520', '2', 'note_multipart', 'scopecontent', 'Scope and Content'],
    ['520', '3', 'note_singlepart', 'abstract', 'Abstract'],
    ['545', '1', 'note_multipart', 'bioghist', 'Administrative history'],
    ['555', ' ', 'note_multipart', 'otherfindaid', 'Cumulative Index/Finding Aids Note'],
    ['581', ' ', 'note_bibliography', 'bibliography', 'Publications About Described Materials Note'],
    ['590', ' ', 'note_multipart', 'odd', 'Local Note'],
  ])('of field %s with indicator %s is a %s', async (tag, ind1, kind, type, label) => {
    const [note] = (
      await read(`${title}${field(tag, ind1, ' ', { 3: 'Diaries:', a: 'Text &amp; more', u: 'http://example.org' })}`)
    )
      .of('resource')
      .flatMap((record) => (Array.isArray(record['notes']) ? record['notes'] : []));
    expect(note).toMatchObject({ jsonmodel_type: kind, type, label });
    expect(JSON.stringify(note)).toContain('Diaries: Text &amp; more http://example.org');
  });

  test('of a field without a place is reported with its tag and line', async () => {
    expect((await read(`${title}${field('773', ' ', ' ', { t: 'Host item' })}`)).report.dropped).toContainEqual({
      line: expect.any(Number),
      element: 'datafield 773',
      reason: 'the field is not imported',
      text: '$t Host item',
    });
  });
});

describe('a name', () => {
  test('of a person is parted, and linked as creator that comes first', async () => {
    const { of } = await read(
      `${title}${field('100', '1', ' ', { a: 'Danforth, William H.', q: '(William Henry),', d: '1870-1955,', e: 'author.' })}`,
    );
    expect(of('agent_person')).toMatchObject([
      {
        publish: true,
        names: [
          {
            primary_name: 'Danforth',
            rest_of_name: 'William H.',
            fuller_form: 'William Henry',
            dates: '1870-1955',
            name_order: 'inverted',
            source: 'ingest',
            authorized: true,
          },
        ],
      },
    ]);
    expect(of('resource')[0]?.['linked_agents']).toEqual([
      { ref: of('agent_person')[0]?.uri, role: 'creator', relator: 'author', is_primary: true },
    ]);
  });

  test('of a donor is a source, of a subject has its subdivisions as terms', async () => {
    const { of } = await read(
      `${title}${field('700', '3', ' ', { a: 'Roe family', e: 'Donor (dnr)' })}${field('610', '1', '0', { a: 'United States.', b: 'Army.', x: 'History.' })}`,
    );
    expect(of('resource')[0]?.['linked_agents']).toMatchObject([
      { role: 'source' },
      { role: 'subject', terms: [{ term: 'History', term_type: 'topical' }] },
    ]);
    expect(of('agent_family')).toMatchObject([{ names: [{ family_name: 'Roe family' }] }]);
    expect(of('agent_corporate_entity')).toMatchObject([
      { names: [{ primary_name: 'United States', subordinate_name_1: 'Army.', jurisdiction: true, source: 'lcsh' }] },
    ]);
  });

  test('given twice is one agent, one without authority (720) is imported too', async () => {
    const { of } = await read(
      `${title}${field('700', '1', ' ', { a: 'Roe, Ann' })}${field('700', '1', ' ', { a: 'Roe, Ann.' })}${field('700', '1', ' ', { a: 'Roe, Ann,' })}${field('720', '2', ' ', { a: 'A Society' })}`,
    );
    expect([of('agent_person').length, of('agent_corporate_entity').length]).toEqual([2, 1]);
    // The indicator of 720 says that it is no person; it does not say that it is a jurisdiction.
    expect(of('agent_corporate_entity')[0]).not.toHaveProperty('names.0.jurisdiction');
  });
});

describe('a subject', () => {
  test.each([
    [
      '650',
      '0',
      { a: 'Automobiles', z: 'United States.' },
      'lcsh',
      [
        ['Automobiles', 'topical'],
        ['United States', 'geographic'],
      ],
    ],
    [
      '651',
      '2',
      { a: 'Detroit (Mich.)', v: 'Newspapers.' },
      'mesh',
      [
        ['Detroit (Mich.)', 'geographic'],
        ['Newspapers', 'genre_form'],
      ],
    ],
    ['648', '7', { a: '1900-1910', 2: 'fast' }, 'fast', [['1900-1910', 'temporal']]],
    ['655', '7', { a: 'Scrapbooks.', 2: 'aat' }, 'aat', [['Scrapbooks', 'genre_form']]],
    ['690', '4', { a: 'Ethnic communities.' }, 'local', [['Ethnic communities', 'topical']]],
    [
      '752',
      ' ',
      { a: 'France', b: 'Paris' },
      'not_specified',
      [
        ['France', 'geographic'],
        ['Paris', 'geographic'],
      ],
    ],
  ])('of field %s has its terms and its vocabulary', async (tag, ind2, subfields, source, terms) => {
    const { of } = await read(`${title}${field(tag, ' ', ind2, subfields)}`);
    expect(of('subject')).toMatchObject([
      { source, publish: true, terms: terms.map(([term, term_type]) => ({ term, term_type })) },
    ]);
  });
});

describe('other targets', () => {
  test('an accession takes notes into its properties and the day of the import', async () => {
    const { of } = await read(
      `${title}${field('506', '1', ' ', { a: 'Closed.' })}${field('520', ' ', ' ', { a: 'Letters.' })}${field('540', ' ', ' ', { a: 'Ask.' })}${field('561', ' ', ' ', { a: 'Owned by Roe.' })}${field('541', ' ', ' ', { a: 'Gift.' })}`,
      {},
      'marcxml_accession',
    );
    expect(of('accession')).toMatchObject([
      {
        title: 'Papers',
        accession_date: '2026-01-31',
        access_restrictions: true,
        access_restrictions_note: 'Closed.',
        content_description: 'Letters.',
        use_restrictions: true,
        use_restrictions_note: 'Ask.',
        provenance: 'Gift.\n\nOwned by Roe.',
      },
    ]);
  });

  test('an accession, which has no notes, has the words of a 300 that counts nothing in the report', async () => {
    const fields = ['2 boxes', 'Several volumes', ' '].map((a) => field('300', ' ', ' ', { a })).join('');
    const { of, report } = await read(`${title}${fields}`, {}, 'marcxml_accession');
    expect(of('accession')).toMatchObject([{ extents: [{ number: '2', extent_type: 'boxes' }] }]);
    expect(report.dropped).toMatchObject([{ element: 'datafield 300', text: '$a Several volumes' }]);
  });

  test('only subjects and agents leave the record out', async () => {
    const { records } = await read(
      `${title}${field('650', ' ', '0', { a: 'Maps' })}${field('100', '1', ' ', { a: 'Roe, Ann' })}`,
      {},
      'marcxml_subjects_and_agents',
    );
    expect(records.map((record) => record.jsonmodel_type).toSorted()).toEqual(['agent_person', 'subject']);
  });

  test('authority records are agents and subjects in any of them', async () => {
    const { records } = await read(
      `${field('151', ' ', ' ', { a: 'Rome' })}${field('680', ' ', ' ', { i: 'For the city' })}`,
      { leader: '00000nz  a2200000n  4500', number: 'sh1', fixed: '000101 | anannbabn          |a ana      ' },
    );
    expect(records).toMatchObject([
      {
        jsonmodel_type: 'subject',
        authority_id: 'sh1',
        scope_note: 'For the city',
        source: 'lcsh',
        terms: [{ term: 'Rome', term_type: 'geographic' }],
      },
    ]);
  });

  test.each([
    ['a', 'lcsh'],
    ['n', 'ingest'],
  ])('a name in an authority record of the vocabulary %s has the source %s', async (code, source) => {
    const { of } = await read(field('100', '1', ' ', { a: 'Roe, Ann' }), {
      leader: '00000nz  a2200000n  4500',
      fixed: `000101 | an${code}nnbabn          |a ana      `,
    });
    expect(of('agent_person')).toMatchObject([{ names: [{ primary_name: 'Roe', source }] }]);
  });
});

describe('a file', () => {
  test('may hold a collection of records, in or out of the namespace', async () => {
    const one = marc(title).replace(/^<\?xml[^>]*>/, '');
    expect((await readFormat('marcxml', `<collection>${one}${one}</collection>`)).of('resource')).toHaveLength(2);
    expect((await readFormat('marcxml', '<collection xmlns="http://www.loc.gov/MARC21/slim"/>')).records).toEqual([]);
  });

  test.each([
    ['no namespace', (xml: string) => xml.replaceAll(/ xmlns="[^"]*"/g, '')],
    [
      'a prefix that nobody declares',
      (xml: string) => xml.replaceAll(/ xmlns="[^"]*"/g, '').replaceAll(/<(\/?)(?=\w)/g, '<$1marc:'),
    ],
  ])('is read with %s', async (_what, change) => {
    const { of } = await readFormat('marcxml', change(marc(title)));
    expect(of('resource')).toHaveLength(1);
  });

  test('that is none of MARCXML, or nests without end, is refused', async () => {
    await expect(readFormat('marcxml', '<html/>')).rejects.toThrow(/not MARCXML: its root element is html/);
    await expect(readFormat('marcxml', '<a>'.repeat(300))).rejects.toThrow(/nested/);
  });
});

describe('an accession', () => {
  test('is restricted where 506 says so, and not by a note on other conditions', async () => {
    const restricted = async (fields: string): Promise<unknown> => {
      const { of } = await read(title + fields, {}, 'marcxml_accession');
      return of('accession')[0]?.['access_restrictions'];
    };
    expect(await restricted(field('506', '1', ' ', { a: 'By permission' }))).toBe(true);
    const open = [field('506', '0', ' ', { a: 'Open' }), field('540', '1', ' ', { a: 'Credit us' })];
    expect(await Promise.all([...open.map(restricted), restricted('')])).toEqual([undefined, undefined, undefined]);
  });
});
