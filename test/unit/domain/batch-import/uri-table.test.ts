// The table of temporary uris: a map in shared memory, against Map itself.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { existingFrom } from '#domain/batch-import/block.ts';
import { makeGrowingUriTable } from '#domain/batch-import/growing-uri-table.ts';
import {
  growUriTable,
  hasRoomFor,
  hashUri,
  hashWords,
  largestKind,
  makeUriTable,
  openUriTable,
} from '#domain/batch-import/uri-table.ts';
import { kinds } from '#domain/kinds/index.ts';

test('gives what was added, null for what was not, and keeps the first of two', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.string(), fc.integer({ min: 0, max: largestKind }), fc.integer({ min: 1, max: 2_147_483_647 })),
        { maxLength: 200 },
      ),
      fc.array(fc.string()),
      (entries, others) => {
        const table = openUriTable(makeUriTable(entries.length));
        const map = new Map<string, { kind: number; id: number }>();
        for (const [uri, kind, id] of entries) {
          expect(table.add(uri, { kind, id })).toBe(!map.has(uri));
          if (!map.has(uri)) map.set(uri, { kind, id });
        }
        for (const uri of [...map.keys(), ...others]) expect(table.get(uri)).toEqual(map.get(uri) ?? null);
      },
    ),
  );
});

test('grows without losing an entry, and is the same table for whoever opens its buffer', () => {
  let shared = makeUriTable(8);
  for (let n = 0; n < 20_000; n++) {
    if (!hasRoomFor(shared, n + 1)) shared = growUriTable(shared, 2 * (n + 1));
    expect(openUriTable(shared).add(`/repositories/2/archival_objects/import_${n}`, { kind: n % 7, id: n + 1 })).toBe(
      true,
    );
  }
  // A table may be three quarters full, and is doubled.
  expect(shared.buffer.byteLength / 20_000).toBeLessThanOrEqual(43);
  const other = openUriTable({ ...shared });
  for (let n = 0; n < 20_000; n++)
    expect(other.get(`/repositories/2/archival_objects/import_${n}`)).toEqual({ kind: n % 7, id: n + 1 });
  expect(other.get('/repositories/2/archival_objects/import_20000')).toBeNull();
});

test('grows to what is expected, but for more than eight times what is needed', () => {
  const table = makeGrowingUriTable();
  const capacities: number[] = [];
  for (let n = 0; n < 100_000; n++) {
    table.reserve(1, () => 100_000);
    expect(table.add(`/a/${n}`, { kind: 1, id: n })).toBe(true);
    if (table.shared.capacity !== capacities.at(-1)) capacities.push(table.shared.capacity);
  }
  expect(capacities).toHaveLength(3);
  // Between 21 bytes an entry and a quarter more.
  expect(table.shared.buffer.byteLength / 100_000).toBeLessThan(27);
  expect([table.get('/a/0'), table.get('/a/99999')]).toEqual([
    { kind: 1, id: 0 },
    { kind: 1, id: 99_999 },
  ]);
  expect(table.add('/a/0', { kind: 1, id: 1 })).toBe(false);
});

test('every number that a kind can have in a batch fits', () => {
  expect(existingFrom + kinds.size - 1).toBeLessThanOrEqual(largestKind);
  expect(kinds.size).toBeLessThanOrEqual(existingFrom);
  expect(() => openUriTable(makeUriTable(1)).add('/a', { kind: largestKind + 1, id: 1 })).toThrow(RangeError);
});

test('takes hashes made elsewhere', () => {
  const table = openUriTable(makeUriTable(4));
  const hashes = new Uint32Array(2 * hashWords);
  hashUri('/a/1', hashes, 0);
  hashUri('/b/1', hashes, hashWords);
  expect(table.addHashed(hashes, hashWords, { kind: 3, id: 9 })).toBe(true);
  expect(table.addHashed(hashes, hashWords, { kind: 4, id: 10 })).toBe(false);
  expect([table.get('/a/1'), table.get('/b/1')]).toEqual([null, { kind: 3, id: 9 }]);
});

test('tells uris apart that differ little, also by two words of the hash alone', () => {
  const hashes = new Uint32Array(hashWords);
  const seen = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (let n = 0; n < 200_000; n++) {
    hashUri(`/repositories/2/archival_objects/import_7f3a-${n.toString(16)}`, hashes, 0);
    seen.forEach((set, left) => set.add([...hashes].filter((_, word) => word !== left).join(' ')));
  }
  for (const set of seen) expect(set.size).toBe(200_000);
});
