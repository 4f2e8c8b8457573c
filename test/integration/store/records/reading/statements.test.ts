// The statements that read records: one for each set of kinds and each way of seeing them.
import { expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { placesOf, readStatement, siblingsOf } from '#store/records/reading/statements.ts';

const subject = kindNamed('subject');
const node = kindNamed('archival_object');
const viewer = { seesSuppressed: true };

test('a statement is made once for kinds and viewer, and another viewer has another', () => {
  expect(readStatement([node], viewer)).toBe(readStatement([node], viewer));
  expect(readStatement([subject, node], viewer).text).toBe(readStatement([subject, node], viewer).text);
  expect(readStatement([subject], viewer).name).not.toBe(readStatement([subject], { ...viewer, seesUse: true }).name);
});

test('the place of a node may be left open, with the version of its tree, or be read apart', () => {
  const [counted, versioned, apart] = (['positions', 'tree versions', 'apart'] as const).map(
    (places) => readStatement([node], viewer, places).text,
  );
  expect([counted, versioned, apart].map((text) => /"position":'\s*\|\| '\?'/.test(text ?? ''))).toEqual([
    false,
    true,
    false,
  ]);
  expect([counted, versioned, apart].map((text) => text?.includes(' AS tree'))).toEqual([false, true, false]);
  expect([counted, versioned, apart].map((text) => text?.includes('"ancestors":'))).toEqual([true, true, false]);
});

test('places and siblings have statements of their own, for kinds that show their place alone', () => {
  expect([subject, kindNamed('classification_term')].map(placesOf)).toEqual([null, null]);
  expect(placesOf(node)?.name).not.toBe(siblingsOf(node, 1).name);
});
