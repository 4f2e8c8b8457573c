// The statements that read records: one for each set of kinds and each way of seeing them.
import { expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { positionsOf, readStatement, siblingsOf } from '#store/records/reading/statements.ts';

const subject = kindNamed('subject');
const node = kindNamed('archival_object');
const viewer = { seesSuppressed: true };

test('a statement is made once for kinds and viewer, and another viewer has another', () => {
  expect(readStatement([subject, node], viewer)).toBe(readStatement([subject, node], viewer));
  expect(readStatement([subject], viewer).name).not.toBe(readStatement([subject], { ...viewer, seesUse: true }).name);
});

test('the place of a node may be left open, with the version of its tree or without', () => {
  const [counted, versioned, open] = (['positions', 'tree versions', 'open'] as const).map(
    (places) => readStatement([node], viewer, places).text,
  );
  expect([counted, versioned, open].map((text) => text?.includes(`'"position":' || '?'`))).toEqual([false, true, true]);
  expect([counted, versioned, open].map((text) => text?.includes(' AS tree'))).toEqual([false, true, false]);
});

test('positions and siblings have statements of their own, for kinds in trees alone', () => {
  expect(positionsOf(subject)).toBeNull();
  expect(positionsOf(node)?.name).not.toBe(siblingsOf(node, 1).name);
});
