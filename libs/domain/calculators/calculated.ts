// A record whose parts are added up, and what both calculators answer of it (contract trees-and-jobs 5): the same whether the request itself
// adds up or a job does.
import { z } from 'zod';
import { kindNamed, uriOf } from '../addresses.ts';
import type { DateSpan } from '../dates/span.ts';
import type { ShelfExtent } from '../extents/shelf-extent.ts';
import type { JsonObject } from '../json.ts';
import { archivalObject } from '../kinds/archival_object.ts';
import { resource } from '../kinds/resource.ts';

/** So many components below a record are added up while the request is answered; more are a job's. */
export const directComponents = 1000;

/** A record that is calculated: where it is, what it is called, and the resource it belongs to (a resource: itself; an accession: none). */
export type Calculated = {
  readonly kind: string;
  readonly id: number;
  readonly repoId: number;
  readonly title: string;
  readonly resource: { readonly id: number; readonly title: string } | null;
  /** Published with all that is above it and its repository, and not suppressed. */
  readonly isPublic: boolean;
  /** Whether who asks is shown suppressed records. */
  readonly seesSuppressed: boolean;
};

/** What the jobs of both calculators are told: the record, and who asks (null: somebody without a session). */
export const CalculationPayload = z.object({
  repoId: z.int(),
  kind: z.string(),
  id: z.int(),
  actor: z.string().nullable(),
  /** Who asks wants to see suppressed records; whether they may is looked at when it runs. */
  wantsSuppressed: z.boolean().default(false),
});

/**
 * The mailbox of a calculation. It only reads, so it has no part in that of the tree: it would wait for an import of hours there, and moves would
 * wait for it. By who asks, it takes one place of the workers from the others however often somebody asks; all who ask without a session are one.
 */
export const calculationMailbox = ({ actor }: { readonly actor: string | null }): string => `calculate/${actor ?? ''}`;

const resourceOf = ({ resource: root, repoId }: Calculated): JsonObject | null =>
  root === null ? null : { uri: uriOf(resource, root.id, repoId), title: root.title };
const objectOf = ({ kind, id, repoId, title }: Calculated): JsonObject => ({
  uri: uriOf(kindNamed(kind), id, repoId),
  jsonmodel_type: kind,
  title,
});

/** The reply of the date calculator; `label` null: dates of all labels. */
export const datesReply = (record: Calculated, label: string | null, span: DateSpan): JsonObject => ({
  object: { ...objectOf(record), id: record.id },
  resource: resourceOf(record),
  label,
  ...span,
});

/** The reply of the extent calculator, to be written by writeExtentReply. */
export const extentReply = (record: Calculated, extent: ShelfExtent, at: Date): JsonObject => ({
  object: objectOf(record),
  resource: record.kind === archivalObject.name ? resourceOf(record) : null,
  ...extent,
  timestamp: `${at.toISOString().slice(0, 19)}+00:00`,
});
