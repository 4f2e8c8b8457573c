// Names of software agents and their forms in other languages or scripts.
// Properties follow the contract (schemas.json) in its order; what all names have is in name.ts.
import type { Properties, Schema } from '../../schema/property.ts';
import { nameOf, parallelNameOf } from './name.ts';

const own: Properties = {
  software_name: { type: 'string', maxLength: 65000, required: 'error' },
  version: { type: 'string', maxLength: 65000 },
  manufacturer: { type: 'string', maxLength: 65000 },
};

/** Contract schemas.json, `name_software`. */
export const NameSoftware: Schema = nameOf('software', own, () => ParallelNameSoftware);

/** Contract schemas.json, `parallel_name_software`. */
export const ParallelNameSoftware: Schema = parallelNameOf('software', own);
