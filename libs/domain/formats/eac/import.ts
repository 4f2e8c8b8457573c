// Import of agents in EAC-CPF 2010 and 2.0, by the namespace of the root element.
import { defineImport } from '../define-import.ts';
import { readEac } from './reading/read.ts';

/** An agent for each description, with subjects and related agents. */
export const eacXml = defineImport({
  name: 'eac_xml',
  description: 'Import EAC-CPF records from an XML file',
  mediaType: 'application/xml',
  place: 4,
  read: readEac,
});
