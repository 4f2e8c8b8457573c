// EAD 2002 as a format of import jobs.
import type { ImportFormat } from '../import-types.ts';
import { readEad } from './reading/read.ts';

/** Import type `ead_xml`. */
export const eadXml: ImportFormat = {
  importType: 'ead_xml',
  // Finding aids of other systems often lack what a record here must have; peers refuse the whole of them.
  read: (chunks, about) => readEad(chunks, { ...about, standIns: true }),
};
