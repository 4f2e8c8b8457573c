// MARC 21 authority records as agents.
import { describe, expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import type { Reading } from '#test/support/import-reading.ts';
import { agentMarc } from '#domain/formats/marc-authority/writing/agent.ts';
import { makeExportContext, marcLines } from '#test/support/make/export-context.ts';
import { marcField as field, marcRecord as marc } from '#test/support/marc-document.ts';

const leader = '00000nz  a2200000n  4500';
const read = async (
  fields: string,
  about: Parameters<typeof readFormat>[2] = {},
  entered = '850624',
): Promise<Reading> =>
  readFormat(
    'marcxml_auth_agent',
    marc(fields, { leader, number: 'n 1', fixed: `${entered}n| azannaabn          |a aaa      ` }),
    about,
  );
const heading = field('100', '1', ' ', { a: 'Roe, Ann,', d: '1870-1955' });

describe('an authority record', () => {
  test('is an agent with its control, numbers and history', async () => {
    const { of } = await read(
      `${field('010', ' ', ' ', { a: 'n  85001' })}${field('040', ' ', ' ', { a: 'DLC', b: 'eng', d: 'NjP', e: 'rda' })}${heading}`,
    );
    expect(of('agent_person')).toMatchObject([
      {
        names: [{ primary_name: 'Roe', rest_of_name: 'Ann', dates: '1870-1955', authorized: true }],
        agent_record_controls: [
          {
            maintenance_status: 'new',
            maintenance_agency: 'DLC',
            language: 'eng',
            reference_evaluation: 'tr_consistent',
            name_type: 'differentiated',
            level_of_detail: 'fully_established',
          },
        ],
        agent_record_identifiers: [
          { primary_identifier: true, record_identifier: 'n 1', source: 'local' },
          { primary_identifier: false, record_identifier: 'n 85001', source: 'naf', identifier_type: 'loc' },
        ],
        agent_other_agency_codes: [{ maintenance_agency: 'NjP' }],
        agent_conventions_declarations: [{ name_rule: 'rda' }],
        agent_maintenance_histories: [
          {
            maintenance_event_type: 'created',
            maintenance_agent_type: 'machine',
            event_date: '1985-06-24',
            agent: 'NjP',
          },
        ],
      },
    ]);
  });

  test.each([
    ['q48a', ['024 7_ $a 0000000121268987 $2 isni', '035 __ $a (OCoLC)123']],
    ['n 85', ['010 __ $a n 85', '016 7_ $a 12 $2 lac']],
    ['7', ['024 7_ $a 7 $2 isni', '035 __ $a (DLC)n 85']],
  ])('numbered %s goes out with the numbers it came with, and comes in again as it was', async (number, lines) => {
    const fields = lines.map((line) => {
      const [, tag = '', ind1 = '', a = '', scheme] = /^(\d+) (.)_ \$a (.*?)(?: \$2 (.*))?$/.exec(line) ?? [];
      return field(tag, ind1.replace('_', ' '), ' ', { a, ...(scheme === undefined ? {} : { 2: scheme }) });
    });
    const of = async (document: string) =>
      (await readFormat('marcxml_auth_agent', document)).of('agent_person')[0] ?? expect.fail('no agent');
    const agent = await of(marc(`${fields.join('')}${heading}`, { leader, number }));
    const document = agentMarc(agent, makeExportContext({ includesUnpublished: true }));
    expect(document).toContain(`<controlfield tag="001">${number}</controlfield>`);
    expect(
      marcLines(document)
        .filter((line) => line.startsWith('0'))
        .toSorted(),
    ).toEqual(lines);
    expect((await of(document))['agent_record_identifiers']).toEqual(agent['agent_record_identifiers']);
  });

  test('of a name in direct order goes out as it came', async () => {
    const { of } = await read(field('100', '0', ' ', { a: 'Leo Africanus' }));
    const document = agentMarc({ ...of('agent_person')[0] }, makeExportContext({ includesUnpublished: true }));
    expect(marcLines(document)).toContain('100 0_ $a Leo Africanus');
  });

  test('has a number once that a field repeats, and tells of a scheme that the field has no place for', async () => {
    const { of, report } = await read(
      `${field('016', '7', ' ', { a: '118', 2: 'DE-101' })}${field('035', ' ', ' ', { a: 'n 1' })}${heading}`,
    );
    expect(of('agent_person')).toMatchObject([
      {
        agent_record_identifiers: [
          { primary_identifier: true, record_identifier: 'n 1', source: 'local' },
          { primary_identifier: false, record_identifier: '118', source: 'lac', identifier_type: 'local' },
        ],
      },
    ]);
    expect(report.dropped).toMatchObject([{ element: 'datafield 016', text: 'DE-101' }]);
  });

  test.each([
    ['690203', '2069-02-03'],
    ['700203', '1970-02-03'],
    ['001231', '2000-12-31'],
  ])('entered on %s has a history that begins on %s', async (entered, event_date) => {
    const { of } = await read(heading, {}, entered);
    expect(of('agent_person')).toMatchObject([{ agent_maintenance_histories: [{ event_date }] }]);
  });

  test('entered on no day has no history', async () => {
    expect((await read(heading, {}, '851324')).of('agent_person')[0]).not.toHaveProperty('agent_maintenance_histories');
  });

  test('has variants, dates, languages, sources and a history', async () => {
    const { of } =
      await read(`${field('046', ' ', ' ', { f: '18700102', g: '1955' })}${heading}${field('400', '0', ' ', { a: 'Ann Roe' })}${field('378', ' ', ' ', { q: 'Ann Mary' })}${field('375', ' ', ' ', { a: 'female' })}${field('377', ' ', ' ', { a: 'eng' })}
      ${field('670', ' ', ' ', { a: 'Her letters', b: '(Ann)', u: 'http://example.org' })}${field('678', '0', ' ', { a: 'A poet.', b: 'She wrote.' })}`);
    expect(of('agent_person')).toMatchObject([
      {
        names: [
          { fuller_form: 'Ann Mary' },
          { primary_name: 'Ann', rest_of_name: 'Roe', name_order: 'direct', authorized: false },
        ],
        dates_of_existence: [
          {
            date_label: 'existence',
            date_type_structured: 'range',
            structured_date_range: {
              begin_date_expression: '18700102',
              begin_date_standardized: '1870-01-02',
              end_date_standardized: '1955',
            },
          },
        ],
        agent_genders: [{ gender: 'female' }],
        used_languages: [{ language: 'eng' }],
        agent_sources: [{ source_entry: 'Her letters', descriptive_note: '(Ann)', file_uri: 'http://example.org' }],
        notes: [
          {
            jsonmodel_type: 'note_bioghist',
            label: 'Biographical note',
            subnotes: [{ jsonmodel_type: 'note_abstract', content: ['A poet.'] }, { content: 'She wrote.' }],
          },
        ],
      },
    ]);
  });

  test('ends at its standard form, though it begins with words', async () => {
    const { of } = await read(`${field('046', ' ', ' ', { f: 'around 1870', g: '19551231' })}${heading}`);
    expect(of('agent_person')).toMatchObject([
      { dates_of_existence: [{ structured_date_range: { end_date_standardized: '1955-12-31' } }] },
    ]);
  });

  test('of a meeting has $q of a variant as its second unit, and $q of the heading as a qualifier', async () => {
    const parts = { a: 'Springfield', e: 'Section', q: 'Conference on Tides' };
    const names = `${field('111', '1', ' ', parts)}${field('411', '1', ' ', parts)}${field('411', '1', ' ', { a: 'Ogden', q: 'Congress.' })}`;
    const { of, report } = await read(names);
    const unit = { subordinate_name_1: 'Section' };
    expect(of('agent_corporate_entity')).toMatchObject([
      {
        names: [
          { ...unit, qualifier: 'Name of meeting: Conference on Tides.' },
          { ...unit, subordinate_name_2: 'Conference on Tides' },
          { primary_name: 'Ogden', subordinate_name_2: 'Congress' },
        ],
      },
    ]);
    expect(of('agent_corporate_entity')[0]).not.toHaveProperty('names.1.qualifier');
    expect(report.dropped).toEqual([]);
  });

  test('reports further dates of a field, which exist once', async () => {
    const { report } = await read(`${field('046', ' ', ' ', { f: '1870', s: '1890' })}${heading}`);
    expect(report.dropped.map((part) => part.text)).toEqual(['1890']);
  });

  test('takes the brackets of RDA families apart', async () => {
    const { of } = await read(field('100', '3', ' ', { a: 'Berry (Family :', d: '1900-1950 :', c: 'Paris)' }));
    expect(of('agent_family')).toMatchObject([
      { names: [{ family_name: 'Berry', family_type: 'Family', dates: '1900-1950', qualifier: 'Paris' }] },
    ]);
  });

  test('relates agents by $w', async () => {
    const { of } = await read(
      `${field('110', '2', ' ', { a: 'Society' })}${field('510', '2', ' ', { w: 'a', a: 'Club', i: 'Formerly:' })}${field('510', '2', ' ', { w: 't', a: 'Union' })}${field('500', '1', ' ', { a: 'Roe, Ann' })}`,
    );
    const main = of('agent_corporate_entity').at(-1);
    expect(main?.['related_agents']).toMatchObject([
      { jsonmodel_type: 'agent_relationship_earlierlater', relator: 'is_later_form_of', description: 'Formerly:' },
      { jsonmodel_type: 'agent_relationship_subordinatesuperior', relator: 'is_subordinate_to' },
      { jsonmodel_type: 'agent_relationship_associative', ref: of('agent_person')[0]?.uri },
    ]);
  });

  test('has places and occupations only with import_subjects, events only with import_events', async () => {
    const fields = `${heading}${field('370', ' ', ' ', { a: 'Rome', b: 'Paris', 0: 'g1', 2: 'naf' })}${field('374', ' ', ' ', { a: 'Poets', s: '1890' })}`;
    expect((await read(fields)).of('agent_person')).toMatchObject([
      {
        agent_places: [{ place_role: 'place_of_birth' }, { place_role: 'place_of_death' }],
        agent_occupations: [{ dates: [{}] }],
      },
    ]);
    const { of, report } = await read(fields, { switches: { events: false, subjects: false, repository: false } });
    expect(of('agent_person')[0]).not.toHaveProperty('agent_places');
    expect(of('agent_person')[0]).not.toHaveProperty('agent_maintenance_histories');
    expect(report.dropped.map((part) => part.element)).toEqual(['datafield 370', 'datafield 374']);
  });

  test('does not report the qualifier of a family as left out', async () => {
    const { of, report } = await read(field('100', '3', ' ', { a: 'Roe family', g: 'of Rye' }));
    expect(of('agent_family')).toMatchObject([{ names: [{ family_name: 'Roe family', qualifier: 'of Rye' }] }]);
    expect(report.dropped).toEqual([]);
  });

  test('keeps what stands beside $g in a name, and closes no bracket twice', async () => {
    const name = async (kind: string, xml: string) => (await read(xml)).of(kind)[0]?.['names'];
    expect(
      await name('agent_person', field('100', '1', ' ', { a: 'Roe, Ann', g: 'printer', u: 'Royal Society' })),
    ).toMatchObject([{ qualifier: 'printer Affiliation: Royal Society.' }]);
    const parts = { a: 'Berry (Dynasty :', d: '1900- :', c: 'Paris :', g: 'of Rye)' };
    const families = await name('agent_family', field('100', '3', ' ', parts));
    const names = [{ family_name: 'Berry', family_type: 'Dynasty', location: 'Paris', qualifier: 'of Rye' }];
    expect(families).toMatchObject(names);
    const family = { jsonmodel_type: 'agent_family', names: families ?? [] };
    expect(marcLines(agentMarc(family, makeExportContext()))).toEqual([
      '100 3_ $a Berry (Dynasty : $d 1900- : $c Paris : $g of Rye)',
    ]);
    const meeting = {
      ...{ primary_name: 'Congress', subordinate_name_1: 'Section', subordinate_name_2: 'Maps' },
      ...{ conference_meeting: true, authorized: true },
    };
    const out = agentMarc({ jsonmodel_type: 'agent_corporate_entity', names: [meeting] }, makeExportContext());
    expect(marcLines(out)).toEqual(['111 2_ $a Congress $e Section $e Maps']);
    const { of, report } = await readFormat('marcxml_auth_agent', out);
    expect(of('agent_corporate_entity')[0]?.['names']).toMatchObject([meeting]);
    expect(report.dropped).toEqual([]);
  });

  test('of a title is reported, one without a heading is refused with its line', async () => {
    expect((await read(field('130', ' ', '0', { a: 'Bible' }))).report.dropped).toMatchObject([
      { element: 'datafield 130' },
    ]);
    await expect(read(field('670', ' ', ' ', { a: 'x' }))).rejects.toMatchObject({
      error: { element: 'record', line: expect.any(Number) },
    });
  });
});
