// The kinds of records that go out to harvesters; with what, prefixes.ts says.
import type { JsonObject } from '../../json.ts';
import { textOf } from '../../json.ts';

/** The kinds that are harvested. */
export type HarvestedKind = 'resource' | 'archival_object';

/** The kind of a harvested record, by its address. */
export const kindOfRecord = (record: JsonObject): HarvestedKind =>
  (textOf(record, 'uri') ?? '').includes('/archival_objects/') ? 'archival_object' : 'resource';
