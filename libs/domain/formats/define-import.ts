// defineImport(): a file that becomes records, as data and a reader. From the declaration follow the import types that jobs offer and read
// (import-types.ts). A standard declares its imports in formats/<standard>/import.ts; `npm run generate` lists them.
import type { JsonObject } from '../json.ts';
import type { ImportRecord } from './reading/context.ts';
import type { ImportReport } from './reading/report.ts';

/** What a reader is told and may ask. Look-ups are synchronous: the job has loaded what they need. */
export type ImportAbout = {
  /** `/repositories/2`: where the records will live. */
  readonly repositoryUri: string;
  /** Hex digits and dashes, for temporary uris. */
  readonly importId: string;
  /** The day of the import, YYYY-MM-DD: for records that must have a date of their own. */
  readonly today: string;
  /** The wire's switches: `import_events`, `import_subjects`, `import_repository` are on. */
  readonly switches: { readonly events: boolean; readonly subjects: boolean; readonly repository: boolean };
  /** Which agents of finding aids are published (MUNIMENT_EAD_AGENTS). */
  readonly eadAgents: 'external' | 'unless-internal';
  isEnumerationValue(list: string, value: string): boolean;
  /** The value that has this label, matched without regard to case. */
  enumerationValueForLabel(list: string, label: string): string | undefined;
  /** URI of the top container of the repository with this barcode. */
  topContainerUri(barcode: string): string | undefined;
  /** URI of the container profile of this name. */
  containerProfileUri(name: string): string | undefined;
  /** Whether a subject that is there has the identifier of this one in its source, and other terms. Only where the import says `readsSubjects`. */
  isAuthorityIdTaken?(subject: JsonObject): boolean;
  /** What assessments name: definitions of ratings, formats and conservation issues, and agents of users by user name. */
  readonly assessments?: AssessmentLookups;
};

/** The definitions that the assessments of a repository have, and uris of person agents by lower-case user name. */
export type AssessmentLookups = {
  readonly definitions: readonly { readonly id: number; readonly label: string; readonly type: string }[];
  readonly agents: ReadonlyMap<string, string>;
};

/** A declaration. */
export type Import = {
  /** `import_type` of an import job. */
  readonly name: string;
  /** What it says of itself where clients ask for the types. */
  readonly description: string;
  /** What its files are. */
  readonly mediaType: string;
  /** The contract's place among the types, from 1; types without one follow by name. */
  readonly place?: number;
  /** Whether the reader needs `about.assessments`, which are then loaded before. */
  readonly readsAssessments?: true;
  /** Whether the reader asks `about.isAuthorityIdTaken`; the keys of all subjects are then loaded before. */
  readonly readsSubjects?: true;
  /**
   * Turns the bytes of one file into records for the batch import, as they come, and returns the account of what it read and left out.
   * Throws `import_failed` for a file that it cannot read; records given before are then worth nothing.
   */
  readonly read: (
    chunks: AsyncIterable<Uint8Array>,
    about: ImportAbout,
  ) => AsyncGenerator<ImportRecord, ImportReport, void>;
};

/** Declares an import. */
export function defineImport(declaration: Import): Import {
  return declaration;
}
