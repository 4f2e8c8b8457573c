// A hash table from temporary uris to record ids in shared memory: written by one thread, read by all without copying.
// 27 bytes a record at three quarters full, 53 just after growing: a million records cost 42 MB in the process, not in each thread.

/** What a temporary uri stands for: the number of its kind in the batch's list of kinds, and the real id. */
export type UriTarget = { readonly kind: number; readonly id: number };

// A slot is five 32-bit words: three of hash, the kind + 1 (0: free), the id. 96 bits of hash make a collision of two
// different uris in a batch of ten million as likely as 1 in 10^15.
const words = 5;

/** The table as a thread gets it. */
export type SharedUriTable = { readonly buffer: SharedArrayBuffer; readonly capacity: number };

// Linear probing: at three quarters a search that finds nothing looks at some nine slots, which is little beside parsing a record.
const capacityFor = (count: number): number => Math.ceil((count * 4) / 3);

/** Whether a table has room for so many uris in all. */
export const hasRoomFor = (table: SharedUriTable, count: number): boolean => capacityFor(count) <= table.capacity;

/** Makes an empty table that holds up to `count` uris. */
export function makeUriTable(count: number): SharedUriTable {
  let capacity = 16;
  while (capacity < capacityFor(count)) capacity *= 2;
  return { buffer: new SharedArrayBuffer(capacity * words * 4), capacity };
}

/** A table of twice the capacity with the same entries, for when the number of records is not known before. */
export function growUriTable(table: SharedUriTable): SharedUriTable {
  const larger = makeUriTable(table.capacity);
  const from = new Uint32Array(table.buffer);
  const to = new Uint32Array(larger.buffer);
  for (let at = 0; at < from.length; at += words) {
    if (from[at + 3] === 0) continue;
    let slot = (from[at] ?? 0) & (larger.capacity - 1);
    while (to[slot * words + 3] !== 0) slot = (slot + 1) & (larger.capacity - 1);
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
    for (let slot = (hashes[from] ?? 0) & (table.capacity - 1); ; slot = (slot + 1) & (table.capacity - 1)) {
      const at = slot * words;
      if (slots[at + 3] === 0) return at;
      if (slots[at] === hashes[from] && slots[at + 1] === hashes[from + 1] && slots[at + 2] === hashes[from + 2]) return at;
    }
  };
  const addHashed = (hashes: Uint32Array, from: number, target: UriTarget): boolean => {
    const at = find(hashes, from);
    if (slots[at + 3] !== 0) return false;
    for (let word = 0; word < hashWords; word++) slots[at + word] = hashes[from + word] ?? 0;
    slots[at + 3] = target.kind + 1;
    slots[at + 4] = target.id;
    return true;
  };
  return {
    get(uri) {
      hashUri(uri, own, 0);
      const at = find(own, 0);
      const kind = slots[at + 3] ?? 0;
      return kind === 0 ? null : { kind: kind - 1, id: slots[at + 4] ?? 0 };
    },
    add(uri, target) {
      hashUri(uri, own, 0);
      return addHashed(own, 0, target);
    },
    addHashed,
  };
}
