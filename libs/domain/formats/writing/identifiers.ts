// Values that XML schemas restrict: ids, name tokens, addresses.

import { wellPlaced } from '../xml/any-uri.ts';

const prefix = 'aspace_';

/** An id as exports write them: prefixed unless it is already, and of characters an id may have. */
export function prefixedId(id: string): string {
  const clean = id.replace(/[^\p{L}\p{N}._-]/gu, '_');
  return clean.startsWith(prefix) ? clean : `${prefix}${clean}`;
}

/** A text as a name token (xs:NMTOKEN): what it may not hold becomes `_`. */
export const nameToken = (text: string): string => text.trim().replace(/[^\p{L}\p{N}._:-]/gu, '_');

/** An address with the characters encoded that no URI may hold, whatever was typed. */
export function anyUri(address: string): string {
  return wellPlaced(
    address
      .toWellFormed()
      .trim()
      .replace(/[\s"<>\\^`{|}\u0000-\u001f\ufffe\uffff]/g, (character) => encodeURIComponent(character)),
  );
}

/** The ids of one document: gives each once. */
export type DocumentIds = {
  /** The prefixed id, or undefined where the document has it already. */
  claim(id: string | undefined): string | undefined;
};

/** Starts the ids of a document. Holds 53 bits of a hash for each, so that a hundred thousand cost little. */
export function createIds(): DocumentIds {
  const seen = new Set<number>();
  return {
    claim(id) {
      if (id === undefined || id === '') return undefined;
      const wanted = prefixedId(id);
      const hash = hashOf(wanted);
      if (seen.has(hash)) return undefined;
      seen.add(hash);
      return wanted;
    },
  };
}

// cyrb53: two 32-bit multiplicative hashes, 53 bits of them.
function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
