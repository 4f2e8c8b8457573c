import { defineRecognition } from '../define-recognition.js';
export const accessionSheets = defineRecognition('accession_csv', ({ headings }) => headings.includes('accession_number_1'));
export const assessmentSheets = defineRecognition('assessment_csv', ({ headings }) => headings[0]?.toLowerCase() === 'basic');
export const digitalObjectSheets = defineRecognition('digital_object_csv', ({ headings }) => headings.includes('digital_object_id') && !headings.includes('accession_number_1'));
export const locationSheets = defineRecognition('location_csv', ({ headings }) => headings.includes('location_building'));
export const subjectSheets = defineRecognition('subject_csv', ({ headings }) => headings.includes('term_1') && headings.includes('subject_source'));
