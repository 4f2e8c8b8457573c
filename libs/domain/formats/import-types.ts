// The formats that an import job reads, by import type (contract trees-and-jobs 3.5). A format is one file in its folder that exports
// an ImportFormat (MARCXML several), and one line here, with its description for clients.
import type { ImportRecord } from './reading/context.ts';
import type { ImportReport } from './reading/report.ts';
import { assessmentCsv } from './csv/assessments.ts';
import { accessionCsv, digitalObjectCsv, locationCsv, subjectCsv } from './csv/import.ts';
import { eacXml } from './eac/import.ts';
import { eadXml } from './ead/import.ts';
import { marcxml, marcxmlAccession, marcxmlAuthAgent, marcxmlSubjectsAndAgents } from './marc/import.ts';

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
  isEnumerationValue(list: string, value: string): boolean;
  /** The value that has this label, matched without regard to case. */
  enumerationValueForLabel(list: string, label: string): string | undefined;
  /** URI of the top container of the repository with this barcode. */
  topContainerUri(barcode: string): string | undefined;
  /** URI of the container profile of this name. */
  containerProfileUri(name: string): string | undefined;
  /** What assessments name: definitions of ratings, formats and conservation issues, and agents of users by user name. */
  readonly assessments?: AssessmentLookups;
};

/** The definitions that the assessments of a repository have, and uris of person agents by lower-case user name. */
export type AssessmentLookups = {
  readonly definitions: readonly { readonly id: number; readonly label: string; readonly type: string }[];
  readonly agents: ReadonlyMap<string, string>;
};

/**
 * A format: turns the bytes of one file into records for the batch import, as they come, and returns the account of what it read and
 * left out. Throws `import_failed` for a file that it cannot read; records given before are then worth nothing.
 */
export type ImportFormat = {
  readonly importType: string;
  read(chunks: AsyncIterable<Uint8Array>, about: ImportAbout): AsyncGenerator<ImportRecord, ImportReport, void>;
};

export type { ImportRecord } from './reading/context.ts';
export type { ImportReport } from './reading/report.ts';

// What each says of itself, in the order in which clients are told.
const formats: readonly (readonly [format: ImportFormat, description: string])[] = [
  [accessionCsv, 'Import Accession records from a CSV file'],
  [assessmentCsv, 'Import Assessment records from a CSV file'],
  [digitalObjectCsv, 'Import Digital Object records from a CSV file'],
  [eacXml, 'Import EAC-CPF records from an XML file'],
  [eadXml, 'Import EAD records from an XML file'],
  [locationCsv, 'Import Location records from a CSV file'],
  [marcxmlAuthAgent, 'Import agent records from a MARCXML authority file'],
  [marcxmlAccession, 'Import MARC XML records as Accessions'],
  [marcxml, 'Import all record types from a MARC XML file'],
  [marcxmlSubjectsAndAgents, 'Import only subjects and agents from a MARC XML file'],
  [subjectCsv, 'Import Subject records from a CSV file'],
];

/** The formats by import type. */
export const importFormats: ReadonlyMap<string, ImportFormat> = new Map(
  formats.map(([format]) => [format.importType, format]),
);

/** The formats on offer, by name (`import_type` of an import_job) and description. */
export const importTypes: readonly { readonly name: string; readonly description: string }[] = formats.map(
  ([format, description]) => ({ name: format.importType, description }),
);
