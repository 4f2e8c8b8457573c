// Kind digital_object. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { refTo, refsTo } from '../schema/build.ts';
import {
  classifications,
  collectionManagement,
  dates,
  extents,
  externalDocuments,
  fileVersions,
  langMaterials,
  linkedAgents,
  linkedEvents,
  metadataRightsDeclarations,
  notesOfDigitalObject,
  representativeFileVersion,
  rightsStatements,
  subjects,
  suppressed,
  userDefined,
} from './parts/described.ts';
import { externalIds, isSlugAuto, slug } from './parts/identifiers.ts';
import { objectsOf, textOf } from '../json.ts';
import { withRepresentativeFileVersion } from '../rules/file-versions.ts';
import { classificationLinks, modifiedWithLinked } from './parts/described-rules.ts';
import { copies, list, refOf, truth } from '../search/documents/reading.ts';

/** Kind `digital_object`. */
export const digitalObject = defineKind({
  name: 'digital_object',
  uri: '/repositories/:repo_id/digital_objects/:id',
  model: 'DigitalObject',
  doc: 'A digital thing that is described and kept as one: a scanned letter, a website, a set of images. It has file versions, each an address at which a form of it is found, and may have components in a tree. Resources, archival objects and accessions show it through an instance.',
  properties: {
    uri: { type: 'string', readonly: true },
    external_ids: externalIds,
    title: { type: 'string', minLength: 1, maxLength: 16384, required: 'error' },
    publish: { type: 'boolean' },
    subjects,
    linked_events: linkedEvents,
    extents,
    lang_materials: langMaterials,
    dates,
    external_documents: externalDocuments,
    rights_statements: rightsStatements,
    linked_agents: linkedAgents,
    suppressed,
    representative_file_version: representativeFileVersion,
    digital_object_id: { type: 'string', maxLength: 255, required: 'error' },
    level: { type: 'string', enumeration: 'digital_object_level' },
    slug,
    is_slug_auto: isSlugAuto,
    digital_object_type: { type: 'string', enumeration: 'digital_object_digital_object_type' },
    file_versions: fileVersions,
    restrictions: { type: 'boolean', default: false },
    tree: { ...refTo(['digital_object_tree']), readonly: true },
    classifications,
    notes: notesOfDigitalObject,
    collection_management: collectionManagement,
    user_defined: userDefined,
    collection: { ...refsTo(['resource', 'accession']), readonly: true, release: 'R-B' },
    linked_instances: { ...refsTo(['resource', 'archival_object']), readonly: true },
    metadata_rights_declarations: metadataRightsDeclarations,
  },
  publishable: true,
  suppressible: true,
  may: {
    read: 'view_repository',
    create: 'update_digital_object_record',
    update: 'update_digital_object_record',
    delete: 'delete_archival_record',
    publish: 'update_digital_object_record',
    suppress: 'suppress_archival_record',
    transfer: 'update_digital_object_record',
    merge: 'merge_archival_record',
  },
  unique: [
    {
      name: 'digital_object.digital_object_id',
      within: 'repository',
      key: (body) => textOf(body, 'digital_object_id') ?? null,
      property: 'digital_object_id',
      says: 'Must be unique',
    },
  ],
  mutual: classificationLinks,
  generate: withRepresentativeFileVersion,
  whenPublished: withRepresentativeFileVersion,
  lookups: ['digital_object_id'],
  label: (body) => textOf(body, 'title') ?? '',
  labelProperty: null,
  computed: ['digital_object_collection', 'tree_ref', 'linked_events', 'linked_instances'],
  stale: true,
  modifiedWith: modifiedWithLinked,
  search: {
    publicTypes: ['pui_record', 'pui'],
    suggestedFirst: true,
    showsUse: 'trees',
    // Whoever shows a record shows its digital objects by their files, and one of these for the record itself.
    shownByOthers: ['digital_object_id', 'file_versions'],
    fields: {
      identifier: { read: (record) => textOf(record, 'digital_object_id') },
      ...copies('digital_object_id', { type: 'string', isCounted: false }),
      ...copies('digital_object_type'),
      restrictions: { type: 'string', read: (record) => String(truth(record, 'restrictions') ?? false) },
      collection_uri_u_sstr: { read: (record) => list(objectsOf(record, 'collection').flatMap(refOf)) },
    },
  },
  example: { title: 'DO', digital_object_id: 'D1' },
});
