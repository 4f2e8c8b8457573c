// Records with something in every place that the writers of formats read, published and not: whatever is unpublished holds `marker`.
import type { TestApi } from '../api.ts';

/** A text that no export may hold unless unpublished parts are asked for. */
export const marker = 'LEAKED';

/** The uris of what was made. */
export type ExportRecords = {
  readonly person: string;
  readonly family: string;
  readonly corporate: string;
  readonly hidden: string;
  readonly resource: string;
  readonly component: string;
  readonly digitalObject: string;
};

const note = (type: string, content: string, publish = true) => ({
  jsonmodel_type: 'note_multipart',
  type,
  publish,
  subnotes: [{ jsonmodel_type: 'note_text', content, publish }],
});
const single = (type: string, content: string, publish = true) => ({
  jsonmodel_type: 'note_singlepart',
  type,
  publish,
  content: [content],
});
const ofObject = (type: string, content: string, publish = true) => ({
  jsonmodel_type: 'note_digital_object',
  type,
  publish,
  content: [content],
});
const existence = {
  date_label: 'existence',
  date_type_structured: 'range',
  structured_date_range: {
    begin_date_expression: 'about 1870',
    begin_date_standardized: '1870',
    begin_date_standardized_type: 'not_before',
    end_date_standardized: '1930-05-01',
    end_date_standardized_type: 'standard',
  },
};

/** Makes the records in a repository. */
export async function makeExportRecords(api: TestApi, repoId: number): Promise<ExportRecords> {
  const made = async (
    path: string,
    given: { readonly names?: readonly object[]; readonly [property: string]: unknown },
  ): Promise<string> => {
    const body =
      given.names === undefined
        ? given
        : { ...given, names: given.names.map((name) => ({ sort_name_auto_generate: true, ...name })) };
    return api.create(path, body);
  };
  const vocabulary = '/vocabularies/1';
  const subject = (source: string, ...terms: readonly (readonly [string, string])[]) =>
    made('/subjects', {
      source,
      vocabulary,
      authority_id: `id-${terms[0]?.[1] ?? ''}`,
      terms: terms.map(([term_type, term]) => ({ term, term_type, vocabulary })),
    });
  const letters = await subject('lcsh', ['topical', 'Letters'], ['geographic', 'Germany'], ['technique', 'Pen']);
  const place = await subject('tgn', ['geographic', 'Dresden']);
  const work = await subject('aat', ['occupation', 'Painter']);
  const genre = await subject('local', ['genre_form', 'Diaries & <emph>such</emph>']);
  const contact = { name: `${marker} desk`, address_1: 'Secret Road', email: 'secret@example.org' };

  const corporate = await made('/agents/corporate_entities', {
    publish: true,
    agent_contacts: [contact],
    names: [
      {
        primary_name: 'Acme',
        subordinate_name_1: 'Division',
        number: '5',
        qualifier: 'firm',
        source: 'naf',
        authority_id: 'n 77',
        authorized: true,
        is_display_name: true,
        parallel_names: [{ primary_name: 'Akme', language: 'ger', script: 'Latn' }],
      },
    ],
  });
  const hidden = await made('/agents/people', {
    publish: false,
    names: [{ primary_name: `${marker} Person`, name_order: 'inverted', source: 'local' }],
  });
  const family = await made('/agents/families', {
    publish: true,
    names: [
      {
        family_name: 'Muster',
        prefix: 'von',
        family_type: 'Dynasty',
        dates: '1500-',
        source: 'local',
        authorized: true,
      },
    ],
  });
  const person = await made('/agents/people', {
    publish: true,
    agent_contacts: [contact],
    dates_of_existence: [
      existence,
      {
        date_label: 'existence',
        date_type_structured: 'single',
        structured_date_single: { date_role: 'begin', date_expression: 'long ago' },
      },
    ],
    names: [
      {
        primary_name: 'Muster',
        rest_of_name: 'Anna',
        title: 'Dr',
        number: 'II',
        dates: '1870-1930',
        fuller_form: 'Annabel',
        qualifier: 'painter',
        name_order: 'inverted',
        source: 'naf',
        authority_id: 'n 1',
        authorized: true,
        is_display_name: true,
        use_dates: [existence],
      },
      { primary_name: 'Nusterin', name_order: 'direct', rest_of_name: 'Frau', source: 'local' },
    ],
    agent_record_controls: [
      {
        maintenance_status: 'revised_corrected',
        publication_status: 'approved',
        language: 'eng',
        maintenance_agency: 'US-X',
        agency_name: 'Agency',
        romanization: 'int_std',
        level_of_detail: 'fully_established',
        name_type: 'differentiated',
      },
    ],
    agent_record_identifiers: [
      { primary_identifier: true, record_identifier: 'n 123/4', source: 'naf', identifier_type: 'loc' },
      { primary_identifier: false, record_identifier: '77', source: 'snac', identifier_type: 'local' },
    ],
    agent_identifiers: [{ entity_identifier: 'isni 1', identifier_type: 'local' }],
    agent_conventions_declarations: [{ name_rule: 'dacs', file_uri: 'http://example.org/a b' }],
    agent_maintenance_histories: [
      {
        maintenance_event_type: 'created',
        maintenance_agent_type: 'human',
        event_date: '2020-02-03',
        agent: 'Cataloguer',
        descriptive_note: 'made',
      },
    ],
    agent_sources: [{ source_entry: 'A book', file_uri: 'http://example.org/book', descriptive_note: 'read' }],
    agent_places: [
      {
        publish: true,
        place_role: 'place_of_birth',
        subjects: [{ ref: place }],
        dates: [existence],
        notes: [
          { jsonmodel_type: 'note_citation', content: ['cited'], publish: true },
          { jsonmodel_type: 'note_text', content: 'there', publish: true },
        ],
      },
    ],
    agent_occupations: [{ publish: true, subjects: [{ ref: work }], places: [{ ref: place }] }],
    agent_functions: [{ publish: true, subjects: [{ ref: letters }] }],
    agent_topics: [{ publish: true, subjects: [{ ref: letters }] }],
    agent_genders: [{ gender: 'not_specified' }],
    agent_resources: [
      {
        publish: true,
        linked_agent_role: 'creator',
        linked_resource: 'A work',
        file_uri: 'http://example.org/w',
        places: [{ ref: place }],
      },
    ],
    agent_alternate_sets: [{ set_component: 'Elsewhere', descriptive_note: 'too' }],
    used_languages: [
      { language: 'ger', script: 'Latn' },
      { language: 'eng', notes: [{ jsonmodel_type: 'note_text', content: 'a little', publish: true }] },
    ],
    related_agents: [
      { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: hidden },
      {
        jsonmodel_type: 'agent_relationship_associative',
        relator: 'is_associative_with',
        ref: corporate,
        description: 'worked there',
      },
    ],
    notes: [
      {
        jsonmodel_type: 'note_bioghist',
        publish: true,
        subnotes: [
          { jsonmodel_type: 'note_abstract', content: ['In short.'], publish: true },
          { jsonmodel_type: 'note_text', content: 'First & foremost.\n\nThen <emph>more</emph>.', publish: true },
          { jsonmodel_type: 'note_text', content: `${marker} part`, publish: false },
          {
            jsonmodel_type: 'note_chronology',
            title: 'Life',
            publish: true,
            items: [{ event_date: '1900', events: ['Paints', 'Sells'] }],
          },
          { jsonmodel_type: 'note_orderedlist', publish: true, title: 'List', items: ['one', 'two'] },
          { jsonmodel_type: 'note_definedlist', publish: true, items: [{ label: 'l', value: 'v' }] },
          { jsonmodel_type: 'note_outline', publish: true, levels: [{ items: ['a', { items: ['b'] }, 'c'] }] },
          {
            jsonmodel_type: 'note_citation',
            content: ['Quoted'],
            publish: true,
            xlink: { href: 'http://example.org/q' },
          },
        ],
      },
      {
        jsonmodel_type: 'note_bioghist',
        publish: false,
        subnotes: [{ jsonmodel_type: 'note_text', content: `${marker} life`, publish: true }],
      },
      {
        jsonmodel_type: 'note_general_context',
        publish: true,
        subnotes: [{ jsonmodel_type: 'note_text', content: 'Context.', publish: true }],
      },
    ],
  });

  const dates = [
    { date_type: 'inclusive', label: 'creation', begin: '1900', end: '1950' },
    { date_type: 'bulk', label: 'creation', expression: 'mostly 1920s' },
  ];
  const linked_agents = [
    { ref: person, role: 'creator', relator: 'art' },
    { ref: hidden, role: 'creator' },
    { ref: corporate, role: 'source' },
    { ref: family, role: 'subject' },
    { ref: corporate, role: 'subject', terms: [{ term: 'History', term_type: 'topical', vocabulary }] },
  ];
  const lang_materials = [
    { language_and_script: { language: 'ger', script: 'Latn' } },
    {
      notes: [
        { jsonmodel_type: 'note_langmaterial', type: 'langmaterial', publish: true, content: ['German, mostly'] },
        { jsonmodel_type: 'note_langmaterial', type: 'langmaterial', publish: false, content: [`${marker} language`] },
      ],
    },
  ];
  const subjects = [{ ref: letters }, { ref: genre }];
  const resource = await made(`/repositories/${repoId}/resources`, {
    title: 'Papers of <emph>Anna</emph> & others',
    id_0: 'MS',
    id_1: '1',
    level: 'collection',
    publish: true,
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
    finding_aid_description_rules: 'dacs',
    ead_location: 'http://example.org/fa',
    dates,
    linked_agents,
    lang_materials,
    subjects,
    extents: [{ portion: 'whole', number: '3', extent_type: 'linear_feet', container_summary: '2 boxes' }],
    notes: [
      note('scopecontent', 'Letters'),
      note('odd', 'Odd things!'),
      note('acqinfo', 'Given'),
      note('processinfo', `${marker} processing`, false),
      note('bioghist', `${marker} biography`, false),
      single('abstract', 'Short'),
      single('physdesc', `${marker} physical`, false),
      { jsonmodel_type: 'note_bibliography', publish: true, content: ['Books'], items: ['One'] },
      { jsonmodel_type: 'note_bibliography', publish: false, content: [`${marker} books`], items: [] },
    ],
  });
  const component = await made(`/repositories/${repoId}/archival_objects`, {
    title: 'Letters to Anna',
    level: 'file',
    publish: true,
    component_id: '2.1',
    resource: { ref: resource },
    dates,
    linked_agents,
    lang_materials,
    subjects,
    notes: [note('accessrestrict', 'Open'), single('abstract', `${marker} abstract`, false)],
  });
  await made(`/repositories/${repoId}/archival_objects`, {
    title: `${marker} component`,
    level: 'file',
    publish: false,
    resource: { ref: resource },
    linked_agents: [{ ref: person, role: 'subject' }],
  });
  const digitalObject = await made(`/repositories/${repoId}/digital_objects`, {
    title: 'Album & <emph>prints</emph>',
    digital_object_id: 'DO 1',
    digital_object_type: 'mixed_materials',
    publish: true,
    linked_agents,
    lang_materials,
    subjects,
    dates: [...dates, { date_type: 'single', label: 'digitized', begin: '2001-02-03', certainty: 'approximate' }],
    extents: [
      { portion: 'whole', number: '5', extent_type: 'gigabytes', physical_details: 'scans', dimensions: 'small' },
    ],
    file_versions: [
      { file_uri: 'http://example.org/1.jpg', use_statement: 'image-master', publish: true },
      { file_uri: `http://example.org/${marker}.jpg`, publish: false },
    ],
    notes: [
      ofObject('prefercite', 'Cite so'),
      ofObject('accessrestrict', 'Ask'),
      ofObject('physdesc', 'Glass'),
      ofObject('originalsloc', 'Attic'),
      ofObject('note', `${marker} note`, false),
      ofObject('dimensions', `${marker} size`, false),
    ],
  });
  const page = await made(`/repositories/${repoId}/digital_object_components`, {
    title: 'Page 1',
    publish: true,
    digital_object: { ref: digitalObject },
  });
  await made(`/repositories/${repoId}/digital_object_components`, {
    title: 'Detail',
    label: 'd',
    publish: true,
    digital_object: { ref: digitalObject },
    parent: { ref: page },
    file_versions: [{ file_uri: 'http://example.org/2.jpg', use_statement: 'image-master', publish: true }],
  });
  const below = await made(`/repositories/${repoId}/digital_object_components`, {
    title: `${marker} page`,
    publish: false,
    digital_object: { ref: digitalObject },
  });
  await made(`/repositories/${repoId}/digital_object_components`, {
    title: `${marker} below`,
    publish: true,
    digital_object: { ref: digitalObject },
    parent: { ref: below },
  });
  return { person, family, corporate, hidden, resource, component, digitalObject };
}
