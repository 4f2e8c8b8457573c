// `resolve`: puts full records in place beside the refs a client names (contract 4.1). One round trip a level, whatever
// the number of refs and kinds; a target the caller may not see stays unresolved, as a missing one does.
import { parseUri } from '#domain/addresses.ts';
import type { JsonObject, Json } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Reader } from '../../connection/database.ts';
import type { Viewer } from './viewer.ts';
import { readRecords } from './read.ts';
import type { ResolveTree } from './resolve-tree.ts';
import type { ResolvedRecords } from './resolved-records.ts';

/** Who may see what among the targets. `mayView` is asked for records that live in a repository. */
export type ResolveViewer = Viewer & { readonly mayView: (repoId: number) => boolean };

type Mutable = { [property: string]: Json | undefined };
type Found = { readonly holder: Mutable; readonly below: ResolveTree };

/** The refs under the property names of a tree, at any depth of a value, in the order of its text. */
export function findRefs(value: unknown, tree: ResolveTree, found: Found[]): void {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') findRefs(item, tree, found);
    return;
  }
  if (!isObject(value)) return;
  // Lists of entries would be made of each of the hundred objects of a record; most of their values are texts, which hold no refs.
  for (const property in value) {
    const child = value[property];
    if (typeof child !== 'object' || child === null || property === '_resolved') continue;
    const below = tree[property];
    if (below === undefined) {
      findRefs(child, tree, found);
      continue;
    }
    const holders = Array.isArray(child) ? child : [child];
    let refs = 0;
    for (const holder of holders) {
      if (!isObject(holder) || typeof holder['ref'] !== 'string') continue;
      refs += 1;
      // Records come from JSON.parse of our own text, so they are plain objects that may be completed in place.
      found.push({ holder: holder as Mutable, below });
    }
    // 'instances::sub_container::top_container' steps through objects that are no refs.
    if (refs === 0) findRefs(child, { ...tree, ...below }, found);
  }
}

/**
 * Completes records with `_resolved` in place, level by level: all one-step names, then two-step, and so on.
 * `records` come from JSON.parse. Costs one round trip a level. `known`: what earlier calls with the same tree and viewer read, which is not
 * read again.
 */
export async function resolveRefs(
  reader: Reader,
  records: readonly JsonObject[],
  tree: ResolveTree,
  viewer: ResolveViewer,
  known?: ResolvedRecords,
): Promise<void> {
  let level: Found[] = [];
  for (const record of records) findRefs(record, tree, level);
  for (let depth = 0; level.length > 0 && depth < 16; depth++) {
    const wanted = new Map<string, Set<number>>();
    const missing = known === undefined ? level : known.fill(level);
    for (const { holder } of missing) {
      const address = parseUri(String(holder['ref']));
      if (address === null || (address.repoId !== null && !viewer.mayView(address.repoId))) continue;
      const ids = wanted.get(address.kind) ?? new Set();
      wanted.set(address.kind, ids.add(address.id));
    }
    const targets = await readRecords(reader, new Map([...wanted].map(([kind, ids]) => [kind, [...ids]])), {
      ...viewer,
      seesUse: false,
    });
    const next: Found[] = [];
    // A target that several name is parsed once and stands in all of them; but apart where not the same is wanted below it.
    const parsed = new Map<ResolveTree, Map<string, Mutable>>();
    for (const { holder, below } of missing) {
      const uri = String(holder['ref']);
      const target = targets.get(uri);
      if (target === undefined) continue;
      const now = parsed.get(below) ?? new Map<string, Mutable>();
      parsed.set(below, now);
      const before = now.get(uri);
      const resolved: Mutable = before ?? JSON.parse(target.text);
      holder['_resolved'] = resolved;
      if (before !== undefined) continue;
      now.set(uri, resolved);
      known?.keep(below, uri, resolved, target.text.length);
      if (Object.keys(below).length > 0) findRefs(resolved, below, next);
    }
    level = next;
  }
}
