// Records of every kind that goes out, with a text of its own in every part that is not for everybody: whoever finds one can name its place.
import type { TestApi } from '../api.ts';

/** Why a text may not go out: it is not published, it is suppressed, or it is for those who work on the record. */
export type Reason = 'unpublished' | 'suppressed' | 'internal';

/** A text that stands in one place alone. */
type Marked = { readonly text: string; readonly place: string; readonly reason: Reason };

/** What was made: where to look, and what may not be there. `shown` stands in published parts, as a proof that parts go out at all. */
export type HiddenRecords = {
  readonly marks: readonly Marked[];
  readonly shown: string;
  readonly repoId: number;
  readonly resource: string;
  readonly component: string;
  readonly digitalObject: string;
  readonly accession: string;
  readonly classification: string;
  readonly agents: readonly (readonly [folder: string, uri: string])[];
  readonly unpublishedAgents: readonly (readonly [folder: string, uri: string])[];
  readonly hiddenResources: readonly string[];
  readonly hiddenObjects: readonly string[];
};

/** Makes the records, in a public repository and in one that is not. */
export async function makeHiddenRecords(api: TestApi): Promise<HiddenRecords> {
  const marks: Marked[] = [];
  const mark =
    (reason: Reason) =>
    (place: string): string => {
      const text = `leak${String(marks.length).padStart(3, '0')}q`;
      marks.push({ text, place, reason });
      return text;
    };
  const [hid, suppressed, internal] = [mark('unpublished'), mark('suppressed'), mark('internal')];
  const shown = 'plainly visible';
  const send = async (path: string, body: object): Promise<string> => {
    const reply = await api.post(path, body);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return String(reply.json.uri);
  };
  const suppress = async (uri: string): Promise<void> => {
    const reply = await api.post(`${uri}/suppressed?suppressed=true`);
    if (reply.status !== 200) throw new Error(`${uri}: ${reply.text}`);
  };
  const vocabulary = '/vocabularies/1';
  const repoUri = await send('/repositories', { repo_code: 'OPEN', name: 'Open repository', publish: true });
  const closedUri = await send('/repositories', {
    repo_code: 'CLOSED',
    name: hid('name of an unpublished repository'),
    org_code: hid('code of an unpublished repository'),
    publish: false,
  });

  const status = await api.get('/config/enumerations/names/resource_finding_aid_status');
  const draft = hid('status of a finding aid that is not published');
  const updated = await api.post(String(status.json.uri), { ...status.json, values: [...status.json.values, draft] });
  if (updated.status !== 200) throw new Error(updated.text);

  const text = (content: string, publish: boolean) => ({ jsonmodel_type: 'note_text', content, publish });
  /** A note of each shape, hidden as a whole and in each of its parts. */
  const notesOf = (owner: string) => [
    {
      jsonmodel_type: 'note_multipart',
      type: 'scopecontent',
      publish: true,
      label: shown,
      subnotes: [
        text(shown, true),
        text(hid(`text of a note of ${owner}`), false),
        {
          jsonmodel_type: 'note_chronology',
          publish: false,
          title: hid(`chronology of ${owner}`),
          items: [{ event_date: '1900', events: [hid(`event of ${owner}`)] }],
        },
        {
          jsonmodel_type: 'note_orderedlist',
          publish: false,
          title: hid(`list of ${owner}`),
          items: [hid(`item of ${owner}`)],
        },
        {
          jsonmodel_type: 'note_definedlist',
          publish: false,
          items: [{ label: hid(`term of ${owner}`), value: hid(`definition of ${owner}`) }],
        },
      ],
    },
    {
      jsonmodel_type: 'note_multipart',
      type: 'accessrestrict',
      publish: false,
      label: hid(`label of a note of ${owner}`),
      subnotes: [text(hid(`published text of a hidden note of ${owner}`), true)],
    },
    {
      jsonmodel_type: 'note_multipart',
      type: 'odd',
      publish: true,
      subnotes: [text(hid(`only text of a note of ${owner}`), false)],
    },
    { jsonmodel_type: 'note_singlepart', type: 'abstract', publish: false, content: [hid(`abstract of ${owner}`)] },
    {
      jsonmodel_type: 'note_singlepart',
      type: 'physdesc',
      publish: false,
      content: [hid(`physical description of ${owner}`)],
    },
    {
      jsonmodel_type: 'note_bibliography',
      publish: false,
      label: hid(`bibliography of ${owner}`),
      content: [hid(`text of a bibliography of ${owner}`)],
      items: [hid(`book of ${owner}`)],
    },
    {
      jsonmodel_type: 'note_index',
      publish: false,
      content: [hid(`index of ${owner}`)],
      items: [{ jsonmodel_type: 'note_index_item', value: hid(`entry of ${owner}`), type: 'subject' }],
    },
  ];
  const langMaterials = (owner: string) => [
    { language_and_script: { language: 'eng', script: 'Latn' } },
    {
      notes: [
        {
          jsonmodel_type: 'note_langmaterial',
          type: 'langmaterial',
          publish: false,
          content: [hid(`language of ${owner}`)],
        },
      ],
    },
  ];
  const documents = (owner: string) => [
    {
      title: hid(`external document of ${owner}`),
      location: `http://example.org/${hid(`address of a document of ${owner}`)}`,
      publish: false,
    },
  ];
  const rights = (owner: string) => [
    {
      rights_type: 'license',
      license_terms: 'terms',
      start_date: '2000-01-01',
      external_documents: [
        {
          title: hid(`document of rights of ${owner}`),
          identifier_type: 'local',
          location: hid(`address of rights of ${owner}`),
          publish: false,
        },
      ],
      notes: [
        {
          jsonmodel_type: 'note_rights_statement',
          type: 'additional_information',
          publish: false,
          content: [hid(`note on rights of ${owner}`)],
        },
      ],
      acts: [
        {
          act_type: 'delete',
          restriction: 'allow',
          start_date: '2000-01-01',
          notes: [
            {
              jsonmodel_type: 'note_rights_statement_act',
              type: 'permissions',
              publish: false,
              content: [hid(`note on an act of ${owner}`)],
            },
          ],
        },
      ],
    },
  ];
  const userDefined = (owner: string) => ({
    user_defined: {
      text_1: internal(`user-defined text of ${owner}`),
      string_1: internal(`user-defined string of ${owner}`),
    },
  });
  const management = (owner: string) => ({
    collection_management: {
      processing_plan: internal(`processing plan of ${owner}`),
      processors: internal(`processors of ${owner}`),
    },
  });
  const file = (place: string) => ({
    file_uri: `http://example.org/${hid(`${place}: address`)}`,
    caption: hid(`${place}: caption`),
    publish: false,
    use_statement: 'image-master',
  });
  const name = { sort_name_auto_generate: true, source: 'local', rules: 'local' };

  const hiddenPerson = await send('/agents/people', {
    publish: false,
    names: [
      {
        ...name,
        primary_name: hid('name of an unpublished person'),
        rest_of_name: hid('first name of an unpublished person'),
        name_order: 'inverted',
      },
    ],
    notes: [
      { jsonmodel_type: 'note_bioghist', publish: true, subnotes: [text(hid('life of an unpublished person'), true)] },
    ],
  });
  const hiddenFamily = await send('/agents/families', {
    publish: false,
    names: [{ ...name, family_name: hid('name of an unpublished family') }],
  });
  const hiddenBody = await send('/agents/corporate_entities', {
    publish: false,
    names: [{ ...name, primary_name: hid('name of an unpublished body') }],
  });
  const hiddenAgents = [hiddenPerson, hiddenFamily, hiddenBody];
  const subject = await send('/subjects', {
    source: 'lcsh',
    vocabulary,
    publish: true,
    terms: [{ term: shown, term_type: 'topical', vocabulary }],
    external_documents: documents('a subject'),
  });
  const place = await send('/subjects', {
    source: 'lcsh',
    vocabulary,
    publish: true,
    terms: [{ term: 'Bonn', term_type: 'geographic', vocabulary }],
  });
  const agentParts = (owner: string) => ({
    publish: true,
    external_documents: documents(owner),
    agent_contacts: [
      {
        name: internal(`contact of ${owner}`),
        address_1: internal(`address of ${owner}`),
        email: internal(`mail of ${owner}`),
        telephones: [{ number: internal(`telephone of ${owner}`) }],
        notes: [
          {
            jsonmodel_type: 'note_contact_note',
            date_of_contact: '2000-01-01',
            contact_notes: internal(`note on a contact of ${owner}`),
          },
        ],
      },
    ],
    // These parts are published with their agent (contract, records 5.1), their notes by themselves.
    agent_places: [{ subjects: [{ ref: place }], notes: [text(hid(`note on a place of ${owner}`), false)] }],
    agent_occupations: [
      { subjects: [{ ref: subject }], notes: [text(hid(`note on an occupation of ${owner}`), false)] },
    ],
    agent_functions: [{ subjects: [{ ref: subject }], notes: [text(hid(`note on a function of ${owner}`), false)] }],
    agent_topics: [{ subjects: [{ ref: subject }], notes: [text(hid(`note on a topic of ${owner}`), false)] }],
    used_languages: [{ language: 'eng', notes: [text(hid(`note on a language of ${owner}`), false)] }],
    related_agents: hiddenAgents.map((ref) => ({
      jsonmodel_type: 'agent_relationship_associative',
      relator: 'is_associative_with',
      ref,
      description: hid(`relation of ${owner} to ${ref}`),
    })),
    notes: [
      {
        jsonmodel_type: 'note_bioghist',
        publish: true,
        subnotes: [
          text(shown, true),
          text(hid(`text of the life of ${owner}`), false),
          { jsonmodel_type: 'note_abstract', publish: false, content: [hid(`abstract of the life of ${owner}`)] },
          { jsonmodel_type: 'note_citation', publish: false, content: [hid(`citation of the life of ${owner}`)] },
          {
            jsonmodel_type: 'note_outline',
            publish: false,
            levels: [{ items: [hid(`outline of the life of ${owner}`)] }],
          },
        ],
      },
      {
        jsonmodel_type: 'note_bioghist',
        publish: false,
        label: hid(`label of a hidden life of ${owner}`),
        subnotes: [text(hid(`hidden life of ${owner}`), true)],
      },
      { jsonmodel_type: 'note_general_context', publish: false, subnotes: [text(hid(`context of ${owner}`), true)] },
    ],
  });
  const person = await send('/agents/people', {
    ...agentParts('a person'),
    agent_genders: [{ gender: 'not_specified', notes: [text(hid('note on a gender'), false)] }],
    names: [{ ...name, primary_name: 'Seen', rest_of_name: 'Sue', name_order: 'inverted' }],
  });
  const family = await send('/agents/families', {
    ...agentParts('a family'),
    names: [{ ...name, family_name: 'Seen' }],
  });
  const body = await send('/agents/corporate_entities', {
    ...agentParts('a body'),
    names: [{ ...name, primary_name: 'Seen company' }],
  });

  const linkedAgents = [
    { ref: person, role: 'creator' },
    { ref: body, role: 'source' },
    { ref: family, role: 'subject' },
    ...hiddenAgents.flatMap((ref) => ['creator', 'subject', 'source'].map((role) => ({ ref, role }))),
  ];
  const dates = [{ date_type: 'inclusive', label: 'creation', begin: '1900', end: '1950' }];
  const extents = [{ portion: 'whole', number: '3', extent_type: 'linear_feet' }];
  const subjects = [{ ref: subject }];
  const objectNotes = (owner: string) => [
    { jsonmodel_type: 'note_digital_object', type: 'summary', publish: true, content: [shown] },
    ...['note', 'accessrestrict', 'physdesc', 'dimensions', 'prefercite', 'bioghist'].map((type) => ({
      jsonmodel_type: 'note_digital_object',
      type,
      publish: false,
      content: [hid(`${type} of ${owner}`)],
    })),
  ];

  const digitalObject = await send(`${repoUri}/digital_objects`, {
    digital_object_id: 'D1',
    title: 'Visible object',
    publish: true,
    linked_agents: linkedAgents,
    subjects,
    dates,
    extents,
    lang_materials: langMaterials('a digital object'),
    external_documents: documents('a digital object'),
    rights_statements: rights('a digital object'),
    file_versions: [
      { file_uri: 'http://example.org/seen.jpg', publish: true, use_statement: 'image-master' },
      file('file of a digital object'),
    ],
    notes: objectNotes('a digital object'),
    ...management('a digital object'),
    ...userDefined('a digital object'),
  });
  const page = (place: string, publish: boolean, more: object = {}) =>
    send(`${repoUri}/digital_object_components`, {
      digital_object: { ref: digitalObject },
      title: publish ? `Page ${place}` : hid(place),
      publish,
      ...more,
    });
  await page('seen', true, {
    file_versions: [file('file of a page')],
    notes: objectNotes('a page'),
    linked_agents: linkedAgents,
    lang_materials: langMaterials('a page'),
    external_documents: documents('a page'),
  });
  const hiddenPage = await page('title of an unpublished page', false, {
    notes: [
      {
        jsonmodel_type: 'note_digital_object',
        type: 'note',
        publish: true,
        content: [hid('note of an unpublished page')],
      },
    ],
    file_versions: [{ file_uri: `http://example.org/${hid('published file of an unpublished page')}`, publish: true }],
  });
  await send(`${repoUri}/digital_object_components`, {
    digital_object: { ref: digitalObject },
    parent: { ref: hiddenPage },
    title: hid('published page below an unpublished one'),
    publish: true,
  });
  await suppress(
    await send(`${repoUri}/digital_object_components`, {
      digital_object: { ref: digitalObject },
      title: suppressed('suppressed page'),
      publish: true,
      file_versions: [{ file_uri: `http://example.org/${suppressed('file of a suppressed page')}`, publish: true }],
    }),
  );
  const hiddenObject = await send(`${repoUri}/digital_objects`, {
    digital_object_id: hid('identifier of an unpublished digital object'),
    title: hid('title of an unpublished digital object'),
    publish: false,
    file_versions: [
      { file_uri: `http://example.org/${hid('published file of an unpublished digital object')}`, publish: true },
    ],
    notes: [
      {
        jsonmodel_type: 'note_digital_object',
        type: 'summary',
        publish: true,
        content: [hid('note of an unpublished digital object')],
      },
    ],
  });
  const suppressedObject = await send(`${repoUri}/digital_objects`, {
    digital_object_id: suppressed('identifier of a suppressed digital object'),
    title: suppressed('title of a suppressed digital object'),
    publish: true,
    file_versions: [
      { file_uri: `http://example.org/${suppressed('file of a suppressed digital object')}`, publish: true },
    ],
  });
  const location = await send('/locations', { building: 'Stacks', room: '1', barcode: 'shelf1' });
  const box = await send(`${repoUri}/top_containers`, {
    indicator: '1',
    type: 'box',
    internal_note: internal('note on a box'),
    container_locations: [
      { ref: location, status: 'current', start_date: '2000-01-01', note: internal('note on the place of a box') },
    ],
  });
  const instances = [
    { instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } },
    ...[digitalObject, hiddenObject, suppressedObject].map((ref) => ({
      instance_type: 'digital_object',
      digital_object: { ref },
    })),
  ];

  // Classifications have no flag that a client may set: those of a public repository are public.
  const classification = await send(`${repoUri}/classifications`, {
    identifier: 'C1',
    title: 'Visible class',
    creator: { ref: hiddenPerson },
  });
  const closedClass = await send(`${closedUri}/classifications`, {
    identifier: hid('identifier of a classification in an unpublished repository'),
    title: hid('title of a classification in an unpublished repository'),
  });
  await send(`${closedUri}/classification_terms`, {
    identifier: hid('identifier of a class in an unpublished repository'),
    title: hid('title of a class in an unpublished repository'),
    description: hid('description of a class in an unpublished repository'),
    classification: { ref: closedClass },
  });

  const resourceBody = { level: 'collection', finding_aid_language: 'eng', finding_aid_script: 'Latn', dates, extents };
  const accession = await send(`${repoUri}/accessions`, {
    id_0: 'A1',
    title: 'Visible accession',
    accession_date: '2000-01-01',
    publish: true,
    linked_agents: linkedAgents,
    external_documents: documents('an accession'),
    lang_materials: langMaterials('an accession'),
    rights_statements: rights('an accession'),
    ...management('an accession'),
    ...userDefined('an accession'),
  });
  const hiddenAccession = await send(`${repoUri}/accessions`, {
    id_0: hid('identifier of an unpublished accession'),
    title: hid('title of an unpublished accession'),
    content_description: hid('content of an unpublished accession'),
    accession_date: '2000-01-01',
    publish: false,
  });
  const suppressedAccession = await send(`${repoUri}/accessions`, {
    id_0: suppressed('identifier of a suppressed accession'),
    title: suppressed('title of a suppressed accession'),
    accession_date: '2000-01-01',
    publish: true,
  });

  const resource = await send(`${repoUri}/resources`, {
    ...resourceBody,
    id_0: 'R1',
    title: 'Visible papers',
    publish: true,
    ead_id: 'r1',
    repository_processing_note: internal('processing note of a resource'),
    finding_aid_status: draft,
    is_finding_aid_status_published: false,
    subjects,
    linked_agents: linkedAgents,
    instances,
    lang_materials: langMaterials('a resource'),
    notes: notesOf('a resource'),
    external_documents: documents('a resource'),
    rights_statements: rights('a resource'),
    classifications: [{ ref: classification }],
    related_accessions: [accession, hiddenAccession, suppressedAccession].map((ref) => ({ ref })),
    revision_statements: [
      { date: '2000', description: shown, publish: true },
      { date: hid('date of a revision'), description: hid('revision of a finding aid'), publish: false },
    ],
    ...management('a resource'),
    ...userDefined('a resource'),
  });
  await suppress(suppressedAccession);
  await suppress(suppressedObject);
  const component = await send(`${repoUri}/archival_objects`, {
    resource: { ref: resource },
    title: 'Visible file',
    level: 'file',
    publish: true,
    ref_id: 'seen',
    repository_processing_note: internal('processing note of a component'),
    subjects,
    linked_agents: linkedAgents,
    instances,
    lang_materials: langMaterials('a component'),
    notes: notesOf('a component'),
    external_documents: documents('a component'),
    rights_statements: rights('a component'),
    dates,
    extents,
  });
  const hiddenComponent = await send(`${repoUri}/archival_objects`, {
    resource: { ref: resource },
    title: hid('title of an unpublished component'),
    component_id: hid('identifier of an unpublished component'),
    level: 'series',
    publish: false,
    notes: [
      {
        jsonmodel_type: 'note_multipart',
        type: 'scopecontent',
        publish: true,
        subnotes: [text(hid('note of an unpublished component'), true)],
      },
    ],
  });
  await send(`${repoUri}/archival_objects`, {
    resource: { ref: resource },
    parent: { ref: hiddenComponent },
    title: hid('published component below an unpublished one'),
    level: 'file',
    publish: true,
    linked_agents: [{ ref: person, role: 'creator' }],
  });
  const suppressedComponent = await send(`${repoUri}/archival_objects`, {
    resource: { ref: resource },
    title: suppressed('title of a suppressed component'),
    component_id: suppressed('identifier of a suppressed component'),
    level: 'file',
    publish: true,
    linked_agents: [{ ref: person, role: 'creator' }],
  });
  await suppress(suppressedComponent);
  const linkOnly = [
    { ref: person, role: 'creator' },
    { ref: family, role: 'subject' },
    { ref: body, role: 'source' },
  ];
  const hiddenResource = await send(`${repoUri}/resources`, {
    ...resourceBody,
    id_0: hid('identifier of an unpublished resource'),
    title: hid('title of an unpublished resource'),
    ead_id: hid('EAD id of an unpublished resource'),
    publish: false,
    linked_agents: linkOnly,
    subjects,
    lang_materials: [{ language_and_script: { language: 'eng' } }],
  });
  await send(`${repoUri}/archival_objects`, {
    resource: { ref: hiddenResource },
    title: hid('published component of an unpublished resource'),
    level: 'file',
    publish: true,
    linked_agents: linkOnly,
  });
  const suppressedResource = await send(`${repoUri}/resources`, {
    ...resourceBody,
    id_0: suppressed('identifier of a suppressed resource'),
    title: suppressed('title of a suppressed resource'),
    publish: true,
    linked_agents: linkOnly,
    lang_materials: [{ language_and_script: { language: 'eng' } }],
  });
  await send(`${repoUri}/archival_objects`, {
    resource: { ref: suppressedResource },
    title: suppressed('component of a suppressed resource'),
    level: 'file',
    publish: true,
    linked_agents: linkOnly,
  });
  await suppress(suppressedResource);
  const closedResource = await send(`${closedUri}/resources`, {
    ...resourceBody,
    id_0: hid('identifier in an unpublished repository'),
    title: hid('published resource of an unpublished repository'),
    publish: true,
    linked_agents: linkOnly,
    lang_materials: [{ language_and_script: { language: 'eng' } }],
  });
  await send(`${closedUri}/archival_objects`, {
    resource: { ref: closedResource },
    title: hid('component in an unpublished repository'),
    level: 'file',
    publish: true,
  });
  await send(`${closedUri}/digital_objects`, {
    digital_object_id: hid('identifier of an object in an unpublished repository'),
    title: hid('object in an unpublished repository'),
    publish: true,
    linked_agents: linkOnly,
  });
  await send(`${closedUri}/accessions`, {
    id_0: hid('identifier of an accession in an unpublished repository'),
    title: hid('accession in an unpublished repository'),
    accession_date: '2000-01-01',
    publish: true,
  });
  await send(`${repoUri}/events`, {
    event_type: 'accession',
    outcome_note: internal('note on an event'),
    date: { date_type: 'single', label: 'event', begin: '2000' },
    linked_agents: [{ ref: person, role: 'executing_program' }],
    linked_records: [{ ref: resource, role: 'source' }],
  });

  return {
    marks,
    shown,
    repoId: Number(repoUri.split('/').at(-1)),
    resource,
    component,
    digitalObject,
    accession,
    classification,
    agents: [
      ['people', person],
      ['families', family],
      ['corporate_entities', body],
    ],
    unpublishedAgents: [
      ['people', hiddenPerson],
      ['families', hiddenFamily],
      ['corporate_entities', hiddenBody],
    ],
    hiddenResources: [hiddenResource, suppressedResource],
    hiddenObjects: [hiddenObject, suppressedObject],
  };
}
