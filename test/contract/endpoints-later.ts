// Endpoints of the contract that later issues bring. The list only shrinks: the suite fails on an entry that is mounted.

/** Method and path as in test/contract/data/endpoints.json. */
export const later: ReadonlySet<string> = new Set<string>();
