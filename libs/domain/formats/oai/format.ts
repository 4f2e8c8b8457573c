// What a format that goes out to harvesters is: an entry of prefixes.ts. A record is written from what was read before; writers read nothing.
import type { JsonObject } from '../../json.ts';
import { textOf } from '../../json.ts';
import type { TreeRecord } from '../writing/tree-stream.ts';
import type { ExportContext } from '../writing/context.ts';

/** The kinds that are harvested. */
export type HarvestedKind = 'resource' | 'archival_object';

/** A resource with its components; `deepest` is 0 without any. */
export type OaiTree = {
  readonly root: JsonObject;
  readonly blocks: AsyncIterable<readonly TreeRecord[]>;
  readonly deepest: number;
};

/** What writing a record needs besides it: what every export does (`publicUrl` is '' where there is no public site), and what providers tell. */
export type OaiContext = ExportContext & {
  /** Harvesters get what is published, always. */
  readonly includesUnpublished: false;
  /** Whether ARKs are among the identifiers. */
  readonly showsArks: boolean;
  /** What documents name as their maker. */
  readonly product: string;
  /** The whole published tree of the record, which is a resource, in blocks in reading order with the refs of finding aids resolved. */
  readonly openTree: () => Promise<OaiTree>;
};

/**
 * A format. `write` gives one element without an XML declaration, with all its namespaces declared, as one text or in pieces; of a record as
 * publicRecord gives it: published parts alone, refs to agents, subjects, repository and ancestors with `_resolved`, components with what
 * they take from above.
 */
export type OaiFormat = {
  readonly prefix: string;
  readonly schema: string;
  readonly namespace: string;
  readonly kinds: readonly HarvestedKind[];
  /** Records of a page; 1 for formats that carry whole trees. */
  readonly pageSize: number;
  readonly write: (record: JsonObject, context: OaiContext) => string | AsyncIterable<string>;
};

/** The kind of a harvested record, by its address. */
export const kindOfRecord = (record: JsonObject): HarvestedKind =>
  (textOf(record, 'uri') ?? '').includes('/archival_objects/') ? 'archival_object' : 'resource';

/** A document, or its first piece, as it may stand inside another. */
export const withoutDeclaration = (document: string): string => document.replace(/^<\?xml[^?]*\?>\s*/, '');
