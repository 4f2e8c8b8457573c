// The shapes of what trees answer (contract trees 1.2 to 1.6; libs/store/trees makes them).
import { shape } from '../shape.ts';
import type { Shape } from '../shape.ts';

const { text, integer, boolean, nullable, object, list, uri } = shape;

const date = object({}, { type: text, label: text, expression: text, begin: text, end: text });
const container = object(
  {},
  {
    instance_type: text,
    top_container_type: text,
    top_container_indicator: text,
    top_container_barcode: text,
    type_2: text,
    indicator_2: text,
    barcode_2: text,
    type_3: text,
    indicator_3: text,
  },
);

const counts = { child_count: integer, waypoints: integer, waypoint_size: integer };
/** What kinds add, each its own. */
const shown = {
  identifier: nullable(text),
  level: nullable(text),
  dates: list(date),
  containers: list(container),
  file_uri_summary: text,
  digital_object_type: nullable(text),
  has_digital_instance: boolean,
};
const suppressed = shape.says(integer, '1 where it is suppressed (release R-B).');

/** A child as a waypoint shows it. */
export const treeEntry = shape.named(
  'tree_entry',
  object(
    {
      ...counts,
      title: nullable(text),
      parsed_title: nullable(text),
      slugged_url: text,
      uri,
      position: integer,
      parent_id: nullable(integer),
      jsonmodel_type: text,
    },
    { ...shown, suppressed },
  ),
);

const waypoints = shape.says(
  shape.mapOf(shape.mapOf(list(treeEntry))),
  'The first waypoint, by the uri of its parent (empty for the root) and its number.',
);

/** The answer of tree/root. */
export const treeRoot = shape.named(
  'tree_root',
  object(
    {
      ...counts,
      title: nullable(text),
      parsed_title: nullable(text),
      slugged_url: text,
      uri,
      jsonmodel_type: text,
      precomputed_waypoints: waypoints,
    },
    { ...shown, suppressed },
  ),
);

/** The answer of tree/node. */
export const treeNode = shape.named(
  'tree_node',
  object(
    {
      ...counts,
      title: nullable(text),
      uri,
      position: integer,
      jsonmodel_type: text,
      precomputed_waypoints: waypoints,
    },
    shown,
  ),
);

/** The answer of tree/node_from_root: by id, the way from the root. */
export const treePaths = shape.mapOf(
  list(
    shape.named(
      'tree_step',
      object({
        node: nullable(uri),
        root_record_uri: uri,
        offset: integer,
        jsonmodel_type: text,
        title: nullable(text),
        parsed_title: nullable(text),
      }),
    ),
  ),
);

/** A component named `name` whose `children` are like itself. */
const nested = (name: string, always: { readonly [property: string]: Shape }, sometimes = {}): Shape =>
  shape.named(name, object({ ...always, children: list(shape.record(name)) }, sometimes));

/** An instance in a container, as whole trees show it: all keys, null where unset. */
const nestedContainer = object({
  type_1: text,
  indicator_1: nullable(text),
  type_2: nullable(text),
  indicator_2: nullable(text),
  barcode_2: nullable(text),
  type_3: nullable(text),
  indicator_3: nullable(text),
});

/** A whole tree in one reply. */
export const wholeTree = nested(
  'whole_tree',
  { title: nullable(text), id: integer, node_type: text, record_uri: uri },
  {
    jsonmodel_type: text,
    publish: boolean,
    suppressed: boolean,
    has_children: boolean,
    finding_aid_filing_title: nullable(text),
    level: nullable(text),
    identifier: nullable(text),
    instance_types: list(text),
    containers: list(nestedContainer),
    component_id: nullable(text),
    digital_object_type: nullable(text),
    file_versions: list(shape.anyObject),
  },
);

/** The tree for choosing components. */
export const smallTree = nested(
  'small_tree',
  { title: nullable(text), uri },
  { identifier: nullable(text), has_children: boolean, ref_id: text, component_id: text, container: text },
);

/** What a collection publishes, in reading order. */
export const orderedRecords = shape.named(
  'resource_ordered_records',
  object({
    jsonmodel_type: shape.oneOf('resource_ordered_records'),
    uris: list(object({ ref: uri, display_string: nullable(text), depth: integer }, { level: nullable(text) })),
  }),
);
