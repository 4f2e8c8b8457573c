// Imports of MARCXML: one file, read for different records.
import { defineImport } from '../define-import.ts';
import { readMarc } from './reading/read.ts';

/** Resources with all they name. */
export const marcxml = defineImport({
  name: 'marcxml',
  description: 'Import all record types from a MARC XML file',
  mediaType: 'application/xml',
  place: 9,
  read: (chunks, about) => readMarc(chunks, about, 'resource'),
});

/** An accession for each record. */
export const marcxmlAccession = defineImport({
  name: 'marcxml_accession',
  description: 'Import MARC XML records as Accessions',
  mediaType: 'application/xml',
  place: 8,
  read: (chunks, about) => readMarc(chunks, about, 'accession'),
});

/** Only what records name, without links to them. */
export const marcxmlSubjectsAndAgents = defineImport({
  name: 'marcxml_subjects_and_agents',
  description: 'Import only subjects and agents from a MARC XML file',
  mediaType: 'application/xml',
  place: 10,
  read: (chunks, about) => readMarc(chunks, about, 'headings'),
});
