// Where described material is: in a container (with its sub-containers) or as a digital object.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../schema/property.ts';
import { textOf } from '../json.ts';
import { partOf, refTo } from '../schema/build.ts';

/** Contract 1.6, instance: a digital object, or a container for every other type. */
const hasPlace: Rule = (instance, report) => {
  const isDigital = textOf(instance, 'instance_type') === 'digital_object';
  const hasDigital = instance['digital_object'] !== undefined;
  if (isDigital && !hasDigital) report('digital_object', "Can't be empty");
  if (!isDigital && hasDigital)
    report('instance_type', "An instance with a digital object reference must be of type 'digital_object'");
  else if (!isDigital && instance['sub_container'] === undefined) report('sub_container', "Can't be empty");
};

/** Contract 1.6, sub_container: type and indicator come in pairs, and level 3 needs level 2. */
const levelsArePaired: Rule = (container, report) => {
  const has = (property: string): boolean => container[property] !== undefined;
  if (has('type_2') !== has('indicator_2')) report('type_2', 'container 2 requires both a type and indicator');
  if (!has('type_2') && !has('indicator_2') && (has('type_3') || has('indicator_3')))
    report('type_2', 'container 2 is required if container 3 is provided');
  if (has('type_3') !== has('indicator_3')) report('type_3', 'container 3 requires both a type and indicator');
};

/** Contract schemas.json, `instance`. */
export const Instance: Schema = {
  name: 'instance',
  properties: {
    instance_type: { type: 'string', minLength: 1, enumeration: 'instance_instance_type', required: 'error' },
    sub_container: partOf(() => [SubContainer]),
    digital_object: { ...refTo(['digital_object']), resolvedInSearch: true },
    is_representative: { type: 'boolean', default: false },
  },
  audited: true,
  rules: [hasPlace],
  onlyOne: { flags: ['is_representative'], in: ['resource', 'archival_object'] },
};

/** Contract schemas.json, `sub_container`. */
export const SubContainer: Schema = {
  name: 'sub_container',
  properties: {
    top_container: { ...refTo(['top_container']), required: 'error', resolvedInSearch: true },
    type_2: { type: 'string', enumeration: 'container_type' },
    indicator_2: { type: 'string', maxLength: 255 },
    barcode_2: { type: 'string', maxLength: 255 },
    type_3: { type: 'string', enumeration: 'container_type' },
    indicator_3: { type: 'string', maxLength: 255 },
    display_string: { type: 'string', readonly: true },
  },
  audited: true,
  rules: [levelsArePaired],
};
