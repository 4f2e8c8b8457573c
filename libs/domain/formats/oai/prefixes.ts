// The formats that harvesters may ask for, in the order of ListMetadataFormats. One entry adds a format.
import { oaiDc } from './dc.ts';
import { oaiDcterms } from './dcterms.ts';
import type { OaiFormat } from './format.ts';

/** The registry. */
export const oaiFormats: readonly OaiFormat[] = [oaiDc, oaiDcterms];

/** The format of a prefix, or undefined. */
export const formatOf = (prefix: string): OaiFormat | undefined => oaiFormats.find((format) => format.prefix === prefix);
