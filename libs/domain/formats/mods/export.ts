// oai_mods: MODS of resources and archival objects (contract OAI 11).
import { describedMods } from './described.ts';
import type { OaiFormat } from '../oai/format.ts';
import { withoutDeclaration } from '../oai/format.ts';

/** Prefix `oai_mods`. */
export const oaiMods: OaiFormat = {
  prefix: 'oai_mods',
  schema: 'https://www.loc.gov/standards/mods/v3/mods-3-6.xsd',
  namespace: 'http://www.loc.gov/mods/v3',
  kinds: ['resource', 'archival_object'],
  pageSize: 25,
  write: (record, context) => withoutDeclaration(describedMods(record, context)),
};
