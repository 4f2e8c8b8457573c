// The formats that harvesters may ask for, in the order of ListMetadataFormats. One entry adds a format.
import { oaiDc } from '../dc/export.ts';
import { oaiDcterms } from './dcterms.ts';
import { oaiEad, oaiEad3 } from '../ead/export.ts';
import type { OaiFormat } from './format.ts';
import { oaiMarc } from '../marc/export.ts';
import { oaiMods } from '../mods/export.ts';

/** The registry. */
export const oaiFormats: readonly OaiFormat[] = [oaiDc, oaiEad, oaiDcterms, oaiMarc, oaiMods, oaiEad3];

/** The format of a prefix, or undefined. */
export const formatOf = (prefix: string): OaiFormat | undefined =>
  oaiFormats.find((format) => format.prefix === prefix);
