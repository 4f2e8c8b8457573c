import { expect, it } from 'vitest';
import { addressOf } from '#domain/formats/xml/any-uri.ts';

it('escapes what no address has, whole characters and halves of them alike', () => {
  expect([addressOf('http://x/a b'), addressOf('🗺'), addressOf('\ud83d'), addressOf('100%'), addressOf('%20'), addressOf(undefined)]).toEqual(['http://x/a%20b', '%F0%9F%97%BA', '%EF%BF%BD', '100%25', '%20', undefined]);
});
