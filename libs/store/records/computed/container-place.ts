// Computed properties of a top container: where it stands, what it holds, whether it is restricted (contract 6.7).
import type { Kind } from '#domain/kind.ts';

/** `series`, `collection`, strings, restrictions and publication of a top container, from the SQL function of that name. */
export const containerPlace = (_kind: Kind): string => `(SELECT container_place_text(r.id, r.repo_id, r.body))`;
