// Identifiers of harvested records: `<prefix>:<uri>`, in release R-A `<prefix>/<uri>` (contract OAI 4).
import { parseUri } from '../addresses.ts';
import type { HarvestedKind } from '../formats/oai/format.ts';

/** A harvested record and its address. */
export type Harvested = { readonly kind: HarvestedKind; readonly id: number; readonly repoId: number };

/** The identifier of a uri under a prefix such as `oai:muniment`. */
export const identifierOf = (prefix: string, uri: string, release: 'R-A' | 'R-B'): string =>
  `${prefix}${release === 'R-A' ? '/' : ':'}${uri}`;

// Clients build identifiers themselves with the prefix that every installation of the incumbent has (contract, clients.md).
const wellKnown = 'oai:archivesspace';

/** What an identifier names, or null where it names no resource or component. Either separator is taken, and a bare uri. */
export function parseIdentifier(prefix: string, identifier: string): Harvested | null {
  const uri =
    [prefix, wellKnown].flatMap((each) =>
      identifier.startsWith(`${each}:/`) || identifier.startsWith(`${each}//`)
        ? [identifier.slice(each.length + 1)]
        : [],
    )[0] ?? identifier;
  const address = parseUri(uri);
  if (
    address === null ||
    address.repoId === null ||
    (address.kind !== 'resource' && address.kind !== 'archival_object')
  )
    return null;
  return { kind: address.kind, id: address.id, repoId: address.repoId };
}
