import { defineRecognition } from '../define-recognition.js';
export const atomDescriptionSheets = defineRecognition('atom_description_csv', ({ headings }) => headings.includes('legacyId') && headings.includes('levelOfDescription'));
export const atomAuthoritySheets = defineRecognition('atom_authority_csv', ({ headings }) => headings.includes('authorizedFormOfName') && headings.includes('typeOfEntity'));
export const atomAccessionSheets = defineRecognition('atom_accession_csv', ({ headings }) => headings.includes('accessionNumber') && headings.includes('acquisitionDate'));
