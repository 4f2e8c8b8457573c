// Fields that an institution gives a meaning of its own.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../schema/property.ts';
import { textOf } from '../json.ts';
import { decimalNumber, saysDecimal, wholeNumber } from '../rules/number-text.ts';

/** Contract 1.6, user_defined: numbers are held as text. */
const numbersAreNumbers: Rule = (fields, report) => {
  for (const at of [1, 2, 3]) {
    const [whole, real] = [textOf(fields, `integer_${at}`), textOf(fields, `real_${at}`)];
    if (whole !== undefined && !wholeNumber.test(whole)) report(`integer_${at}`, 'must be an integer');
    if (real !== undefined && !decimalNumber.test(real)) report(`real_${at}`, saysDecimal);
  }
};

/** Contract schemas.json, `user_defined`. */
export const UserDefined: Schema = {
  name: 'user_defined',
  properties: {
    boolean_1: { type: 'boolean', default: false },
    boolean_2: { type: 'boolean', default: false },
    boolean_3: { type: 'boolean', default: false },
    integer_1: { type: 'string' },
    integer_2: { type: 'string' },
    integer_3: { type: 'string' },
    real_1: { type: 'string' },
    real_2: { type: 'string' },
    real_3: { type: 'string' },
    string_1: { type: 'string', maxLength: 255 },
    string_2: { type: 'string', maxLength: 255 },
    string_3: { type: 'string', maxLength: 255 },
    string_4: { type: 'string', maxLength: 255 },
    text_1: { type: 'string', maxLength: 65000 },
    text_2: { type: 'string', maxLength: 65000 },
    text_3: { type: 'string', maxLength: 65000 },
    text_4: { type: 'string', maxLength: 65000 },
    text_5: { type: 'string', maxLength: 65000 },
    date_1: { type: 'date' },
    date_2: { type: 'date' },
    date_3: { type: 'date' },
    enum_1: { type: 'string', enumeration: 'user_defined_enum_1' },
    enum_2: { type: 'string', enumeration: 'user_defined_enum_2' },
    enum_3: { type: 'string', enumeration: 'user_defined_enum_3' },
    enum_4: { type: 'string', enumeration: 'user_defined_enum_4' },
  },
  audited: true,
  shows: ['repository'],
  rules: [numbersAreNumbers],
};
