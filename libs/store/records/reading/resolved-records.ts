// Records that refs were resolved to, kept while a tree is read: the agents, subjects and boxes of its components are the same ones again
// and again. Each is read and parsed once, and one object stands in all that name it.
import type { Json, JsonObject } from '#domain/json.ts';
import type { ResolveTree } from './resolve-tree.ts';

/** A ref, and what is to be resolved below its target. */
type Unresolved = { readonly holder: { [property: string]: Json | undefined }; readonly below: ResolveTree };

type Kept = { readonly record: JsonObject; readonly size: number; readonly until: number };

// Some 30 MB as objects.
const mostCharacters = 8_000_000;
// A slow reader gets what is hidden or changed meanwhile as soon as one who reads block by block without this, but for these seconds.
const patienceMs = 10_000;

/** What was resolved for one reader and one tree of names; the oldest go first. Parts of records may be asked for alone: by what is resolved below. */
export class ResolvedRecords {
  readonly #kept = new Map<ResolveTree, Map<string, Kept>>();
  #characters = 0;

  /** Puts what is kept of refs' targets beside them; gives those of which nothing is. */
  fill<Each extends Unresolved>(refs: readonly Each[]): readonly Each[] {
    const now = performance.now();
    return refs.filter(({ holder, below }) => {
      const kept = this.#kept.get(below)?.get(String(holder['ref']));
      if (kept === undefined || kept.until < now) return true;
      holder['_resolved'] = kept.record;
      return false;
    });
  }

  /** Keeps a record of so many characters. */
  keep(below: ResolveTree, uri: string, record: JsonObject, size: number): void {
    const some = this.#kept.get(below) ?? new Map<string, Kept>();
    this.#kept.set(below, some);
    this.#characters += size - (some.get(uri)?.size ?? 0);
    some.delete(uri);
    some.set(uri, { record, size, until: performance.now() + patienceMs });
    if (this.#characters > mostCharacters) this.#drop(some);
  }

  // The older half of those that are resolved alike: the others may be few and large.
  #drop(some: Map<string, Kept>): void {
    let left = Math.ceil(some.size / 2);
    for (const [uri, { size }] of some) {
      if (left-- === 0) break;
      some.delete(uri);
      this.#characters -= size;
    }
  }
}
