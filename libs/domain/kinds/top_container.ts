// Kind top_container. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partsOf, refTo, refsTo } from '../schema/build.ts';
import { ContainerLocation } from '../subrecords/container-location.ts';
import { RightsRestriction } from '../subrecords/notes/multipart.ts';
import { textOf } from '../json.ts';
import { topContainerLabel } from '../labels/places.ts';
import { plainContainerName, topContainerFields } from './search/top_container.ts';

/** Kind `top_container`. */
export const topContainer = defineKind({
  name: 'top_container',
  uri: '/repositories/:repo_id/top_containers/:id',
  model: 'TopContainer',
  doc: 'The outermost container that material lies in and that is fetched from the shelf: a box, a carton, a reel. It is known by its type and indicator, may carry a barcode, and stands at a location. Instances of resources, archival objects and accessions say what is in it; folders and items inside are sub-containers of those instances.',
  properties: {
    uri: { type: 'string', readonly: true },
    indicator: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    type: { type: 'string', enumeration: 'container_type' },
    barcode: { type: 'string', maxLength: 255 },
    display_string: { type: 'string', readonly: true },
    long_display_string: { type: 'string', readonly: true },
    subcontainer_barcodes: { type: 'string' },
    ils_holding_id: { type: 'string', maxLength: 255 },
    ils_item_id: { type: 'string', maxLength: 255 },
    exported_to_ils: { type: 'string' },
    internal_note: { type: 'string', release: 'R-B' },
    restricted: { type: 'boolean', readonly: true },
    created_for_collection: { type: 'string', maxLength: 255 },
    is_linked_to_published_record: { type: 'boolean', readonly: true },
    active_restrictions: { ...partsOf(() => [RightsRestriction]), readonly: true },
    container_locations: { ...partsOf(() => [ContainerLocation]), resolvedInSearch: true },
    container_profile: { ...refTo(['container_profile']), resolvedInSearch: true },
    series: {
      ...refsTo(['archival_object'], {
        display_string: { type: 'string' },
        identifier: { type: 'string' },
        level_display_string: { type: 'string' },
        publish: { type: 'boolean' },
      }),
      readonly: true,
    },
    collection: {
      ...refsTo(['resource', 'accession'], {
        display_string: { type: 'string' },
        identifier: { type: 'string' },
      }),
      readonly: true,
    },
  },
  may: {
    read: 'view_repository',
    create: 'update_container_record',
    update: 'update_container_record',
    delete: 'manage_container_record',
    merge: 'manage_container_record',
  },
  unique: [
    {
      name: 'top_container.barcode',
      within: 'repository',
      key: (body) => textOf(body, 'barcode') ?? null,
      property: 'barcode',
      says: 'A barcode must be unique within a repository',
    },
  ],
  lookups: ['indicator', 'barcode'],
  links: { container_locations: { whenTargetGoes: { refuse: 'Location cannot be deleted if linked' } } },
  targets: [
    {
      property: 'container_locations',
      concerns: (ref) => textOf(ref, 'status') === 'previous',
      check: (_ref, location) =>
        textOf(location, 'temporary') === undefined
          ? { path: 'status', message: 'cannot be previous if Location is not temporary' }
          : null,
    },
  ],
  // Series and collection depend on other rows: the store computes what replies show (container_place).
  label: (body) => topContainerLabel(body),
  labelProperty: null,
  computed: ['container_place', 'is_linked_to_published_record'],
  stale: false,
  // What it shows of records that are in it.
  modifiedWith: { sources: ['accession', 'resource', 'archival_object'] },
  search: {
    publicTypes: ['pui_container', 'pui'],
    // Public through published records alone.
    isPublic: (record) => record['is_linked_to_published_record'] === true,
    notesAreInternal: true,
    showsUse: 'trees',
    looksForHidden: true,
    shownAs: plainContainerName,
    fields: topContainerFields,
  },
  example: { indicator: '1', type: 'box' },
});
