// A hash table from temporary uris to record ids in shared memory: written by one thread, read by all without copying.
// 22 bytes a record where it is full: a million records cost some 25 MB in the process, not in each thread.
/** What a temporary uri stands for: the number of its kind in the batch's list of kinds, and the real id. */
export type UriTarget = { readonly kind: number; readonly id: number };

// A slot is four 32-bit words: two of hash; 24 bits of hash and the kind + 1 (0: free); the id. 88 bits of hash make a collision of two
// different uris in a batch of ten million as likely as 1 in 10^13.
const words = 4;
const kindBits = 0xff;

/** The largest `kind` of a target. */
export const largestKind = kindBits - 1;

/** The table as a thread gets it. */
export type SharedUriTable = { readonly buffer: SharedArrayBuffer; readonly capacity: number };

// Linear probing: at three quarters a search that finds nothing looks at some nine slots, which is little beside parsing a record.
const capacityFor = (count: number): number => Math.max(16, Math.ceil((count * 4) / 3));

/** Whether a table has room for so many uris in all. */
export const hasRoomFor = (table: SharedUriTable, count: number): boolean => capacityFor(count) <= table.capacity;

/** Makes an empty table that holds up to `count` uris. */
export function makeUriTable(count: number): SharedUriTable {
  const capacity = capacityFor(count);
  return { buffer: new SharedArrayBuffer(capacity * words * 4), capacity };
}

/** Whether two tables were filled with the same entries in the same order. */
export function isSameTable(one: SharedUriTable, other: SharedUriTable): boolean {
  const [slots, others] = [new Uint32Array(one.buffer), new Uint32Array(other.buffer)];
  return slots.length === others.length && slots.every((word, at) => word === others[at]);
}

/** A table for up to `count` uris with the same entries, for when the number of records is not known before. */
export function growUriTable(table: SharedUriTable, count: number): SharedUriTable {
  const larger = makeUriTable(count);
  const from = new Uint32Array(table.buffer);
  const to = new Uint32Array(larger.buffer);
  for (let at = 0; at < from.length; at += words) {
    if (((from[at + 2] ?? 0) & kindBits) === 0) continue;
    let slot = (from[at] ?? 0) % larger.capacity;
    while (((to[slot * words + 2] ?? 0) & kindBits) !== 0) slot = slot + 1 === larger.capacity ? 0 : slot + 1;
    to.set(from.subarray(at, at + words), slot * words);
  }
  return larger;
}

/** 32-bit words of the hash of a uri. */
export const hashWords = 3;

/** Hashes a uri into three words of `out` from `at`: FNV-1a and two relatives over UTF-16 units, finished by a mix. */
export function hashUri(uri: string, out: Uint32Array, at: number): void {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  let c = 0x85ebca6b;
  for (let index = 0; index < uri.length; index++) {
    const unit = uri.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit ^ (a >>> 15), 0x85ebca77);
    c = Math.imul(c + unit, 0xc2b2ae3d) ^ (b >>> 13);
  }
  out[at] = mix(a);
  out[at + 1] = mix(b ^ uri.length);
  out[at + 2] = mix(c);
}

function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A shared table as one thread reads and writes it. */
export type UriTable = {
  /** The target of a uri, or null. */
  get(uri: string): UriTarget | null;
  /** Sets the target of a uri; false where the uri has one already, which then stays. */
  add(uri: string, target: UriTarget): boolean;
  /** The same by the hash of the uri, whose words stand in `hashes` from `at` (hashUri). */
  addHashed(hashes: Uint32Array, at: number, target: UriTarget): boolean;
};

/** Opens a shared table. Only one thread may write, and no reader may run while it does; hasRoomFor() says how far it may be filled. */
export function openUriTable(table: SharedUriTable): UriTable {
  const slots = new Uint32Array(table.buffer);
  const own = new Uint32Array(hashWords);
  /** The first word of the slot of a hash, free or taken. */
  const find = (hashes: Uint32Array, from: number): number => {
    const [first, second, third] = [hashes[from] ?? 0, hashes[from + 1] ?? 0, (hashes[from + 2] ?? 0) & ~kindBits];
    for (let slot = first % table.capacity; ; slot = slot + 1 === table.capacity ? 0 : slot + 1) {
      const at = slot * words;
      const last = slots[at + 2] ?? 0;
      if ((last & kindBits) === 0) return at;
      if (slots[at] === first && slots[at + 1] === second && (last & ~kindBits) === third) return at;
    }
  };
  const addHashed = (hashes: Uint32Array, from: number, target: UriTarget): boolean => {
    const at = find(hashes, from);
    if (((slots[at + 2] ?? 0) & kindBits) !== 0) return false;
    if (target.kind > largestKind) throw new RangeError(`a table of uris has no room for kinds above ${largestKind}`);
    slots[at] = hashes[from] ?? 0;
    slots[at + 1] = hashes[from + 1] ?? 0;
    slots[at + 2] = ((hashes[from + 2] ?? 0) & ~kindBits) | (target.kind + 1);
    slots[at + 3] = target.id;
    return true;
  };
  return {
    get(uri) {
      hashUri(uri, own, 0);
      const at = find(own, 0);
      const kind = (slots[at + 2] ?? 0) & kindBits;
      return kind === 0 ? null : { kind: kind - 1, id: slots[at + 3] ?? 0 };
    },
    add(uri, target) {
      hashUri(uri, own, 0);
      return addHashed(own, 0, target);
    },
    addHashed,
  };
}
