// What the rules of the tree forgive: how often each rule is broken in each file, as counted when the rule was made. The list
// may only shrink: more than it says is a problem, and so is less, until `node scripts/check-tree.ts --shrink` wrote it down.

/** How often each file breaks a rule, by the rule's name and the file's path. */
export type Exceptions = { readonly [rule: string]: { readonly [path: string]: number } };

/** The paths, counted. */
export function countPaths(paths: readonly string[]): { readonly [path: string]: number } {
  const counts: { [path: string]: number } = {};
  for (const path of paths.toSorted()) counts[path] = (counts[path] ?? 0) + 1;
  return counts;
}

/** What is found beyond the list, and what the list forgives though it is mended. */
export function compareExceptions(found: Exceptions, listed: Exceptions): readonly string[] {
  return Object.entries(found).flatMap(([rule, counts]) => {
    const allowed = listed[rule] ?? {};
    const more = Object.entries(counts).filter(([path, count]) => count > (allowed[path] ?? 0));
    const fewer = Object.entries(allowed).filter(([path, count]) => count > (counts[path] ?? 0));
    return [
      ...more.map(([path, count]) => `${path}: ${rule}: ${count}, and ${allowed[path] ?? 0} are forgiven`),
      ...fewer.map(([path]) => `${path}: ${rule}: mended; take it off the list with --shrink`),
    ];
  });
}

/** The list without what is mended; it never grows. */
export function shrinkExceptions(found: Exceptions, listed: Exceptions): Exceptions {
  const rules = Object.entries(listed).map(([rule, allowed]) => {
    const kept = Object.entries(allowed).map(
      ([path, count]) => [path, Math.min(count, found[rule]?.[path] ?? 0)] as const,
    );
    return [rule, Object.fromEntries(kept.filter(([, count]) => count > 0))] as const;
  });
  return Object.fromEntries(rules);
}
