// What goes out to harvesters: a format as the provider sees it, and the kinds that are harvested. Formats follow from exports (prefixes.ts).
import type { JsonObject } from '../../json.ts';
import { textOf } from '../../json.ts';
import type { RecordSource, TreeSource } from '../define-export.ts';
import type { ExportContext } from '../writing/context.ts';

/** The kinds that are harvested. */
export type HarvestedKind = 'resource' | 'archival_object';

/**
 * A format. `write` gives one element without an XML declaration, with all its namespaces declared; of a record as publicRecord gives it:
 * published parts alone, refs to agents, subjects, repository and ancestors with `_resolved`, components with what they take from above.
 * Of trees, the published part with the refs of finding aids resolved.
 */
export type OaiFormat = {
  readonly prefix: string;
  readonly schema: string;
  readonly namespace: string;
  readonly kinds: readonly HarvestedKind[];
  /** Records of a page; 1 for formats that carry whole trees. */
  readonly pageSize: number;
} & (
  | { readonly reads: 'record'; readonly write: (source: RecordSource, context: ExportContext) => string }
  | { readonly reads: 'tree'; readonly write: (source: TreeSource, context: ExportContext) => AsyncIterable<string> }
);

/** The kind of a harvested record, by its address. */
export const kindOfRecord = (record: JsonObject): HarvestedKind =>
  (textOf(record, 'uri') ?? '').includes('/archival_objects/') ? 'archival_object' : 'resource';
