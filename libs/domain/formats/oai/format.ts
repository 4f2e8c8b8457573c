// What a format that goes out to harvesters is: an entry of prefixes.ts. A record is written from what was read before; writers read nothing.
import type { JsonObject } from '../../json.ts';

/** The kinds that are harvested. */
export type HarvestedKind = 'resource' | 'archival_object';

/** What writing a record needs besides it. */
export type OaiContext = {
  /** The English label of a controlled value; the value itself where it has none. */
  readonly label: (list: string, value: string) => string;
  /** Address of the public site, without a slash at its end; '' where there is none. */
  readonly publicUrl: string;
  /** Address of the service itself, likewise. */
  readonly serviceUrl: string;
  /** The repository of the record. */
  readonly repository: JsonObject | null;
  /** Harvesters get what is published, always. */
  readonly includesUnpublished: false;
  /** Whether ARKs are among the identifiers. */
  readonly showsArks: boolean;
  /** The moment of the reply. */
  readonly now: Date;
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
