// Values that only make sense together, and the words for wrong ones.
import { expect, it } from 'vitest';
import { readConfig, unknownVariables } from '#domain/config.ts';

it('needs a key with the address of a Typesense server, and an address that is one', () => {
  expect(readConfig({ TYPESENSE_URL: 'http://search:8108', TYPESENSE_API_KEY: 'k' })).toMatchObject({
    TYPESENSE_URL: 'http://search:8108',
    TYPESENSE_COLLECTION: 'muniment',
  });
  expect(() => readConfig({ TYPESENSE_URL: 'http://search:8108' })).toThrow(
    'TYPESENSE_API_KEY: is needed with TYPESENSE_URL',
  );
  expect(() => readConfig({ TYPESENSE_URL: 'search:8108', TYPESENSE_API_KEY: 'k' })).toThrow('TYPESENSE_URL');
  expect(() => readConfig({ TYPESENSE_URL: 'http://a:secret@search:8108', TYPESENSE_API_KEY: 'k' })).toThrow(
    'must not hold a name or password',
  );
  expect(() => readConfig({ TYPESENSE_COLLECTION: 'a/b' })).toThrow('TYPESENSE_COLLECTION');
});

it.each([
  ['PORT', '70000', 'must be a whole number from 0 to 65535'],
  ['MUNIMENT_POOL_SIZE', '2.5', 'must be a whole number from 2 to 500'],
  ['MUNIMENT_POOL_SIZE', 'ten', 'must be a whole number from 2 to 500'],
  ['MUNIMENT_TRUST_PROXY', 'my proxy', 'must be addresses or networks'],
  ['MUNIMENT_SESSION_HEADERS', 'X-A,,', 'must be names of headers'],
  ['MUNIMENT_PUBLIC_URL', 'archives.example.org', 'must begin with http:// or https://'],
  ['MUNIMENT_SERVICE_URL', 'http://', 'must begin with http:// or https://'],
  ['MUNIMENT_OAI_URL', 'ftp://example.org/oai', 'must begin with http:// or https://'],
  ['MUNIMENT_ARK_URL_PREFIX', 'example', 'must begin with http:// or https://'],
  ['MUNIMENT_REINDEX_CRON', '99 2 * * *', 'must be five cron fields'],
  ['MUNIMENT_REINDEX_CRON', '0 2 * *', 'must be five cron fields'],
  ['MUNIMENT_REINDEX_CRON', '*/0 2 * * *', 'must be five cron fields'],
  ['MUNIMENT_EXTENT_UNIT', 'furlongs', 'Invalid option: expected one of "inches"|"feet"|"centimeters"|"meters"'],
  ['MUNIMENT_EXTENT_DECIMALS', '7', 'must be a whole number from 0 to 6'],
  ['MUNIMENT_EXTENT_VOLUME', 'yes', 'Invalid option: expected one of "true"|"false"'],
])('refuses %s=%s in words', (name, value, words) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${words}`);
});

it.each([
  ['MUNIMENT_TRUST_PROXY', '1'],
  ['MUNIMENT_TRUST_PROXY', '10.0.0.0/8, ::1'],
  ['MUNIMENT_TRUST_PROXY', 'loopback'],
  ['MUNIMENT_REINDEX_CRON', '*/10 2-4,6 * 1,12 7'],
  ['MUNIMENT_OAI_URL', 'https://archives.example.org/oai'],
])('takes %s=%s', (name, value) => {
  expect(readConfig({ [name]: value })).toMatchObject({ [name]: value });
});

it('knows misspelled variables from those of the service and of its clients', () => {
  expect(
    unknownVariables({
      MUNIMENT_POOLSIZE: '5',
      MUNIMENT_POOL_SIZE: '5',
      MUNIMENT_URL: 'http://x',
      MUNIMENT_SESSION: 'a',
      MUNIMENT_USER: 'b',
      MUNIMENT_PASSWORD: 'c',
      HOME: '/',
    }),
  ).toEqual(['MUNIMENT_POOLSIZE']);
});
