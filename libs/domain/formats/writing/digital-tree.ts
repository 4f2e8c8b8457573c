// A digital object with its components, as the writers of MODS and METS take it.
import type { JsonObject } from '../../json.ts';
import { publishedPart } from './published.ts';

/** A component in reading order; `depth` is 1 directly under the object. */
type ComponentEntry = { readonly record: JsonObject; readonly depth: number };

/** The object and all its components that go out, a component before what is below it; refs of each resolved. */
export type DigitalTree = { readonly object: JsonObject; readonly components: readonly ComponentEntry[] };

/** The tree with unpublished parts of its records left out. Unpublished components are left out where the tree is read. */
export function publishedTree({ object, components }: DigitalTree): DigitalTree {
  return {
    object: publishedPart(object),
    components: components.map(({ record, depth }) => ({ record: publishedPart(record), depth })),
  };
}
