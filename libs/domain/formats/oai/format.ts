// The kinds of records that go out to harvesters; with what, prefixes.ts says.
import type { JsonObject } from '../../json.ts';
import { textOf } from '../../json.ts';

/** The kinds that are harvested. */
export const harvestedKinds = ['resource', 'archival_object'] as const;
export type HarvestedKind = (typeof harvestedKinds)[number];

/** Whether a record is of a kind that is harvested. */
export const isHarvested = ({ kind }: { readonly kind: string }): boolean => harvestedKinds.some((one) => one === kind);

/** The kind of a harvested record, by its address. */
export const kindOfRecord = (record: JsonObject): HarvestedKind =>
  (textOf(record, 'uri') ?? '').includes('/archival_objects/') ? 'archival_object' : 'resource';
