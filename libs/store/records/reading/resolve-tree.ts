// The names that `resolve` parameters give, as a tree.

/** What to resolve, as a tree: {subjects: {}, instances: {top_container: {}}}. */
export type ResolveTree = { readonly [name: string]: ResolveTree };

/** Parses resolve parameters ('a', 'a::b') to a tree; empty names are left out. `a::b` implies `a`. */
export function parseResolve(names: readonly string[]): ResolveTree {
  const tree: { [name: string]: ResolveTree } = {};
  for (const name of names) {
    let at: { [name: string]: ResolveTree } = tree;
    for (const step of name
      .split('::')
      .filter((part) => part !== '')
      .slice(0, 16)) {
      at[step] ??= {};
      // The nodes made here are plain mutable objects until parseResolve returns.
      at = at[step] as { [name: string]: ResolveTree };
    }
  }
  return tree;
}
