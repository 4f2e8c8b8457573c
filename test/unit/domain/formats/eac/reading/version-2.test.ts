// EAC-CPF 2.0 documents: what each element becomes, and what the report says of the rest.
import { describe, expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import type { Reading } from '#test/support/import-reading.ts';

type Parts = {
  readonly type?: string;
  readonly attributes?: string;
  readonly control?: string;
  readonly names?: string;
  readonly description?: string;
  readonly more?: string;
};
const read = async ({
  type = 'person',
  attributes = 'maintenanceStatus="new"',
  control = '',
  names = '<nameEntry><part>Roe, Ann</part></nameEntry>',
  description = '',
  more = '',
}: Parts): Promise<Reading> =>
  readFormat(
    'eac_xml',
    `<eac xmlns="https://archivists.org/ns/eac/v2"><control ${attributes}><recordId>r1</recordId>${control}</control>
    <cpfDescription><identity><entityType value="${type}"/>${names}</identity><description>${description}</description>${more}</cpfDescription></eac>`,
  );

const droppedOf = ({ report }: Reading): readonly string[] =>
  report.dropped.map((part) => `${part.element}: ${part.text}`);

describe('control of EAC-CPF 2.0', () => {
  test('takes statuses, agency and languages', async () => {
    const reading = await read({
      attributes: 'maintenanceStatus="deletedMerged" publicationStatus="published"',
      control: `<maintenanceAgency><agencyCode>DE-1</agencyCode><agencyName>Archive</agencyName><agencyName>Archiv</agencyName>
      <otherAgencyCode>X</otherAgencyCode><descriptiveNote><p>One</p><p>Two</p></descriptiveNote></maintenanceAgency><languageDeclaration languageCode="de" scriptCode="Latn"><descriptiveNote><p>spoken</p></descriptiveNote></languageDeclaration>`,
    });
    expect(reading.of('agent_person')).toMatchObject([
      {
        agent_record_controls: [
          {
            maintenance_status: 'deleted_merged',
            publication_status: 'approved',
            maintenance_agency: 'DE-1',
            agency_name: 'Archive',
            maintenance_agency_note: 'One\n\nTwo',
            language: 'ger',
            script: 'Latn',
            language_note: 'spoken',
          },
        ],
        agent_other_agency_codes: [{ maintenance_agency: 'X' }],
        agent_record_identifiers: [{ primary_identifier: true, record_identifier: 'r1' }],
      },
    ]);
    expect(droppedOf(reading)).toEqual(['agencyName: Archiv']);
  });

  test('takes events, whose type and agent are attributes, and says where they are unknown', async () => {
    const reading = await read({
      control: `<maintenanceHistory><maintenanceEvent maintenanceEventType="revised"><agent agentType="machine">Robot</agent><eventDateTime standardDateTime="2020-02-03"/><eventDescription>a</eventDescription><eventDescription>b</eventDescription></maintenanceEvent>
      <maintenanceEvent maintenanceEventType="unknown"><agent agentType="unknown">Who</agent><eventDateTime standardDateTime="2020-02-04"/></maintenanceEvent></maintenanceHistory>`,
    });
    expect(reading.of('agent_person')).toMatchObject([
      {
        agent_maintenance_histories: [
          {
            maintenance_event_type: 'revised',
            maintenance_agent_type: 'machine',
            agent: 'Robot',
            event_date: '2020-02-03',
            descriptive_note: 'a; b',
          },
          {
            maintenance_event_type: 'updated',
            maintenance_agent_type: 'human',
            agent: 'Who',
            event_date: '2020-02-04',
          },
        ],
      },
    ]);
    expect(droppedOf(reading)).toEqual(['maintenanceEvent: unknown', 'agent: unknown']);
  });

  test('takes sources with their ranges, conventions, rights and other identifiers, and reports declarations without a place', async () => {
    const reading = await read({
      control: `<sources><source><reference href="http://b" linkTitle="t">Book</reference><reference>Map</reference><citedRange>p. 1</citedRange><descriptiveNote><p>good</p></descriptiveNote></source><descriptiveNote><p>all</p></descriptiveNote></sources>
      <conventionDeclaration><reference href="http://rda">Resource Description</reference><shortCode>RDA</shortCode></conventionDeclaration><rightsDeclaration><reference href="http://cc">CC0</reference><shortCode>public_domain</shortCode></rightsDeclaration>
      <otherRecordId localType="gnd">118</otherRecordId><localControl><term>local</term></localControl><localTypeDeclaration><reference>types</reference></localTypeDeclaration><representation>seen</representation>`,
    });
    expect(reading.of('agent_person')).toMatchObject([
      {
        agent_sources: [
          {
            source_entry: 'Book; Map, p. 1',
            file_uri: 'http://b',
            xlink_title_attribute: 't',
            descriptive_note: 'good',
          },
        ],
        agent_conventions_declarations: [
          { name_rule: 'rda', citation: 'Resource Description', file_uri: 'http://rda' },
        ],
        metadata_rights_declarations: [{ license: 'public_domain', file_uri: 'http://cc' }],
        agent_record_identifiers: [{}, { primary_identifier: false, record_identifier: '118', identifier_type: 'gnd' }],
      },
    ]);
    expect(reading.of('agent_person')[0]).toMatchObject({
      metadata_rights_declarations: [{ descriptive_note: 'CC0' }],
    });
    expect(droppedOf(reading)).toEqual([
      'descriptiveNote: all',
      'localControl: local',
      'localTypeDeclaration: types',
      'representation: seen',
    ]);
  });
});

describe('identity of EAC-CPF 2.0', () => {
  test('takes status, vocabulary, preference, language and script of names, and sets of parallel ones', async () => {
    const reading = await read({
      names: `<nameEntry status="alternative" preferredForm="true"><part localType="surname">Roe</part><part localType="forename">A.</part></nameEntry>
      <nameEntrySet><nameEntry status="authorized" vocabularySource="naf" languageOfElement="eng" scriptOfElement="Latn"><part>Roe</part></nameEntry><nameEntry languageOfElement="ger"><part>Reh</part></nameEntry><useDates><date standardDate="1900">1900</date></useDates></nameEntrySet>
      <otherEntityTypes><otherEntityType><term>poet</term></otherEntityType></otherEntityTypes><identityId localType="ISNI">0001</identityId><descriptiveNote><p>who</p></descriptiveNote>`,
    });
    expect(reading.of('agent_person')).toMatchObject([
      {
        agent_identifiers: [{ entity_identifier: '0001', identifier_type: 'ISNI' }],
        names: [
          { primary_name: 'Roe', rest_of_name: 'A.', authorized: false, is_display_name: true, source: 'local' },
          {
            primary_name: 'Roe',
            authorized: true,
            is_display_name: false,
            source: 'naf',
            language: 'eng',
            script: 'Latn',
            use_dates: [{ date_label: 'usage' }],
            parallel_names: [{ jsonmodel_type: 'parallel_name_person', primary_name: 'Reh', language: 'ger' }],
          },
        ],
      },
    ]);
    expect(droppedOf(reading)).toEqual(['otherEntityTypes: poet', 'descriptiveNote: who']);
  });

  test('of several identities gives an agent each', async () => {
    const { records } = await readFormat(
      'eac_xml',
      `<eac xmlns="https://archivists.org/ns/eac/v2"><control maintenanceStatus="new"/><multipleIdentities>${['family', 'corporateBody'].map((type) => `<cpfDescription><identity><entityType value="${type}"/><nameEntry><part>N</part></nameEntry></identity></cpfDescription>`).join('')}</multipleIdentities></eac>`,
    );
    expect(records.map((record) => record.jsonmodel_type)).toEqual(['agent_family', 'agent_corporate_entity']);
  });
});

describe('description of EAC-CPF 2.0', () => {
  test('takes terms with the vocabulary of their part, places and languages', async () => {
    const reading = await read({
      description: `<functions><function vocabularySource="aat"><term>Writing</term><date localType="event">1950</date><placeName>Rome</placeName></function><descriptiveNote><p>on all</p></descriptiveNote></functions>
      <languagesUsed><languageUsed><language languageCode="eng">English</language><writingSystem scriptCode="Latn">Latin</writingSystem><language languageCode="ger"/></languageUsed></languagesUsed>
      <localDescriptions><localDescription localType="gender"><term>female</term><dateRange><fromDate>1900</fromDate><toDate status="unknown"/></dateRange></localDescription><localDescription localType="height"><term>tall</term></localDescription></localDescriptions>
      <occupations><occupation><term>Poet</term><descriptiveNote><p>for life</p></descriptiveNote></occupation></occupations>
      <places><place vocabularySource="tgn"><placeName>Bonn</placeName><placeRole>residence</placeRole><geographicCoordinates coordinateSystem="WGS84">1,2</geographicCoordinates><address><addressLine>Street</addressLine></address><contact><contactLine>phone</contactLine></contact></place></places>`,
    });
    expect(reading.of('agent_person')).toMatchObject([
      {
        agent_functions: [{ dates: [{ date_label: 'event' }], places: [{}] }],
        used_languages: [{ language: 'eng', script: 'Latn' }, { language: 'ger' }],
        agent_genders: [{ gender: 'female', dates: [{ structured_date_range: { begin_date_expression: '1900' } }] }],
        agent_occupations: [{ notes: [{ content: 'for life' }] }],
        agent_places: [{ place_role: 'residence' }],
      },
    ]);
    expect(
      reading
        .of('subject')
        .map((subject) => [subject['source'], (subject['terms'] as readonly { term: string }[])[0]?.term]),
    ).toEqual([
      ['not_specified', 'Rome'],
      ['aat', 'Writing'],
      ['not_specified', 'Poet'],
      ['tgn', 'Bonn'],
    ]);
    expect(droppedOf(reading)).toEqual([
      'descriptiveNote: on all',
      'localDescription: tall',
      'geographicCoordinates: 1,2',
      'address: Street',
      'contact: phone',
    ]);
  });

  test('takes dates with their label, quality and end that has not come', async () => {
    const reading = await read({
      description: `<existDates><dateSet><dateRange localType="event"><fromDate standardDate="1900" certainty="inferred" notBefore="1890">1900</fromDate><toDate status="ongoing"/></dateRange><date era="ce" calendar="gregorian" certainty="circa">1950</date></dateSet><descriptiveNote><p>why</p></descriptiveNote></existDates>`,
    });
    expect(reading.of('agent_person')).toMatchObject([
      {
        dates_of_existence: [
          {
            date_label: 'existence',
            date_certainty: 'inferred',
            structured_date_range: { begin_date_standardized: '1900', end_date_expression: 'ongoing' },
          },
          {
            date_label: 'existence',
            date_era: 'ce',
            date_calendar: 'gregorian',
            structured_date_single: { date_expression: '1950' },
          },
        ],
      },
    ]);
    expect(droppedOf(reading)).toEqual(['fromDate: 1890', 'date: circa', 'descriptiveNote: why']);
  });

  test('tells the addresses of terms and places', async () => {
    const reading = await read({
      description:
        '<occupations><occupation><term valueURI="http://a.example/o">Poet</term></occupation></occupations><places><place><placeName valueURI="http://a.example/p">Ulm</placeName></place></places>',
    });
    expect(droppedOf(reading).toSorted()).toEqual(['placeName: http://a.example/p', 'term: http://a.example/o']);
  });

  test('takes notes with heads, lists and chronologies in their place, references and spans as markup', async () => {
    const reading = await read({
      description: `<mandates><mandate><term>Decree</term><date>1900</date><descriptiveNote><p>of the king</p></descriptiveNote></mandate></mandates><legalStatuses><legalStatus><term>Free</term></legalStatus></legalStatuses>
      <biogHist><head>Life</head><abstract>Short</abstract><p>One <reference href="http://x">here</reference></p><chronList><chronItem><date>1900</date><chronItemSet><event>Born</event><place><placeName>Rome</placeName></place></chronItemSet><reference>see</reference></chronItem></chronList>
      <list listType="ordered"><head>Works</head><item>A <span style="font-style:italic">b</span></item></list><p>Two</p></biogHist>
      <generalContext><list listType="unordered"><item>u</item></list><list><item>a</item><list><item>b</item></list></list></generalContext><structureOrGenealogy><p>Tree</p></structureOrGenealogy>`,
    });
    expect(reading.of('agent_person')[0]?.['notes']).toMatchObject([
      { jsonmodel_type: 'note_mandate', label: 'Decree', subnotes: [{ content: '1900\n\nof the king' }] },
      { jsonmodel_type: 'note_legal_status', subnotes: [{ content: 'Free' }] },
      {
        jsonmodel_type: 'note_bioghist',
        label: 'Life',
        subnotes: [
          { jsonmodel_type: 'note_abstract', content: ['Short'] },
          { jsonmodel_type: 'note_text', content: 'One <extref href="http://x">here</extref>' },
          { jsonmodel_type: 'note_chronology', items: [{ event_date: '1900', place: 'Rome', events: ['Born'] }] },
          {
            jsonmodel_type: 'note_orderedlist',
            title: 'Works',
            enumeration: 'arabic',
            items: ['A <emph render="italic">b</emph>'],
          },
          { content: 'Two' },
        ],
      },
      {
        jsonmodel_type: 'note_general_context',
        subnotes: [
          { jsonmodel_type: 'note_orderedlist', items: ['u'] },
          { jsonmodel_type: 'note_outline', levels: [{ items: ['a', { items: ['b'] }] }] },
        ],
      },
      { jsonmodel_type: 'note_structure_or_genealogy', subnotes: [{ content: 'Tree' }] },
    ]);
    expect(reading.of('agent_person')[0]?.['notes']).not.toHaveProperty([3, 'subnotes', 0, 'enumeration']);
    expect(droppedOf(reading)).toEqual(['reference: see']);
  });
});

test('what is internal in a note of EAC-CPF 2.0 is in sub-notes that are not published', async () => {
  const hidden = 'audience="internal"';
  const reading = await read({
    description: `<mandates><mandate><term>Decree</term><descriptiveNote ${hidden}><p>kept back</p></descriptiveNote></mandate></mandates>
      <biogHist><head>Life</head><p>One</p><p ${hidden}>Two</p><p>Three</p>
      <list listType="ordered"><item>a</item><item ${hidden}>b</item></list><list><item>c</item><list><item ${hidden}>d</item></list></list>
      <chronList><chronItem><date>1900</date><event>Born</event></chronItem><chronItem ${hidden}><date>1901</date><event>Ill</event></chronItem></chronList></biogHist>`,
  });
  const shown = { publish: true };
  const kept = { publish: false };
  expect(reading.of('agent_person')[0]?.['notes']).toMatchObject([
    {
      ...shown,
      subnotes: [
        { content: 'Decree', ...shown },
        { content: 'kept back', ...kept },
      ],
    },
    {
      label: 'Life',
      ...shown,
      subnotes: [
        { content: 'One\n\nThree', ...shown },
        { items: ['a'], ...shown },
        { items: ['b'], ...kept },
        { levels: [{ items: ['c', { items: ['d'] }] }], ...kept },
        { items: [{ events: ['Born'] }], ...shown },
        { items: [{ events: ['Ill'] }], ...kept },
        { content: 'Two', ...kept },
      ],
    },
  ]);
});

describe('relations of EAC-CPF 2.0', () => {
  const relation = (target: string, rest: string): string =>
    `<relation><targetEntity ${target}</targetEntity>${rest}</relation>`;
  test('make related agents by their type, with the parts of their names, and resources', async () => {
    const reading = await read({
      more: `<relations>${relation('targetType="person"><part localType="surname">Doe</part><part localType="forename">Jo</part>', '<dateRange><fromDate>1900</fromDate><toDate>1901</toDate></dateRange><relationType valueURI="http://t">family</relationType><targetRole>child</targetRole><descriptiveNote><p>own</p></descriptiveNote>')}
      ${relation('targetType="corporateBody"><part>Union</part>', '<relationType>Employer</relationType><targetRole>boss</targetRole><place><placeName>Bonn</placeName></place>')}
      ${relation('targetType="resource" valueURI="http://r"><part>Papers</part>', '<place><placeName vocabularySource="tgn">Rome</placeName><placeRole>origin</placeRole></place><relationType>creatorOf</relationType>')}
      ${relation('targetType="function"><part>Ruling</part>', '')}${relation('targetType="agent"><part>Who</part>', '')}<descriptiveNote><p>all</p></descriptiveNote></relations>
      <alternativeSet><setComponent href="http://a" linkTitle="A"><componentEntry>Elsewhere</componentEntry></setComponent></alternativeSet>`,
    });
    expect(reading.of('agent_person').at(-1)).toMatchObject({
      related_agents: [
        {
          jsonmodel_type: 'agent_relationship_parentchild',
          relator: 'is_parent_of',
          ref: reading.of('agent_person')[0]?.uri,
          description: 'own',
          relationship_uri: 'http://t',
          dates: {},
        },
        { jsonmodel_type: 'agent_relationship_associative', ref: reading.of('agent_corporate_entity')[0]?.uri },
      ],
      agent_resources: [
        {
          linked_agent_role: 'creator',
          linked_resource: 'Papers',
          file_uri: 'http://r',
          places: [{ ref: reading.of('subject')[0]?.uri }],
        },
      ],
      agent_alternate_sets: [{ set_component: 'Elsewhere', file_uri: 'http://a', xlink_title_attribute: 'A' }],
    });
    expect(reading.of('agent_person')[0]).toMatchObject({
      names: [{ primary_name: 'Doe', rest_of_name: 'Jo', name_order: 'inverted' }],
    });
    expect(droppedOf(reading)).toEqual([
      'targetRole: boss',
      'relationType: Employer',
      'placeRole: origin',
      'placeName: Bonn',
      'relation: Who',
      'relation: Ruling',
      'descriptiveNote: all',
    ]);
  });
});

describe('a document of EAC-CPF 2.0', () => {
  test('that is at fault names line, element and reason', async () => {
    const faults = [
      '<eac xmlns="https://archivists.org/ns/eac/v2">\n<control/></eac>',
      '<eac>\n</eac>',
      '<eac xmlns="https://archivists.org/ns/eac/v2">\n<cpfDescription>\n<identity>\n<entityType value="person"/></identity></cpfDescription></eac>',
      '<eac xmlns="https://archivists.org/ns/eac/v2">\n<control>',
    ];
    const errors: unknown[] = [];
    for (const fault of faults)
      await readFormat('eac_xml', fault).catch((error: { readonly error: unknown }) => errors.push(error.error));
    expect(errors).toMatchObject([
      { message: 'The EAC-CPF 2.0 document has no cpfDescription; nothing was created.', line: 1, element: 'eac' },
      {
        message:
          'The document is neither EAC-CPF 2010 nor 2.0: its root element is eac without the namespace https://archivists.org/ns/eac/v2.',
        line: 1,
        element: 'eac',
      },
      { message: 'The identity has no name.', line: 3, element: 'identity' },
      { line: 2, element: 'control' },
    ]);
  });
});
