// Names of persons and their forms in other languages or scripts.
// Properties follow the contract (schemas.json) in its order; what all names have is in name.ts.
import type { Properties, Schema } from '../../schema/property.ts';
import { nameOf, parallelNameOf } from './name.ts';

const own: Properties = {
  primary_name: { type: 'string', maxLength: 255, required: 'error' },
  title: { type: 'string', maxLength: 16384 },
  name_order: { type: 'string', enumeration: 'name_person_name_order', required: 'error' },
  prefix: { type: 'string', maxLength: 65000 },
  rest_of_name: { type: 'string', maxLength: 65000 },
  suffix: { type: 'string', maxLength: 65000 },
  fuller_form: { type: 'string', maxLength: 65000 },
  number: { type: 'string', maxLength: 255 },
};

/** Contract schemas.json, `name_person`. */
export const NamePerson: Schema = nameOf('person', own, () => ParallelNamePerson);

/** Contract schemas.json, `parallel_name_person`. */
export const ParallelNamePerson: Schema = parallelNameOf('person', own);
