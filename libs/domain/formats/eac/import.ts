// EAC-CPF as a format of import jobs.
import type { ImportFormat } from '../import-types.ts';
import { readEac } from './reading/read.ts';

/** Import type `eac_xml`. */
export const eacXml: ImportFormat = { importType: 'eac_xml', read: (chunks, about) => readEac(chunks, about) };
