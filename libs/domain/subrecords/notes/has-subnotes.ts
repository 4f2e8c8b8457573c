// The rule of notes that are made of sub-notes (contract 1.6).
import { objectsOf } from '../../json.ts';
import type { Rule } from '../../schema/property.ts';

/** A multipart note or a biography says something. */
export const hasSubnotes: Rule = (note, report) => {
  if (objectsOf(note, 'subnotes').length === 0) report('subnotes', 'Must contain at least one subnote');
};
