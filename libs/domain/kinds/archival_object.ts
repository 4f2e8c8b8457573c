// Kind archival_object. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { refTo, refsTo } from '../schema/build.ts';
import {
  dates,
  extents,
  externalDocuments,
  instances,
  langMaterials,
  linkedAgents,
  linkedEvents,
  notes,
  representativeFileVersion,
  rightsStatements,
  subjects,
  suppressed,
} from './parts/described.ts';
import {
  arkName,
  externalArkUrl,
  externalIds,
  importCurrentArk,
  importPreviousArks,
  isSlugAuto,
  slug,
} from './parts/identifiers.ts';
import { hasUnpublishedAncestor, position } from './parts/tree-node.ts';
import { objectOf, textOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';
import { archivalObjectLabel, shownLevel } from '../labels/described.ts';
import { instanceLinks, modifiedWithLinked, otherLevelNamed } from './parts/described-rules.ts';
import { identifierText } from '../identifiers/four-parts.ts';
import { containersOf, datesOf, levelOf } from '../tree/shown.ts';
import { copies, displayedTitle } from '../search/documents/reading.ts';

const hasTitleOrDate: Rule = (body, report) => {
  const dates = body['dates'];
  if (textOf(body, 'title') !== undefined || (Array.isArray(dates) && dates.length > 0)) return;
  report('dates', 'one or more required (or enter a Title)');
  report('title', 'must not be an empty string (or enter a Date)');
};

/** Kind `archival_object`. */
export const archivalObject = defineKind({
  name: 'archival_object',
  uri: '/repositories/:repo_id/archival_objects/:id',
  model: 'ArchivalObject',
  doc: 'A part of a resource, described in its place: a series, a file, an item. Archival objects stand in a tree under their resource and in order among their siblings; what is said of a parent holds for its parts. Each has a ref_id that stays the same for life, by which finding aids and other systems point at it.',
  properties: {
    uri: { type: 'string', readonly: true },
    external_ids: externalIds,
    title: { type: 'string', minLength: 1, maxLength: 8192 },
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
    ref_id: { type: 'string', maxLength: 255, pattern: '\\A[a-zA-Z0-9\\-_:\\.]*\\z' },
    component_id: { type: 'string', maxLength: 255, default: '' },
    level: { type: 'string', enumeration: 'archival_record_level', required: 'error' },
    other_level: { type: 'string', maxLength: 255 },
    external_ark_url: externalArkUrl,
    import_current_ark: importCurrentArk,
    import_previous_arks: importPreviousArks,
    slug,
    is_slug_auto: isSlugAuto,
    display_string: { type: 'string', maxLength: 8192, readonly: true },
    restrictions_apply: { type: 'boolean', default: false },
    repository_processing_note: { type: 'string', maxLength: 65000 },
    parent: refTo(['archival_object']),
    resource: { ...refTo(['resource']), required: 'error' },
    ancestors: {
      ...refsTo(['resource', 'archival_object'], {
        level: { type: 'string', maxLength: 255 },
      }),
      readonly: true,
    },
    series: { ...refTo(['archival_object']), readonly: true },
    position,
    instances,
    notes,
    has_unpublished_ancestor: hasUnpublishedAncestor,
    ark_name: arkName,
    accession_links: refsTo(['accession']),
  },
  publishable: true,
  suppressible: true,
  rules: [otherLevelNamed, hasTitleOrDate],
  may: {
    read: 'view_repository',
    create: 'update_resource_record',
    update: 'update_resource_record',
    delete: 'delete_archival_record',
    publish: 'update_resource_record',
    unpublish: 'update_resource_record',
    suppress: 'suppress_archival_record',
  },
  unique: [
    {
      name: 'archival_object.ref_id',
      within: { ref: 'resource' },
      key: (body) => textOf(body, 'ref_id') ?? null,
      property: 'ref_id',
      says: 'An Archival Object Ref ID must be unique to its resource',
    },
  ],
  lookups: ['ref_id', 'component_id'],
  links: instanceLinks,
  mutual: { accession_links: { relation: 'accession_component_links' } },
  tree: {
    root: 'resource',
    rootProperty: 'resource',
    parentProperty: 'parent',
    code: 1,
    batchCreate: true,
    showsPrevious: true,
    level: shownLevel,
    shows: {
      root: (body, around) => ({
        level: levelOf(body),
        identifier: identifierText(body),
        containers: containersOf(body, around),
      }),
      entry: (body, around) => ({
        identifier: textOf(body, 'component_id') ?? null,
        level: levelOf(body),
        dates: datesOf(body),
        containers: containersOf(body, around),
      }),
      node: (body) => ({ identifier: textOf(body, 'component_id') ?? null }),
    },
  },
  // A ref_id is for life: an update cannot change it (contract 3.4).
  generate: (body, generatedValues, old) => ({
    ...body,
    ref_id: textOf(old ?? undefined, 'ref_id') ?? textOf(body, 'ref_id') ?? generatedValues.newHexId(),
  }),
  label: archivalObjectLabel,
  labelProperty: 'display_string',
  computed: ['tree_place', 'linked_events', 'representative_file_version'],
  stale: true,
  modifiedWith: modifiedWithLinked,
  search: {
    publicTypes: ['pui', 'pui_archival_object', 'pui_record', 'pui_only'],
    hasPublicCopy: true,
    fields: {
      title: { read: displayedTitle },
      identifier: { read: (record) => textOf(record, 'component_id') },
      resource: {
        type: 'string',
        isFoundFromStart: true,
        read: (record) => textOf(objectOf(record, 'resource'), 'ref'),
      },
      ...copies('component_id', { type: 'string', isCounted: false }),
      ...copies('ref_id', { type: 'string', isCounted: false, isListed: false }),
    },
  },
  example: { title: 'AO', level: 'file', resource: { ref: '@resource' } },
});
