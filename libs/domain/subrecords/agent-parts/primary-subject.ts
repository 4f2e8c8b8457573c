// The rule that places, occupations, functions and topics of agents share (contract 1.6).
import { objectsOf } from '../../json.ts';
import type { Rule } from '../../schema/property.ts';

/** At least one subject says which place, occupation, function or topic it is. */
export const hasPrimarySubject: Rule = (part, report) => {
  if (objectsOf(part, 'subjects').length === 0) report('subjects', 'Must specify a primary subject');
};
