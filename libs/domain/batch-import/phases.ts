// The phases of a batch import as its reply and the log of an import job name them.

/** The phases that clients see, in order (contract trees-and-jobs 2.2). */
export const phases = {
  validating: 'Validating records and checking links',
  relationships: 'Evaluating record relationships',
  cyclic: 'Looking for cyclic relationships',
  saving: 'Saving records: cycle 1',
  cleaning: 'Cleaning up',
} as const;

/** The phase before them, in which the upload is taken in; of an import job, in which its files are turned into records. It counts bytes. */
export const readingPhase = 'Reading JSON records';

/** The same phase in the progress of an import job, which says what is read, as the format is described: "Reading EAD records from an XML file". */
export const readingPhaseOf = (description: string): string => description.replace(/^Import\b/, 'Reading');

/** Whether a phase reads files, and so counts bytes. */
export const isReading = (label: string): boolean => label.startsWith('Reading ');
