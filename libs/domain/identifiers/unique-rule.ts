// What a kind declares of texts that no two of its records may share.
import type { JsonObject } from '../json.ts';

/** A uniqueness rule: `key` gives the text that may occur once within `within`, or null where the record has none. */
export type UniqueRule = {
  /** In full, 'accession.identifier'. Kinds that name the same rule share its keys (authority ids of all agents). */
  readonly name: string;
  /** 'repository', 'everywhere', or the property of a ref (such as 'resource') whose target is the scope. */
  readonly within: 'everywhere' | 'repository' | 'siblings' | { readonly ref: string };
  /** Several keys where a record may hold several; null in their place where one is missing, so that '*' of the property counts right. */
  readonly key: (body: JsonObject) => string | readonly (string | null)[] | null;
  /** The place of the first key that the record has at an earlier place too, or -1: a save is refused there. Imports and merges keep what repeats. */
  readonly repeats?: (body: JsonObject) => number;
  /** The property and message of the 400 (contract: uniqueness); '*' stands in the property for the index of the key, in the message for its text. */
  readonly property: string;
  readonly says: string;
  /** Whether the 400 names the record that has the key, under `conflicting_record`. */
  readonly showsConflict?: true;
};
