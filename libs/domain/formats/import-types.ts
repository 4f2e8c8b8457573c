// The types of files that import jobs read (contract trees-and-jobs 3.5): what the standards declare, in the order in which jobs offer them.
import type { Import } from './define-import.ts';
import { allImports } from './imports.ts';
import { compareOffers } from './offer-order.ts';

/** The imports by import type: the contract's in its order, then additions by name. */
export const importFormats: ReadonlyMap<string, Import> = new Map(
  allImports.toSorted(compareOffers).map((each) => [each.name, each]),
);

/** What clients are told of them. */
export const importTypes: readonly { readonly name: string; readonly description: string }[] = Array.from(
  importFormats.values(),
  ({ name, description }) => ({ name, description }),
);
