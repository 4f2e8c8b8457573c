// Records of every kind that goes out, with a text of its own in every part that is not for everybody: whoever finds one can name its place.
import type { TestApi } from '../api.ts';
import { makeHiddenAgents } from './hidden-agents.ts';
import { makeHiddenObjects, measures } from './hidden-objects.ts';
import { hiddenParts, newMarks, sendingTo, shown } from './hidden-parts.ts';
import type { Marked } from './hidden-parts.ts';
import { text } from './notes.ts';

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
  const marks = newMarks();
  const { hid, suppressed, internal } = marks;
  const { notesOf, langMaterials, documents, rights, userDefined, management } = hiddenParts(marks);
  const sending = sendingTo(api);
  const { send, suppress } = sending;
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

  const agents = await makeHiddenAgents(marks, sending);
  const { person, family, body, hiddenPerson, hiddenFamily, hiddenBody, subject, linkedAgents } = agents;
  const { dates, extents } = measures;
  const subjects = [{ ref: subject }];
  const { digitalObject, hiddenObject, suppressedObject } = await makeHiddenObjects(marks, sending, repoUri, agents);
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
    marks: marks.given,
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
