// EAC-CPF 2010 documents: what each part becomes.
import { describe, expect, test } from 'vitest';
import { objectsOf } from '#domain/json.ts';
import { readFormat } from '#test/support/import-reading.ts';
import type { Reading } from '#test/support/import-reading.ts';

type Parts = {
  readonly type?: string;
  readonly control?: string;
  readonly names?: string;
  readonly description?: string;
  readonly more?: string;
};
const read = async (
  {
    type = 'person',
    control = '',
    names = '<nameEntry><part>Roe, Ann</part></nameEntry>',
    description = '',
    more = '',
  }: Parts,
  about: Parameters<typeof readFormat>[2] = {},
): Promise<Reading> =>
  readFormat(
    'eac_xml',
    `<eac-cpf xmlns="urn:isbn:1-931666-33-4" xmlns:xlink="http://www.w3.org/1999/xlink"><control><recordId>r1</recordId>${control}</control>
    <cpfDescription><identity><entityType>${type}</entityType>${names}</identity><description>${description}</description>${more}</cpfDescription></eac-cpf>`,
    about,
  );

describe('an EAC-CPF identity', () => {
  test('gives names by their parts, the authorized one first in rank', async () => {
    const { of } = await read({
      names: `<entityId localType="ISNI">0001</entityId><nameEntry><part localType="surname">Roe</part><part localType="forename">A.</part><useDates><date standardDate="1900">1900</date></useDates></nameEntry>
      <nameEntry xml:lang="eng" scriptCode="Latn" transliteration="ala-lc"><part localType="surname">Roe</part><part localType="forename">Ann</part><authorizedForm>naf</authorizedForm></nameEntry>`,
    });
    expect(of('agent_person')).toMatchObject([
      {
        agent_identifiers: [{ entity_identifier: '0001', identifier_type: 'ISNI' }],
        names: [
          {
            primary_name: 'Roe',
            rest_of_name: 'A.',
            authorized: false,
            source: 'local',
            use_dates: [{ date_label: 'usage' }],
          },
          {
            primary_name: 'Roe',
            rest_of_name: 'Ann',
            authorized: true,
            is_display_name: true,
            source: 'naf',
            language: 'eng',
            script: 'Latn',
            transliteration: 'ala-lc',
          },
        ],
      },
    ]);
  });

  test('takes the first of several authorized names for the authorized one, the first of several preferred ones for the shown one', async () => {
    const entry = (text: string, mark: string): string =>
      `<nameEntry><part localType="surname">${text}</part>${mark === '' ? '' : `<${mark}>x</${mark}>`}</nameEntry>`;
    const names = async (...entries: readonly (readonly [string, string])[]): Promise<unknown> => {
      const { of } = await read({ names: entries.map(([text, mark]) => entry(text, mark)).join('') });
      const [agent] = of('agent_person');
      return objectsOf(agent, 'names').map((name) => [
        name['primary_name'],
        name['authorized'],
        name['is_display_name'],
      ]);
    };
    expect(
      await names(
        ['A', ''],
        ['B', 'authorizedForm'],
        ['C', 'authorizedForm'],
        ['D', 'preferredForm'],
        ['E', 'preferredForm'],
      ),
    ).toEqual([
      ['A', false, false],
      ['B', true, false],
      ['C', false, false],
      ['D', false, true],
      ['E', false, false],
    ]);
    expect(await names(['A', ''], ['B', ''])).toEqual([
      ['A', true, true],
      ['B', false, false],
    ]);
  });

  test('keeps parallel names under the first, and parts that nobody knows in the name', async () => {
    const { of } = await read({
      type: 'corporateBody',
      names:
        '<nameEntryParallel><nameEntry><part>Union</part></nameEntry><nameEntry><part>Unione</part></nameEntry></nameEntryParallel><nameEntry><part localType="parent">State</part><part>Library</part></nameEntry>',
    });
    expect(of('agent_corporate_entity')).toMatchObject([
      {
        names: [
          {
            primary_name: 'Union',
            parallel_names: [{ jsonmodel_type: 'parallel_name_corporate_entity', primary_name: 'Unione' }],
          },
          { primary_name: 'State, Library' },
        ],
      },
    ]);
  });

  test('reports what it has twice: sources of a name, and identities', async () => {
    const { of, report } = await read({
      names:
        '<nameEntry><part>Roe</part><alternativeForm>LC</alternativeForm><authorizedForm>naf</authorizedForm></nameEntry></identity><identity><entityType>person</entityType><nameEntry><part>Doe</part></nameEntry>',
    });
    expect(of('agent_person')).toMatchObject([{ names: [{ primary_name: 'Roe', source: 'naf' }] }]);
    expect(report.dropped.map((part) => part.text)).toEqual(['LC', 'personDoe']);
  });

  test('keeps a citation as text in notes that may hold no citation', async () => {
    const { of } = await read({
      description:
        '<structureOrGenealogy><p>Heirs</p><citation>Peerage</citation></structureOrGenealogy><mandate><citation>Act</citation></mandate>',
    });
    expect(of('agent_person')).toMatchObject([
      {
        notes: [
          { subnotes: [{ jsonmodel_type: 'note_text', content: 'Heirs\n\nPeerage' }] },
          { subnotes: [{ jsonmodel_type: 'note_citation', content: ['Act'] }] },
        ],
      },
    ]);
  });

  test('of something else makes nothing and is reported, one without a name is refused', async () => {
    const { records, report } = await read({ type: 'concept' });
    expect([records, report.dropped[0]?.element]).toEqual([[], 'cpfDescription']);
    await expect(read({ names: '' })).rejects.toMatchObject({
      error: { element: 'identity', message: 'The identity has no name.' },
    });
  });
});

describe('an EAC-CPF control', () => {
  const control = `<maintenanceStatus>revised</maintenanceStatus><publicationStatus>inProcess</publicationStatus><maintenanceAgency><agencyCode>X</agencyCode><agencyName>An archive</agencyName></maintenanceAgency>
    <languageDeclaration><language languageCode="eng">English</language><script scriptCode="Latn"/></languageDeclaration><conventionDeclaration><abbreviation>RDA</abbreviation><citation xlink:href="http://rda">Resource Description</citation></conventionDeclaration>
    <maintenanceHistory><maintenanceEvent><eventType>created</eventType><eventDateTime standardDateTime="2013-04-23">April 2013</eventDateTime><agentType>human</agentType><agent>B. Clerk</agent><eventDescription>New</eventDescription></maintenanceEvent></maintenanceHistory>
    <sources><source xlink:href="http://s"><sourceEntry>A book</sourceEntry></source></sources><localControl><term>x</term></localControl>`;
  test('gives control sub-records, and reports what has no place', async () => {
    const { of, report } = await read({ control });
    expect(of('agent_person')).toMatchObject([
      {
        agent_record_controls: [
          {
            maintenance_status: 'revised_corrected',
            publication_status: 'in_process',
            maintenance_agency: 'X',
            agency_name: 'An archive',
            language: 'eng',
            script: 'Latn',
            language_note: 'English',
          },
        ],
        agent_record_identifiers: [{ primary_identifier: true, record_identifier: 'r1', source: 'local' }],
        agent_conventions_declarations: [
          { name_rule: 'rda', citation: 'Resource Description', file_uri: 'http://rda' },
        ],
        agent_maintenance_histories: [
          {
            maintenance_event_type: 'created',
            maintenance_agent_type: 'human',
            event_date: '2013-04-23',
            agent: 'B. Clerk',
            descriptive_note: 'April 2013: New',
          },
        ],
        agent_sources: [{ source_entry: 'A book', file_uri: 'http://s' }],
      },
    ]);
    expect(report.dropped.map((part) => part.element)).toEqual(['localControl']);
  });

  test('leaves events out unless the job asks for them', async () => {
    const { of } = await read({ control }, { switches: { events: false, subjects: false, repository: false } });
    expect(of('agent_person')[0]).not.toHaveProperty('agent_maintenance_histories');
  });
});

describe('an EAC-CPF description', () => {
  test('gives dates, places, occupations, topics, genders and languages', async () => {
    const { of, records } = await read({
      description: `<existDates><dateRange><fromDate notBefore="1869">about 1870</fromDate><toDate standardDate="1955">1955</toDate></dateRange></existDates>
      <places><place><placeEntry vocabularySource="tgn">Rome</placeEntry><placeRole>residence</placeRole><dateRange><fromDate>1900</fromDate><toDate>1901</toDate></dateRange></place></places>
      <occupation><term>Poet</term><descriptiveNote><p>for life</p></descriptiveNote></occupation><functions><function><term>Writing</term><descriptiveNote><p/></descriptiveNote></function></functions>
      <localDescription localType="x#AssociatedSubject"><term>Maps</term></localDescription><localDescription localType="gender"><term>female</term></localDescription>
      <languageUsed><language languageCode="eng">English</language><script scriptCode="Latn"/></languageUsed>`,
    });
    expect(of('agent_person')).toMatchObject([
      {
        dates_of_existence: [
          {
            structured_date_range: {
              begin_date_expression: 'about 1870',
              begin_date_standardized: '1869',
              begin_date_standardized_type: 'not_before',
              end_date_standardized: '1955',
            },
          },
        ],
        agent_places: [{ place_role: 'residence', dates: [{ date_type_structured: 'range' }] }],
        agent_occupations: [{ notes: [{ content: 'for life' }] }],
        agent_functions: [{}],
        agent_topics: [{}],
        agent_genders: [{ gender: 'female' }],
        used_languages: [{ language: 'eng', script: 'Latn' }],
      },
    ]);
    // A note without words is none.
    expect(objectsOf(of('agent_person')[0], 'agent_functions').map((one) => one['notes'])).toEqual([undefined]);
    expect(of('subject').map((subject) => [subject['source'], JSON.stringify(subject['terms'])])).toMatchObject([
      ['tgn', expect.stringContaining('geographic')],
      ['not_specified', expect.stringContaining('occupation')],
      ['not_specified', expect.stringContaining('function')],
      ['not_specified', expect.stringContaining('topical')],
    ]);
    expect(records.at(-1)?.jsonmodel_type).toBe('agent_person');
  });

  test('gives notes with their sub-notes', async () => {
    const { of } = await read({
      description: `<biogHist><abstract>Short</abstract><p>Long <span style="font-style:italic">one</span></p><chronList><chronItem><date>1900</date><placeEntry>Rome</placeEntry><event>Lived</event></chronItem></chronList><citation>A book</citation></biogHist>
      <mandates><mandate><term>Decree</term><descriptiveNote><p>of 1900</p></descriptiveNote></mandate></mandates><structureOrGenealogy><p>Tree</p></structureOrGenealogy>`,
    });
    expect(of('agent_person')[0]?.['notes']).toMatchObject([
      {
        jsonmodel_type: 'note_bioghist',
        subnotes: [
          { jsonmodel_type: 'note_abstract', content: ['Short'] },
          { jsonmodel_type: 'note_chronology', items: [{ event_date: '1900', place: 'Rome', events: ['Lived'] }] },
          { jsonmodel_type: 'note_citation' },
          { content: 'Long <emph render="italic">one</emph>' },
        ],
      },
      { jsonmodel_type: 'note_mandate', subnotes: [{ content: 'Decree\n\nof 1900' }] },
      { jsonmodel_type: 'note_structure_or_genealogy' },
    ]);
  });
});

test.each([
  ['a gender', '<localDescription localType="gender"><term> </term></localDescription>'],
  ['a topic', '<localDescription localType="x#AssociatedSubject"><term/></localDescription>'],
  ['a place', '<place><placeEntry/><placeRole/></place>'],
  ['an occupation', '<occupation><term/><placeEntry/><descriptiveNote><p/></descriptiveNote></occupation>'],
  ['a language', '<languageUsed><language/><script/><descriptiveNote><p> </p></descriptiveNote></languageUsed>'],
  ['a life', '<biogHist><abstract/><p/><citation/><chronList/><list/><outline/></biogHist>'],
  ['a span of life', '<existDates><dateRange><fromDate/><toDate/></dateRange></existDates>'],
])('%s without words is none', async (_, description) => {
  const { of } = await read({ description });
  const [bare] = (await read({})).of('agent_person');
  expect(of('agent_person')).toEqual([bare]);
});

test.each(['maintenanceStatus', 'publicationStatus'])('a %s without words says nothing', async (status) => {
  const { of, report } = await read({ control: `<${status}> </${status}>` });
  expect(of('agent_person')).toEqual((await read({})).of('agent_person'));
  expect(report.dropped).toEqual([]);
});

describe('EAC-CPF relations', () => {
  test('make related agents by role, by address, or as bodies of a body, and tolerate a missing arcrole', async () => {
    const { of, report } = await read({
      type: 'corporateBody',
      more: `<relations><cpfRelation xlink:role="x/Person" cpfRelationType="identity"><relationEntry>Roe, Ann</relationEntry></cpfRelation>
      <cpfRelation cpfRelationType="hierarchical-parent" xlink:href="n1"><relationEntry>Union</relationEntry><dateRange><fromDate standardDate="1900">1900</fromDate></dateRange></cpfRelation>
      <cpfRelation xlink:href="http://s/agents/families/3"><relationEntry>Roes</relationEntry></cpfRelation><cpfRelation cpfRelationType="associative"><relationEntry>Who</relationEntry></cpfRelation>
      <resourceRelation resourceRelationType="creatorOf" xlink:href="http://r"><relationEntry>Papers</relationEntry><descriptiveNote><p>Three boxes</p></descriptiveNote></resourceRelation></relations>`,
    });
    expect(of('agent_corporate_entity').at(-1)).toMatchObject({
      related_agents: [
        {
          jsonmodel_type: 'agent_relationship_identity',
          relator: 'is_identified_with',
          ref: of('agent_person')[0]?.uri,
        },
        {
          jsonmodel_type: 'agent_relationship_subordinatesuperior',
          relator: 'is_subordinate_to',
          dates: { date_label: 'agent_relation' },
        },
        { jsonmodel_type: 'agent_relationship_associative', ref: of('agent_family')[0]?.uri },
      ],
      agent_resources: [
        {
          linked_agent_role: 'creator',
          linked_resource: 'Papers',
          linked_resource_description: 'Three boxes',
          file_uri: 'http://r',
        },
      ],
    });
    expect(report.dropped).toMatchObject([
      { element: 'cpfRelation', text: 'n1' },
      { element: 'cpfRelation', text: 'Who' },
    ]);
  });

  test('of rank are of bodies alone', async () => {
    const relation = (kind: string) =>
      `<cpfRelation xlink:role="x/${kind}" cpfRelationType="hierarchical-parent"><relationEntry>${kind}</relationEntry></cpfRelation>`;
    const { of } = await read({
      type: 'corporateBody',
      more: `<relations>${['Person', 'CorporateBody'].map(relation).join('')}</relations>`,
    });
    expect(of('agent_corporate_entity').at(-1)).toMatchObject({
      related_agents: [
        { jsonmodel_type: 'agent_relationship_hierarchical', relator: 'is_hierarchical_with' },
        { jsonmodel_type: 'agent_relationship_subordinatesuperior', relator: 'is_subordinate_to' },
      ],
    });
  });
});

describe('a function without a term', () => {
  test('is history of the agent where it is told in words, and reported where it is not', async () => {
    const { of, report } = await read({
      type: 'corporateBody',
      description: `<function><descriptiveNote><p/></descriptiveNote><descriptiveNote><p>Builds locks.</p><p>Keeps lights.</p></descriptiveNote><descriptiveNote/></function>
      <function><placeEntry>Brest</placeEntry></function>`,
    });
    expect(of('agent_corporate_entity')).toMatchObject([
      { notes: [{ jsonmodel_type: 'note_bioghist', subnotes: [{ content: 'Builds locks.\n\nKeeps lights.' }] }] },
    ]);
    expect(report.dropped).toMatchObject([{ element: 'function', text: 'Brest' }]);
  });
});

describe('words of other systems', () => {
  test('name the parts of a name', async () => {
    const { of } = await read({
      names: `<nameEntry><part localType="nom">Roe</part><part localType="prénom">Anne</part><part localType="marcfield:100$d">1900-1950</part></nameEntry>
      <nameEntry><part localType="familyName">Roe</part><part localType="givenName">Ann</part><part localType="100q">Ann Mary</part></nameEntry>`,
    });
    expect(of('agent_person')).toMatchObject([
      {
        names: [
          { primary_name: 'Roe', rest_of_name: 'Anne', dates: '1900-1950' },
          { primary_name: 'Roe', rest_of_name: 'Ann', fuller_form: 'Ann Mary' },
        ],
      },
    ]);
  });

  test('say what descriptions are, also for a whole group', async () => {
    const { of } = await read({
      description: `<localDescriptions localType="terms#AssociatedSubject"><localDescription localType="372"><term>Archives</term></localDescription></localDescriptions>
      <localDescriptions localType="terms#gender"><localDescription><term>female</term></localDescription></localDescriptions>`,
    });
    expect(of('agent_person')).toMatchObject([
      { agent_topics: [{ subjects: [{ ref: of('subject')[0]?.uri }] }], agent_genders: [{ gender: 'female' }] },
    ]);
  });
});

describe('a document', () => {
  test('in an envelope is read with its own control data', async () => {
    const one = (
      id: string,
    ): string => `<eac-cpf xmlns="urn:isbn:1-931666-33-4">${id === '' ? '' : `<control><recordId>${id}</recordId></control>`}<cpfDescription><identity><entityType>person</entityType>
      <nameEntry><part>Roe ${id}</part></nameEntry></identity></cpfDescription></eac-cpf>`;
    const { of } = await readFormat('eac_xml', `<export>${one('a')}${one('')}${one('b')}</export>`);
    expect(
      of('agent_person').map((agent) =>
        JSON.stringify(agent['agent_record_identifiers'] ?? null).includes('"record_identifier":'),
      ),
    ).toEqual([true, false, true]);
  });

  test('of EAC-CPF 2.0 or of something else is refused before any record', async () => {
    await expect(readFormat('eac_xml', '<eac xmlns="https://archivists.org/ns/eac/v2"/>')).rejects.toThrow(
      /EAC-CPF 2\.0/,
    );
    await expect(readFormat('eac_xml', '<ead/>')).rejects.toThrow(/not EAC-CPF: its root element is ead/);
    await expect(readFormat('eac_xml', '<!DOCTYPE a [<!ENTITY x "y">]><eac-cpf>&x;</eac-cpf>')).rejects.toMatchObject({
      code: 'import_failed',
    });
  });
});
