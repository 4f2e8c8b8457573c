// What an absent property is stored as.
import { expect, test } from 'vitest';
import { fillOf } from '#domain/checking/fill.ts';
import { newPass } from '#domain/checking/pass.ts';
import type { Schema } from '#domain/schema/property.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const schema = (name: string): Schema => ({ name, properties: {}, publishable: true });
const pass = newPass(testContext());

test('defaults are taken, empty ones are none, and lists are empty', () => {
  expect(fillOf('size', { type: 'integer', default: 3 }, null)?.(pass)).toBe(3);
  expect(fillOf('text', { type: 'string', default: '' }, null)).toBeNull();
  expect(fillOf('list', { type: 'list', of: { type: 'string' } }, null)?.(pass)).toEqual([]);
});

test('an update makes absent flags of the record itself false, and of its parts not', () => {
  const fill = fillOf('flag', { type: 'boolean' }, null);
  const update = newPass({ ...testContext(), operation: 'update' });
  const inPart = { ...update, path: ['parts', 0] };
  expect([fill?.(pass), fill?.(update), fill?.(inPart)]).toEqual([undefined, false, undefined]);
});

test('a note that is no sub-note is not published by itself', () => {
  const context = testContext();
  const asked = newPass({ ...context, generatedValues: { ...context.generatedValues, publishDefault: true } });
  const fill = fillOf('publish', { type: 'boolean' }, schema('note_text'));
  expect([fill?.({ ...asked, noteDepth: 1 }), fill?.({ ...asked, noteDepth: 2 })]).toEqual([false, true]);
  expect(fillOf('publish', { type: 'boolean' }, schema('thing'))?.(asked)).toBe(true);
});
