// Import of finding aids in EAD 2002 and EAD3, by what the document says it is.
import { defineImport } from '../define-import.ts';
import { readEad } from './reading/read.ts';

/** A resource with its components, containers, digital objects, agents and subjects. */
export const eadXml = defineImport({
  name: 'ead_xml',
  description: 'Import EAD records from an XML file',
  mediaType: 'application/xml',
  place: 5,
  readsSubjects: true,
  // Finding aids of other systems often lack what a record here must have; peers refuse the whole of them.
  read: (chunks, about) => readEad(chunks, { ...about, agentsPublished: about.eadAgents, standIns: true }),
});
