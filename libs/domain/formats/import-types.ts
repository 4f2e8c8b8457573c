// The types of files that import jobs read (contract trees-and-jobs 3.5): what the standards declare, in the order in which jobs offer them.
import type { Import } from './define-import.ts';
import { allImports } from './imports.ts';
import { compareOffers } from './offer-order.ts';
import { readBeginning } from './reading/beginning.ts';

/** The imports by import type: the contract's in its order, then additions by name. */
export const importFormats: ReadonlyMap<string, Import> = new Map(
  allImports.toSorted(compareOffers).map((each) => [each.name, each]),
);

/** What clients are told of them. */
export const importTypes: readonly { readonly name: string; readonly description: string }[] = Array.from(
  importFormats.values(),
  ({ name, description }) => ({ name, description }),
);

/** The import whose files begin so, from the first bytes (`beginningBytes` are enough); undefined where none knows it. */
export function importOf(firstBytes: Uint8Array): Import | undefined {
  const beginning = readBeginning(firstBytes);
  return allImports.find((each) => each.recognises?.(beginning) === true);
}
