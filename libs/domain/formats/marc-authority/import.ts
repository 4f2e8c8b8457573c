// Import of MARC authority records.
import { defineImport } from '../define-import.ts';
import { readMarc } from '../marc/reading/read.ts';

/** An agent for each record, with the agents it is related to. */
export const marcxmlAuthAgent = defineImport({
  name: 'marcxml_auth_agent',
  description: 'Import agent records from a MARCXML authority file',
  mediaType: 'application/xml',
  place: 7,
  read: (chunks, about) => readMarc(chunks, about, 'agent'),
});
