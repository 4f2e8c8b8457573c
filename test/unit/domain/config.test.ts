// Values that only make sense together, the words for wrong ones, and what the documentation says of defaults and limits.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig, unknownVariables } from '#domain/config.ts';

it('needs a key with the address of a Typesense server, and an address that is one', () => {
  expect(readConfig({ TYPESENSE_URL: 'http://search:8108', TYPESENSE_API_KEY: 'k' })).toMatchObject({
    TYPESENSE_URL: ['http://search:8108'],
    TYPESENSE_COLLECTION: 'muniment',
  });
  expect(readConfig({ TYPESENSE_URL: 'http://a:8108, https://b', TYPESENSE_API_KEY: 'k' }).TYPESENSE_URL).toEqual([
    'http://a:8108',
    'https://b',
  ]);
  for (const url of ['http://a:8108,', 'http://a,ftp://b', 'http://'])
    expect(() => readConfig({ TYPESENSE_URL: url, TYPESENSE_API_KEY: 'k' })).toThrow('must be http or https addresses');
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
  ['PORT', ' ', 'must be a whole number from 0 to 65535'],
  ['PORT', '0x1F90', 'must be a whole number from 0 to 65535'],
  ['PORT', '1e3', 'must be a whole number from 0 to 65535'],
  ['OTEL_TRACES_SAMPLER_ARG', '1e-1', 'must be a number from 0 to 1'],
  ['DATABASE_URL', 'nonsense', 'is no URL such as postgresql://'],
  ['DATABASE_URL', 'mysql://db/muniment', 'is no URL such as postgresql://'],
  ['DATABASE_DIRECT_URL', 'host=db dbname=muniment', 'is no URL such as postgresql://'],
  ['MUNIMENT_ARK_NAAN', 'non sense', 'must be up to 32 letters and digits'],
  ['MUNIMENT_ARK_SHOULDER_DELIMITER', ' ', 'must be letters, digits and'],
  ['MUNIMENT_ARK_SHOULDER_DELIMITER', 'a?', 'must be letters, digits and'],
  ['MUNIMENT_ARK_SHOULDER_DELIMITER', '#', 'must be letters, digits and'],
  ['MUNIMENT_ARK_SHOULDER_DELIMITER', '-\r', 'must be letters, digits and'],
  ['MUNIMENT_ARK_SHOULDER_DELIMITER', '%', 'must be letters, digits and'],
  ['MUNIMENT_ARK_SHOULDER_DELIMITER', '–', 'must be letters, digits and'],
  ['MUNIMENT_TRUST_PROXY', 'my proxy', 'must be addresses or networks'],
  ['MUNIMENT_TRUST_PROXY', '10.0.0.256', 'must be addresses or networks'],
  ['MUNIMENT_TRUST_PROXY', '10.0.0.0/33', 'must be addresses or networks'],
  ['MUNIMENT_TRUST_PROXY', '10.0.0.1, ::::', 'must be addresses or networks'],
  ['MUNIMENT_TRUST_PROXY', '2001:db8::/129', 'must be addresses or networks'],
  ['MUNIMENT_TRUST_PROXY', '99999999999999999999', 'must be addresses or networks'],
  ['MUNIMENT_SESSION_HEADERS', 'X-A,,', 'must be names of headers'],
  ['MUNIMENT_PUBLIC_URL', 'archives.example.org', 'must begin with http:// or https://'],
  ['MUNIMENT_SERVICE_URL', 'http://', 'must begin with http:// or https://'],
  ['MUNIMENT_OAI_URL', 'ftp://example.org/oai', 'must begin with http:// or https://'],
  ['MUNIMENT_OAI_URL', 'http:///x', 'must begin with http:// or https://'],
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
  ['MUNIMENT_TRUST_PROXY', '2001:db8::/32, ::ffff:10.0.0.1,192.168.0.1/32'],
  ['DATABASE_URL', 'postgresql://muniment@db.internal:5432/muniment?sslmode=require'],
  ['DATABASE_URL', 'postgres:///muniment?host=/var/run/postgresql'],
  ['DATABASE_URL', 'postgresql://muniment:pw@/muniment?host=/var/run/postgresql'],
  ['DATABASE_URL', 'postgresql://muniment@%2Fvar%2Frun%2Fpostgresql/muniment'],
  ['MUNIMENT_REINDEX_CRON', '*/10 2-4,6 * 1,12 7'],
  ['MUNIMENT_OAI_URL', 'https://archives.example.org/oai'],
])('takes %s=%s', (name, value) => {
  expect(readConfig({ [name]: value })).toMatchObject({ [name]: value });
});

const sameAs: { readonly [value: string]: string } = { '3.3': 'R-A', '4.1': 'R-B' };

it.each([
  ['R-A', 'R-A'],
  ['R-B', 'R-B'],
  ['3.3', 'R-A'],
  ['4.1', 'R-B'],
  [undefined, 'R-B'],
])('takes MUNIMENT_RELEASE=%s as %s', (given, release) => {
  expect(readConfig({ MUNIMENT_RELEASE: given }).MUNIMENT_RELEASE).toBe(release);
  expect(() => readConfig({ MUNIMENT_RELEASE: '4.2' })).toThrow('MUNIMENT_RELEASE');
});

it.each([
  'DATABASE_URL',
  'MUNIMENT_ARK_URL_PREFIX',
  'MUNIMENT_OAI_URL',
  'MUNIMENT_PUBLIC_URL',
  'MUNIMENT_SERVICE_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
])('takes no blank or line end for a part of %s', (name) => {
  const address = name === 'DATABASE_URL' ? 'postgresql://db.internal/muniment' : 'https://archives.example.org';
  for (const written of [` ${address} `, `${address}\r`])
    expect(readConfig({ [name]: written })).toMatchObject({ [name]: address });
  expect(() => readConfig({ [name]: ' ' })).toThrow(name);
});

it.each([
  ['MUNIMENT_DATA_DIR', '/var/lib/muniment'],
  ['MUNIMENT_MIGRATION_FOLDER', '/var/lib/muniment moved'],
  ['HOST', '127.0.0.1'],
  ['MUNIMENT_METRICS_HOST', '10.0.0.5'],
  ['MUNIMENT_GLOBAL_PERMISSIONS_KEY', '_archivesspace'],
])('takes no blank or line end around %s for a part of it, such as of the name of another folder', (name, value) => {
  for (const written of [` ${value} `, `${value}\r`])
    expect(readConfig({ [name]: written })).toMatchObject({ [name]: value });
  expect(() => readConfig({ [name]: ' ' })).toThrow(`${name}: must not be blank`);
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
      MUNIMENT_PROFILE: 'd',
      MUNIMENT_SOURCE_PASSWORD: 'e',
      HOME: '/',
    }),
  ).toEqual(['MUNIMENT_POOLSIZE']);
});

describe('docs/configuration.md', () => {
  const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (.*?) \| (?:`(.*?)`)? \| /gm)].map(
    ([, name = '', values = '', byDefault]) => ({ name, values, byDefault }),
  );
  const numbers = rows.flatMap(({ name, values }) => {
    const [, least, most] =
      /^number, ([\d,]+) to ([\d,]+)$/.exec(values)?.map((text) => text.replaceAll(',', '')) ?? [];
    return least === undefined || most === undefined ? [] : [{ name, least: Number(least), most: Number(most) }];
  });
  const valueOf = (environment: { readonly [name: string]: string }, name: string): unknown =>
    new Map<string, unknown>(Object.entries(readConfig(environment))).get(name);

  it('names the value that each variable has by default', () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const { name, byDefault } of rows)
      expect([name, valueOf({}, name)]).toEqual([
        name,
        byDefault === undefined ? undefined : valueOf({ [name]: byDefault }, name),
      ]);
  });

  it.each(numbers)('names the limits of $name', ({ name, least, most }) => {
    for (const within of [least, most]) expect(valueOf({ [name]: String(within) }, name)).toBe(within);
    for (const beyond of [least - 1, most + 1]) expect(() => readConfig({ [name]: String(beyond) })).toThrow(name);
  });

  it('names the values that a variable may have', () => {
    const chosen = rows.filter(({ values }) => values.startsWith('`'));
    expect(chosen.length).toBeGreaterThan(10);
    for (const { name, values } of chosen) {
      for (const [, value = ''] of values.matchAll(/`([^`]*)`/g))
        expect(String(valueOf({ [name]: value }, name))).toBe(sameAs[value] ?? value);
      expect(() => readConfig({ [name]: 'x' })).toThrow(name);
    }
  });
});
