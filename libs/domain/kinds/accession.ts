// Kind accession. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partsOf, refsTo } from '../schema/build.ts';
import { AccessionPartsRelationship, AccessionSiblingRelationship } from '../subrecords/related-accession.ts';
import {
  classifications,
  collectionManagement,
  dates,
  deaccessions,
  extents,
  externalDocuments,
  instances,
  langMaterials,
  linkedAgents,
  linkedEvents,
  metadataRightsDeclarations,
  representativeFileVersion,
  rightsStatements,
  subjects,
  suppressed,
  userDefined,
} from './parts/described.ts';
import { externalIds, id0, id1, id2, id3, isSlugAuto, slug } from './parts/identifiers.ts';
import { accessionLabel } from '../labels/described.ts';
import { identifierFits, identifierHasNoGaps, identifierKey } from '../identifiers/four-parts.ts';
import { oppositeLink } from '../rules/relators.ts';
import { classificationLinks, instanceLinks, modifiedWithLinked } from './parts/described-rules.ts';
import { copies, displayedTitle, flags, fourParts } from '../search/documents/reading.ts';
import { textOf } from '../json.ts';

function yearOf(date: string | undefined): number | undefined {
  const digits = /^\d{4}/.exec(date ?? '');
  return digits === null ? undefined : Number(digits[0]);
}

/** Kind `accession`. */
export const accession = defineKind({
  name: 'accession',
  uri: '/repositories/:repo_id/accessions/:id',
  model: 'Accession',
  doc: 'What a repository received in one go, and the terms on which it did: date, source, extent, condition, restrictions, what was agreed. An accession is recorded on arrival, before the material is arranged; later it is related to the resources it became part of. Its identifier has up to four parts and is unique in the repository.',
  properties: {
    uri: { type: 'string', readonly: true },
    external_ids: externalIds,
    title: { type: 'string', maxLength: 8192 },
    display_string: { type: 'string', maxLength: 8192, readonly: true },
    slug,
    is_slug_auto: isSlugAuto,
    id_0: id0,
    id_1: id1,
    id_2: id2,
    id_3: id3,
    content_description: { type: 'string', maxLength: 65000 },
    condition_description: { type: 'string', maxLength: 65000 },
    disposition: { type: 'string', maxLength: 65000 },
    inventory: { type: 'string', maxLength: 65000 },
    provenance: { type: 'string', maxLength: 65000 },
    related_accessions: {
      ...partsOf(() => [AccessionPartsRelationship, AccessionSiblingRelationship]),
      resolvedInSearch: true,
    },
    accession_date: { type: 'date', default: '9999-12-31' },
    publish: { type: 'boolean' },
    classifications,
    subjects,
    linked_events: linkedEvents,
    extents,
    lang_materials: langMaterials,
    dates,
    external_documents: externalDocuments,
    rights_statements: rightsStatements,
    deaccessions,
    collection_management: collectionManagement,
    user_defined: userDefined,
    related_resources: refsTo(['resource']),
    component_links: refsTo(['archival_object']),
    suppressed,
    acquisition_type: { type: 'string', enumeration: 'accession_acquisition_type' },
    resource_type: { type: 'string', enumeration: 'accession_resource_type' },
    language: { type: 'string', enumeration: 'language_iso639_2' },
    script: { type: 'string', enumeration: 'script_iso15924' },
    restrictions_apply: { type: 'boolean', default: false },
    retention_rule: { type: 'string', maxLength: 65000 },
    general_note: { type: 'string', maxLength: 65000 },
    access_restrictions: { type: 'boolean', default: false },
    access_restrictions_note: { type: 'string', maxLength: 65000 },
    use_restrictions: { type: 'boolean', default: false },
    use_restrictions_note: { type: 'string', maxLength: 65000 },
    linked_agents: linkedAgents,
    instances,
    metadata_rights_declarations: metadataRightsDeclarations,
    representative_file_version: representativeFileVersion,
  },
  publishable: true,
  suppressible: true,
  rules: [identifierHasNoGaps],
  lateRules: [identifierFits],
  may: {
    read: 'view_repository',
    create: 'update_accession_record',
    update: 'update_accession_record',
    delete: 'delete_archival_record',
    suppress: 'suppress_archival_record',
    transfer: 'update_accession_record',
  },
  unique: [
    {
      name: 'accession.identifier',
      within: 'repository',
      key: identifierKey,
      property: 'id_0',
      says: 'That ID is already in use',
    },
  ],
  links: instanceLinks,
  mutual: {
    related_accessions: { relation: 'related_accession', inverse: oppositeLink },
    related_resources: { relation: 'spawned' },
    component_links: { relation: 'accession_component_links' },
    ...classificationLinks,
  },
  label: accessionLabel,
  labelProperty: 'display_string',
  computed: ['linked_events', 'representative_file_version'],
  stale: true,
  modifiedWith: modifiedWithLinked,
  search: {
    factor: 3,
    publicTypes: ['pui_record', 'pui'],
    suggestedFirst: true,
    fields: {
      title: { read: displayedTitle },
      identifier: { read: (record) => fourParts(record).join('-') || undefined },
      accession_date: {
        type: 'string',
        read: (record) =>
          textOf(record, 'accession_date') === '9999-12-31' ? 'Unknown' : textOf(record, 'accession_date'),
      },
      accession_date_year: { type: 'int', read: (record) => yearOf(textOf(record, 'accession_date')) },
      ...copies('acquisition_type resource_type'),
      ...flags('restrictions_apply access_restrictions use_restrictions'),
    },
  },
  example: { id_0: 'A1', accession_date: '2020-01-01' },
});
