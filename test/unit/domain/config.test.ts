// Values that only make sense together.
import { expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';

it('needs a key with the address of a Typesense server, and an address that is one', () => {
  expect(readConfig({ TYPESENSE_URL: 'http://search:8108', TYPESENSE_API_KEY: 'k' })).toMatchObject({ TYPESENSE_URL: 'http://search:8108', TYPESENSE_COLLECTION: 'muniment' });
  expect(() => readConfig({ TYPESENSE_URL: 'http://search:8108' })).toThrow('TYPESENSE_API_KEY: is needed with TYPESENSE_URL');
  expect(() => readConfig({ TYPESENSE_URL: 'search:8108', TYPESENSE_API_KEY: 'k' })).toThrow('TYPESENSE_URL');
  expect(() => readConfig({ TYPESENSE_URL: 'http://a:secret@search:8108', TYPESENSE_API_KEY: 'k' })).toThrow('must not hold a name or password');
  expect(() => readConfig({ TYPESENSE_COLLECTION: 'a/b' })).toThrow('TYPESENSE_COLLECTION');
});
