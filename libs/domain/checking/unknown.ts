// Properties that no schema has. They are left out without a word (contract behaviour-records.md 1.4), unless the caller wants to be told:
// what is misspelled is otherwise lost unnoticed.
import type { UnknownProperties } from './context.ts';
import type { Pass } from './pass.ts';
import { reportError, reportUnknown } from './pass.ts';

// What any object of a reply may have.
const everywhere = new Set(['jsonmodel_type', 'uri', 'ref', '_resolved', 'lock_version']);

/** Tells a property that has no place in the object where the pass stands, if it is unknown. `names` are all that the schema has. */
export function tellUnknown(
  told: UnknownProperties,
  { name, names }: { readonly name: string | null; readonly names: ReadonlySet<string> },
  property: string,
  pass: Pass,
): void {
  if (names.has(property) || everywhere.has(property) || (name !== null && told.isShown(name, property))) return;
  if (told.refused) reportError(pass, property, 'Unknown property');
  else reportUnknown(pass, property, 'Unknown property, left out');
}
