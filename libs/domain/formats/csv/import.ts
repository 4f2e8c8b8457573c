// Imports of sheets in CSV.
import { defineImport } from '../define-import.ts';
import { readAssessments } from './assessments.ts';
import { readCsv } from './read.ts';
import { digitalObjectEmitter, emitAccession, emitLocation, emitSubject } from './records.ts';

/** An accession for each row. */
export const accessionCsv = defineImport({
  name: 'accession_csv',
  description: 'Import Accession records from a CSV file',
  mediaType: 'text/csv',
  place: 1,
  read: (chunks, about) => readCsv(chunks, about, emitAccession),
});

/** An assessment for each row. */
export const assessmentCsv = defineImport({
  name: 'assessment_csv',
  description: 'Import Assessment records from a CSV file',
  mediaType: 'text/csv',
  place: 2,
  readsAssessments: true,
  read: readAssessments,
});

/** Objects, and components below the object of a row before them. */
export const digitalObjectCsv = defineImport({
  name: 'digital_object_csv',
  description: 'Import Digital Object records from a CSV file',
  mediaType: 'text/csv',
  place: 3,
  read: (chunks, about) => readCsv(chunks, about, digitalObjectEmitter()),
});

/** Locations; with `import_repository` the repository owns them. */
export const locationCsv = defineImport({
  name: 'location_csv',
  description: 'Import Location records from a CSV file',
  mediaType: 'text/csv',
  place: 6,
  read: (chunks, about) =>
    readCsv(chunks, about, (context, row) =>
      emitLocation(context, row, about.switches.repository ? about.repositoryUri : undefined),
    ),
});

/** A subject for each row. */
export const subjectCsv = defineImport({
  name: 'subject_csv',
  description: 'Import Subject records from a CSV file',
  mediaType: 'text/csv',
  place: 11,
  read: (chunks, about) => readCsv(chunks, about, emitSubject),
});
