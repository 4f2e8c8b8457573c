// Names of corporate entities and their forms in other languages or scripts.
// Properties follow the contract (schemas.json) in its order; what all names have is in name.ts.
import type { Properties, Schema } from '../../schema/property.ts';
import { nameOf, parallelNameOf } from './name.ts';

const own: Properties = {
  primary_name: { type: 'string', maxLength: 65000, required: 'error' },
  subordinate_name_1: { type: 'string', maxLength: 65000 },
  subordinate_name_2: { type: 'string', maxLength: 65000 },
  number: { type: 'string', maxLength: 255 },
  location: { type: 'string', maxLength: 65000 },
  conference_meeting: { type: 'boolean', default: false },
  jurisdiction: { type: 'boolean', default: false },
};

/** Contract schemas.json, `name_corporate_entity`. */
export const NameCorporateEntity: Schema = nameOf('corporate_entity', own, () => ParallelNameCorporateEntity);

/** Contract schemas.json, `parallel_name_corporate_entity`. */
export const ParallelNameCorporateEntity: Schema = parallelNameOf('corporate_entity', own);
