// EAD 2002 as a format of import jobs.
import type { ImportFormat } from '../import-types.ts';
import { readEad } from './read.ts';

/** Import type `ead_xml`. */
export const eadXml: ImportFormat = {
  importType: 'ead_xml',
  read: (chunks, about) => readEad(chunks, about),
};
