// Kind digital_object_component. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { refTo, refsTo } from '../schema/build.ts';
import {
  dates,
  extents,
  externalDocuments,
  fileVersions,
  langMaterials,
  linkedAgents,
  linkedEvents,
  notesOfDigitalObject,
  representativeFileVersion,
  rightsStatements,
  subjects,
  suppressed,
} from './parts/described.ts';
import { externalIds, isSlugAuto, slug } from './parts/identifiers.ts';
import { hasUnpublishedAncestor, position } from './parts/tree-node.ts';
import { objectOf, textOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';
import { withRepresentativeFileVersion } from '../rules/file-versions.ts';
import { componentLabel } from '../labels/described.ts';
import { datesOf, fileUrisOf } from '../tree/shown.ts';
import { displayedTitle } from '../search/documents/reading.ts';
import { modifiedWithLinked } from './parts/described-rules.ts';

const hasLabelTitleOrDate: Rule = (body, report) => {
  const dates = body['dates'];
  if (
    textOf(body, 'title') !== undefined ||
    textOf(body, 'label') !== undefined ||
    (Array.isArray(dates) && dates.length > 0)
  )
    return;
  for (const property of ['dates', 'title', 'label']) report(property, 'you must provide a label, title or date');
};

/** Kind `digital_object_component`. */
export const digitalObjectComponent = defineKind({
  name: 'digital_object_component',
  uri: '/repositories/:repo_id/digital_object_components/:id',
  model: 'DigitalObjectComponent',
  doc: "A part of a digital object, described in its place in the object's tree: a page, a track, a chapter. It has file versions of its own and is known by a title, a label or a date.",
  properties: {
    uri: { type: 'string', readonly: true },
    external_ids: externalIds,
    title: { type: 'string', minLength: 1, maxLength: 16384 },
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
    component_id: { type: 'string', maxLength: 255 },
    label: { type: 'string', maxLength: 255 },
    display_string: { type: 'string', maxLength: 8192, readonly: true },
    file_versions: fileVersions,
    slug,
    is_slug_auto: isSlugAuto,
    parent: refTo(['digital_object_component']),
    digital_object: { ...refTo(['digital_object']), required: 'error' },
    position,
    notes: notesOfDigitalObject,
    has_unpublished_ancestor: hasUnpublishedAncestor,
    ancestors: { ...refsTo(['digital_object', 'digital_object_component']), readonly: true },
  },
  publishable: true,
  suppressible: true,
  rules: [hasLabelTitleOrDate],
  may: {
    read: 'view_repository',
    create: 'update_digital_object_record',
    update: 'update_digital_object_record',
    delete: 'delete_archival_record',
    suppress: 'suppress_archival_record',
  },
  unique: [
    {
      name: 'digital_object_component.component_id',
      within: { ref: 'digital_object' },
      key: (body) => textOf(body, 'component_id') ?? null,
      property: 'component_id',
      says: 'A Digital Object Component ID must be unique to its Digital Object',
    },
  ],
  tree: {
    root: 'digital_object',
    rootProperty: 'digital_object',
    parentProperty: 'parent',
    code: 2,
    batchCreate: true,
    shows: {
      // The root always has file_uri_summary, a component where it has files.
      root: (body) => ({
        digital_object_type: textOf(body, 'digital_object_type') ?? null,
        file_uri_summary: fileUrisOf(body),
      }),
      entry: (body) => ({
        label: textOf(body, 'label'),
        dates: datesOf(body),
        file_uri_summary: fileUrisOf(body) || undefined,
      }),
      node: () => ({}),
    },
  },
  generate: withRepresentativeFileVersion,
  whenPublished: withRepresentativeFileVersion,
  lookups: ['component_id'],
  label: componentLabel,
  labelProperty: 'display_string',
  computed: ['tree_place', 'linked_events'],
  stale: true,
  modifiedWith: modifiedWithLinked,
  search: {
    publicTypes: ['pui_record', 'pui'],
    // One of its files may stand for a record that has the object.
    shownByOthers: ['file_versions'],
    shownWithRoot: true,
    fields: {
      title: { read: displayedTitle },
      digital_object: {
        type: 'string',
        isFoundFromStart: true,
        read: (record) => textOf(objectOf(record, 'digital_object'), 'ref'),
      },
      digital_object_id: { type: 'string', isCounted: false, read: (record) => textOf(record, 'component_id') },
      identifier: { read: (record) => textOf(record, 'component_id') },
    },
  },
  example: { title: 'DOC', digital_object: { ref: '@digital_object' } },
});
