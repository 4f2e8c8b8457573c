// Measures of containers and shelves, which are kept as the text that was typed (contract 1.6).
import { textOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';

const measure = /^\s*(?=.*[0-9])\d*(?:\.\d{1,2})?\s*$/;

/** Refuses a depth, width or height that is no number with at most two decimals. Ones that are absent are not its concern. */
export const checkMeasures: Rule = (body, report) => {
  for (const side of ['depth', 'width', 'height']) {
    const text = textOf(body, side);
    if (text !== undefined && !measure.test(text)) report(side, 'must be a number with no more than 2 decimal places');
  }
};
