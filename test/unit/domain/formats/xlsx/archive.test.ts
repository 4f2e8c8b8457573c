// Archives and what they say of themselves.
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openArchive } from '#domain/formats/xlsx/archive.ts';
import type { HostilePart } from '#test/support/make/hostile-zip.ts';
import { hostileZip } from '#test/support/make/hostile-zip.ts';

const textOf = (bytes: Uint8Array, name: string): string =>
  Buffer.concat([...(openArchive(bytes).get(name)?.pieces() ?? [])]).toString();
const long = 'word '.repeat(100_000);

test('gives parts that are packed or not, long or empty, with a comment at the end', () => {
  const bytes = zipSync(
    { 'xl/a.xml': Buffer.from(long), 'xl/b.xml': [Buffer.from('plain'), { level: 0 }], 'xl/c.xml': new Uint8Array(0) },
    { comment: 'x'.repeat(300) },
  );
  expect([textOf(bytes, 'xl/a.xml') === long, textOf(bytes, 'xl/b.xml'), textOf(bytes, 'xl/c.xml')]).toEqual([
    true,
    'plain',
    '',
  ]);
  expect(openArchive(bytes).get('xl/a.xml')?.sizeBytes).toBe(500_000);
});

test('gives parts whose sizes stand in 64 bits', () => {
  expect(textOf(hostileZip([{ name: 'xl/a.xml', bytes: 'abc', zip64Bytes: 3n }]), 'xl/a.xml')).toBe('abc');
});

test('a part is inflated no further than what it states', () => {
  const part: HostilePart = { name: 'xl/a.xml', bytes: new Uint8Array(100_000_000), statesBytes: 10 };
  let length = 0;
  expect(() => {
    for (const piece of openArchive(hostileZip([part]))
      .get('xl/a.xml')
      ?.pieces() ?? [])
      length += piece.length;
  }).toThrow(/inflates to more than the 10 bytes that it states/);
  expect(length).toBeLessThanOrEqual(10);
});

test.each<[string, Uint8Array, RegExp]>([
  ['nothing', new Uint8Array(0), /no workbook/],
  ['an end alone that promises parts', hostileZip([], { count: 3 }), /no workbook/],
  ['a part beyond the end', hostileZip([{ name: 'a', bytes: 'x', at: 100_000 }]), /no workbook/],
  ['a part that is elsewhere', hostileZip([{ name: 'a', bytes: 'xxxxxxxx', at: 3 }]), /not where the directory says/],
  [
    'parts on the same bytes',
    hostileZip([
      { name: 'a', bytes: 'x' },
      { name: 'b', bytes: 'x', at: 0 },
    ]),
    /overlaps another/,
  ],
])('%s is refused', (_what, bytes, says) => {
  expect(() => openArchive(bytes)).toThrow(says);
});
