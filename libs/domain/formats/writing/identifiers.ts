// Values that XML schemas restrict: ids, name tokens, addresses.

import { wellPlaced } from '../xml/any-uri.ts';

const prefix = 'aspace_';

/** An id as exports write them: prefixed unless it is already, and of characters an id may have. */
export function prefixedId(id: string): string {
  // Ids of our own making are tested without tables of Unicode.
  const clean = /^[\w.-]*$/.test(id) ? id : id.replace(/[^\p{L}\p{N}._-]/gu, '_');
  return clean.startsWith(prefix) ? clean : `${prefix}${clean}`;
}

/** A text as a name token (xs:NMTOKEN): what it may not hold becomes `_`. */
export const nameToken = (text: string): string =>
  /^[\w.:-]*$/.test(text) ? text : text.trim().replace(/[^\p{L}\p{N}._:-]/gu, '_');

/** An address with the characters encoded that no URI may hold, whatever was typed. */
export function anyUri(address: string): string {
  return wellPlaced(
    address
      .toWellFormed()
      .trim()
      .replace(/[\s"<>\\^`{|}\u0000-\u001f\ufffe\uffff]/g, (character) => encodeURIComponent(character)),
  );
}

/** The ids of one document, or of a part of it that is written apart: gives each once. */
export type DocumentIds = {
  /** The prefixed id, or undefined where the document has it already. */
  claim(id: string | undefined): string | undefined;
  /** Hashes of all that were claimed, in no order. */
  claimed(): Float64Array<ArrayBuffer>;
  /** Claims what a part claimed; none of them, and false, where the document has one already. */
  claimAll(hashes: Float64Array): boolean;
};

/** Starts the ids of a document. Holds 53 bits of a hash for each, so that a hundred thousand cost little. */
export function createIds(): DocumentIds {
  const seen = new HashSet();
  return {
    claim(id) {
      if (id === undefined || id === '') return undefined;
      const wanted = prefixedId(id);
      return seen.add(hashOf(wanted)) ? wanted : undefined;
    },
    claimed: () => seen.hashes(),
    claimAll(hashes) {
      if (hashes.some((hash) => seen.has(hash))) return false;
      for (const hash of hashes) seen.add(hash);
      return true;
    },
  };
}

/** Hashes in one array, where a Set would make an object of each, which took a tenth of the time of a finding aid. */
class HashSet {
  #slots = new Float64Array(1024);
  #count = 0;

  /** Whether it is new. */
  add(hash: number): boolean {
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] !== 0) return false;
    this.#slots[slot] = hash;
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return true;
  }

  has(hash: number): boolean {
    return this.#slots[this.#slotOf(hash)] !== 0;
  }

  hashes(): Float64Array<ArrayBuffer> {
    return this.#slots.filter((hash) => hash !== 0);
  }

  // Where it is, or the empty slot where it would be: at most half of them are taken.
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash >>> 0) & mask;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * 2);
    for (const hash of before) if (hash !== 0) this.#slots[this.#slotOf(hash)] = hash;
  }
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
  // 0 marks an empty slot.
  return 4294967296 * (2097151 & b) + (a >>> 0) || 1;
}
