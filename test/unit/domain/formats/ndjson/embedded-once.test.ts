// Linked records of a stream, each embedded once.
import { expect, test } from 'vitest';
import { makeEmbeddedOnce } from '#domain/formats/ndjson/embedded-once.ts';

test('takes out what an earlier record embedded, and gives what loses nothing as it is', () => {
  const once = makeEmbeddedOnce();
  const first = { subjects: [{ ref: '/subjects/1', _resolved: { title: 'Trade' } }] };
  expect(once(first)).toBe(first);
  expect(once(first)).toEqual({ subjects: [{ ref: '/subjects/1' }] });
  expect(first.subjects[0]).toHaveProperty('_resolved');
  const plain = { title: 'x', notes: [['y', null]] };
  expect(once(plain)).toBe(plain);
  // Another stream begins anew.
  expect(makeEmbeddedOnce()(first)).toBe(first);
});
