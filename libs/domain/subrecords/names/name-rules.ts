// The rules that the names of all agents share (contract 1.6, 1.5).
import type { Rule } from '../../schema/property.ts';

/** A name is sorted by the text that was sent, or by one the service may make; its default does not count, since rules come first. */
export const hasSortName: Rule = (name, report) => {
  if (name['sort_name'] === undefined && name['sort_name_auto_generate'] !== true)
    report('sort_name', 'Property is required but was missing');
};

/** An authority id without its source is accepted with a warning. */
export const authorityHasSource: Rule = (name, _report, warn) => {
  if (name['authority_id'] !== undefined && name['source'] === undefined)
    warn('source', 'is required if there is an authority id');
};
