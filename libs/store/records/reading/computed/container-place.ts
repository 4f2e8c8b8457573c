// Computed properties of a top container: where it stands, what it holds, whether it is restricted (contract 6.7).
import type { Kind } from '#domain/kind.ts';

/**
 * `series`, `collection`, strings, restrictions and publication of a top container, from the SQL function of that name. `hides`: as if what
 * is suppressed were not in it (contract 5.2).
 */
export const containerPlace = (_kind: Kind, { hides }: { readonly hides: boolean }): string =>
  `(SELECT container_place_text(r.id, r.repo_id, r.body, ${hides}))`;
