// MARCXML as formats of import jobs: one file, read for different records.
import type { ImportFormat } from '../import-types.ts';
import { readMarc } from './reading/read.ts';

/** Import type `marcxml`: resources with all they name. */
export const marcxml: ImportFormat = {
  importType: 'marcxml',
  read: (chunks, about) => readMarc(chunks, about, 'resource'),
};

/** Import type `marcxml_accession`. */
export const marcxmlAccession: ImportFormat = {
  importType: 'marcxml_accession',
  read: (chunks, about) => readMarc(chunks, about, 'accession'),
};

/** Import type `marcxml_subjects_and_agents`: only what records name, without links to them. */
export const marcxmlSubjectsAndAgents: ImportFormat = {
  importType: 'marcxml_subjects_and_agents',
  read: (chunks, about) => readMarc(chunks, about, 'headings'),
};

/** Import type `marcxml_auth_agent`: authority records as agents. */
export const marcxmlAuthAgent: ImportFormat = {
  importType: 'marcxml_auth_agent',
  read: (chunks, about) => readMarc(chunks, about, 'agent'),
};
