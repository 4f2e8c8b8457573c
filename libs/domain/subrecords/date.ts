// Dates of archival description: an expression, a beginning and an end.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../schema/property.ts';
import { textOf } from '../json.ts';
import { endsBeforeBegin, parseDay } from '../dates/rules.ts';

/** Contract 1.6, date: an expression or one of begin and end; begin and end are dates in order. */
const hasDate: Rule = (date, report) => {
  const { expression, begin, end } = {
    expression: textOf(date, 'expression'),
    begin: textOf(date, 'begin'),
    end: textOf(date, 'end'),
  };
  for (const property of ['begin', 'end']) {
    const text = textOf(date, property);
    if (text !== undefined && parseDay(text) === null) report(property, 'not a valid date');
  }
  if (begin !== undefined && end !== undefined && endsBeforeBegin(begin, end))
    report('end', 'must not be before begin');
  if (expression !== undefined || begin !== undefined || end !== undefined) return;
  report('expression', 'is required unless a begin or end date is given');
  report('begin', 'is required unless an expression or an end date is given');
  report('end', 'is required unless an expression or a begin date is given');
};

/** Contract schemas.json, `date`. */
export const ArchivalDate: Schema = {
  name: 'date',
  properties: {
    date_type: { type: 'string', enumeration: 'date_type', required: 'error' },
    label: { type: 'string', enumeration: 'date_label', required: 'error' },
    certainty: { type: 'string', enumeration: 'date_certainty' },
    expression: { type: 'string', maxLength: 255 },
    begin: { type: 'string', maxLength: 255 },
    end: { type: 'string', maxLength: 255 },
    era: { type: 'string', enumeration: 'date_era' },
    calendar: { type: 'string', enumeration: 'date_calendar' },
  },
  audited: true,
  rules: [hasDate],
};
