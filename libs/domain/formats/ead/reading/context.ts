// The state of reading one finding aid: what all readers share, with the options of this one.
import type { ReadingContext, ReadingOptions } from '../../reading/context.ts';
import type { ImportReport } from '../../reading/report.ts';
import type { XmlLimits } from '../../xml/reader.ts';

/** How a finding aid is read. */
export type EadOptions = ReadingOptions & {
  /** Peers publish agents only where audience="external", and so does the default; `unless-internal` publishes all others. */
  readonly agentsPublished?: 'external' | 'unless-internal';
  /** Splits subject headings at ` -- `; peers do not, nor does the default. */
  readonly splitHeadings?: boolean;
  /** Fills in, and reports, what a record must have and the document does not say; without it such a document ends the reading. */
  readonly standIns?: boolean;
  readonly limits?: XmlLimits;
  /** Receives the report at the end of a complete reading. */
  onReport?(report: ImportReport): void;
};

/** The state of one reading. */
export type EadContext = ReadingContext<EadOptions>;
