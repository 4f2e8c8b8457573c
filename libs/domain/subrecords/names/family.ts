// Names of families and their forms in other languages or scripts.
// Properties follow the contract (schemas.json) in its order; what all names have is in name.ts.
import type { Properties, Schema } from '../../schema/property.ts';
import { nameOf, parallelNameOf } from './name.ts';

const own: Properties = {
  family_name: { type: 'string', maxLength: 65000, required: 'error' },
  prefix: { type: 'string', maxLength: 65000 },
  location: { type: 'string', maxLength: 65000 },
  family_type: { type: 'string', maxLength: 65000 },
};

/** Contract schemas.json, `name_family`. */
export const NameFamily: Schema = nameOf('family', own, () => ParallelNameFamily);

/** Contract schemas.json, `parallel_name_family`. */
export const ParallelNameFamily: Schema = parallelNameOf('family', own);
