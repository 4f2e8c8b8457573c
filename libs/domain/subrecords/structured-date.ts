// Dates of agents and their names: a single date or a range, each with an expression and a standardised form.
// Properties follow the contract (schemas.json) in its order.
import type { Report, Rule, Schema } from '../schema/property.ts';
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import type { Day } from '../dates/rules.ts';
import { compareDays, hasStandardizedForm, parseDay, withYearFirst } from '../dates/rules.ts';
import { partOf } from '../schema/build.ts';

/** Contract 1.6, structured_date_label: one of the two forms, the one that the type names. */
const oneForm: Rule = (date, report) => {
  const [single, range] = [date['structured_date_single'] !== undefined, date['structured_date_range'] !== undefined];
  const type = textOf(date, 'date_type_structured');
  if (!single && !range) report('structured_date_label', 'must_specify_either_a_single_or_ranged_date');
  if (single && range) report('structured_date_single', 'cannot specify both a single and ranged date');
  if (range && type === 'single') report('structured_date_range', 'Must specify single date for date type of single');
  if (single && type === 'range') report('structured_date_range', 'Must specify range date for date type of range');
};

/** Contract 1.6, structured_date_single: an expression or a standardised date in a known form. */
const singleIsDate: Rule = (date, report) => {
  const standardized = textOf(date, 'date_standardized');
  if (standardized === undefined && textOf(date, 'date_expression') === undefined)
    report('date_standardized', 'or date expression is required');
  checkForm(date, 'date_standardized', report);
};

/** Contract 1.6, structured_date_range: a beginning in either form, an end only with a beginning of its form, in order. */
const rangeIsOrdered: Rule = (range, report) => {
  const [begin, end] = [textOf(range, 'begin_date_standardized'), textOf(range, 'end_date_standardized')];
  const [beginExpression, endExpression] = [
    textOf(range, 'begin_date_expression'),
    textOf(range, 'end_date_expression'),
  ];
  if (beginExpression === undefined && begin === undefined && end === undefined)
    report('begin_date_expression', 'is required');
  if (endExpression !== undefined && beginExpression === undefined)
    report('end_date_expression', 'requires begin date expression to be defined');
  if (end !== undefined && begin === undefined)
    report('end_date_standardized', 'requires begin_date_standardized to be defined');
  const isWellFormed = [
    checkForm(range, 'begin_date_standardized', report),
    checkForm(range, 'end_date_standardized', report),
  ].every(Boolean);
  if (!isWellFormed || begin === undefined || end === undefined) return;
  const [first, last] = [standardDate(begin), standardDate(end)];
  if (first === null || last === null) report('begin_date_standardized', 'Error attempting to parsing dates');
  else if (compareDays(first, last) > 0)
    report('begin_date_standardized', 'requires that end dates are after begin dates');
};

/** Whether a standardised date is absent or has one of the contract's forms; reports it otherwise. */
function checkForm(date: JsonObject, property: string, report: Report): boolean {
  const text = textOf(date, property);
  if (text === undefined || hasStandardizedForm(text)) return true;
  report(property, 'must be in YYYY[YYY][YY][Y], YYYY[YYY][YY][Y]-MM, or YYYY-MM-DD format');
  return false;
}

const standardDate = (text: string): Day | null => parseDay(withYearFirst(text));

/** Contract schemas.json, `structured_date_label`. */
export const StructuredDateLabel: Schema = {
  name: 'structured_date_label',
  properties: {
    date_label: { type: 'string', enumeration: 'date_label', required: 'error' },
    date_type_structured: { type: 'string', values: ['single', 'range'], required: 'error' },
    structured_date_single: partOf(() => [StructuredDateSingle]),
    structured_date_range: partOf(() => [StructuredDateRange]),
    date_certainty: { type: 'string', enumeration: 'date_certainty' },
    date_era: { type: 'string', enumeration: 'date_era' },
    date_calendar: { type: 'string', enumeration: 'date_calendar' },
  },
  audited: true,
  rules: [oneForm],
};

/** Contract schemas.json, `structured_date_single`. */
export const StructuredDateSingle: Schema = {
  name: 'structured_date_single',
  properties: {
    date_role: { type: 'string', enumeration: 'date_role', required: 'error' },
    date_expression: { type: 'string', maxLength: 255 },
    date_standardized: { type: 'string', maxLength: 255 },
    date_standardized_type: { type: 'string', enumeration: 'date_standardized_type', required: 'warn' },
  },
  audited: true,
  rules: [singleIsDate],
};

/** Contract schemas.json, `structured_date_range`. */
export const StructuredDateRange: Schema = {
  name: 'structured_date_range',
  properties: {
    begin_date_expression: { type: 'string', maxLength: 255 },
    begin_date_standardized: { type: 'string', maxLength: 255 },
    begin_date_standardized_type: { type: 'string', enumeration: 'date_standardized_type', required: 'warn' },
    end_date_expression: { type: 'string', maxLength: 255 },
    end_date_standardized: { type: 'string', maxLength: 255 },
    end_date_standardized_type: { type: 'string', enumeration: 'date_standardized_type', required: 'warn' },
  },
  audited: true,
  rules: [rangeIsOrdered],
};
