// Imports of the sheets in CSV that AtoM (Access to Memory) takes and gives: archival descriptions (ISAD(G)), authority records, accessions.
import { defineImport } from '../define-import.ts';
import { readAtomAccessions } from './reading/accessions.ts';
import { readAtomAuthorities } from './reading/authorities.ts';
import { readAtomDescriptions } from './reading/descriptions.ts';

/** A resource for each description without a parent, with those below it as its archival objects. */
export const atomDescriptionCsv = defineImport({
  name: 'atom_description_csv',
  description: 'Import archival descriptions of AtoM from a CSV file',
  mediaType: 'text/csv',
  read: readAtomDescriptions,
});

/** An agent for each authority record. */
export const atomAuthorityCsv = defineImport({
  name: 'atom_authority_csv',
  description: 'Import authority records of AtoM from a CSV file',
  mediaType: 'text/csv',
  read: readAtomAuthorities,
});

/** An accession for each row. */
export const atomAccessionCsv = defineImport({
  name: 'atom_accession_csv',
  description: 'Import accessions of AtoM from a CSV file',
  mediaType: 'text/csv',
  read: readAtomAccessions,
});
