// Which addresses of replicas are taken.
import { expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';

it('reads replicas: addresses of databases with commas between', () => {
  expect(readConfig({}).DATABASE_REPLICA_URL).toBeUndefined();
  expect(
    readConfig({ DATABASE_REPLICA_URL: 'postgresql://a:x%2Cy@one/m, postgres://two:5433/m' }).DATABASE_REPLICA_URL,
  ).toEqual(['postgresql://a:x%2Cy@one/m', 'postgres://two:5433/m']);
  expect(() => readConfig({ DATABASE_REPLICA_URL: 'postgresql://one/m,two' })).toThrow('DATABASE_REPLICA_URL');
});
