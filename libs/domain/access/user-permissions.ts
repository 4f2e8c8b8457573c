// What a user may do, as user records show it (contract behaviour-records.md 2.4).
// Whether a caller may do something is asked of caller.ts; which permissions there are stands in db/reference/permissions.json.
import { derivedPermissions, globalRepoId } from './caller.ts';

/** Stored codes by repository id, as groups grant them. */
export type Grants = ReadonlyMap<number, ReadonlySet<string>>;

/** What the shape of the map depends on: the release, and the key of the global permissions (configuration). */
export type PermissionsForm = { readonly release: 'R-A' | 'R-B'; readonly globalKey: string };

/** The derived codes that grants give, in the order of the table: each holds everywhere. */
export function derivedCodes(grants: Grants): readonly string[] {
  const held = new Set([...grants.values()].flatMap((codes) => [...codes]));
  return Object.entries(derivedPermissions)
    .filter(([, source]) => held.has(source))
    .map(([code]) => code);
}

/**
 * `permissions` of a user record: a key for each repository with a grant (derived codes, then those granted there), and
 * the global key (codes granted globally, `edit_user_self` in R-B, derived codes).
 */
export function permissionsOf(
  grants: Grants,
  form: PermissionsForm,
): { readonly [repository: string]: readonly string[] } {
  const derived = derivedCodes(grants);
  const repositories = [...grants].filter(([, codes]) => codes.size > 0).sort(([a], [b]) => a - b);
  const everywhere = [...(grants.get(globalRepoId) ?? [])];
  return {
    ...Object.fromEntries(repositories.map(([repoId, codes]) => [`/repositories/${repoId}`, [...derived, ...codes]])),
    [form.globalKey]: [...everywhere, ...(form.release === 'R-B' ? ['edit_user_self'] : []), ...derived],
  };
}
