// Measures of containers and shelves, which are kept as the text that was typed (contract 1.6).
import { textOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';

// Of a text without the blanks around it: an expression that passes over them itself goes through all of a long text from each of them.
const measure = /^(?:\d+(?:\.\d{1,2})?|\.\d{1,2})$/;

/** Refuses a depth, width or height that is no number with at most two decimals. Ones that are absent are not its concern. */
export const checkMeasures: Rule = (body, report) => {
  for (const side of ['depth', 'width', 'height']) {
    const text = textOf(body, side);
    if (text !== undefined && !measure.test(text.trim()))
      report(side, 'must be a number with no more than 2 decimal places');
  }
};
