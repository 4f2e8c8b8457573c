// The shapes of what calculators answer (contract trees-and-jobs 5).
import { shape } from '../shape.ts';
import { refOf } from './refs.ts';

const { text, integer, number, boolean, nullable, object, list, mapOf, uri } = shape;

const about = object({ uri, title: nullable(text) });
const dated = { uri, jsonmodel_type: text, title: nullable(text) };

/** The time that the parts of a record cover. */
export const dateSpan = shape.named(
  'date_span',
  object({
    object: object({ ...dated, id: integer }),
    resource: nullable(about),
    label: nullable(text),
    min_begin_date: nullable(text),
    min_begin: nullable(text),
    max_end_date: nullable(text),
    max_end: nullable(text),
  }),
);

/** The shelf space of the containers of a record. */
export const shelfSpace = shape.named(
  'shelf_space',
  object({
    object: object(dated),
    resource: nullable(about),
    total_extent: number,
    container_count: integer,
    units: nullable(text),
    container_without_profile_count: integer,
    volume: boolean,
    containers: mapOf(object({ count: integer, extent: number })),
    timestamp: text,
  }),
);

const withReason = object({ ref: uri, reason: text }, { _resolved: shape.record('location') });

/** How many containers of a profile still fit. */
export const freeSpaceShape = shape.named(
  'free_space',
  object({
    container_profile: refOf('container_profile'),
    total_spaces_available: integer,
    total_containers_of_type: integer,
    locations_with_space: list(object({ ref: uri, count: integer }, { _resolved: shape.record('location') })),
    locations_without_space: list(withReason),
    uncalculatable_locations: list(withReason),
  }),
);
