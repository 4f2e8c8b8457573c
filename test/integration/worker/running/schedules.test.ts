import { expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { schedulesOf } from '../../../../apps/worker/start.ts';

it('makes the search index anew by the clock where one line of the configuration says when', () => {
  const names = (environment: { readonly [name: string]: string }): readonly string[] =>
    schedulesOf(readConfig(environment)).map(({ name, cron }) => `${name} ${cron}`);
  expect(names({})).toEqual(['expire */10 * * * *']);
  expect(names({ MUNIMENT_REINDEX_CRON: '0 2 * * *' })).toEqual(['expire */10 * * * *', 'reindex 0 2 * * *']);
  expect(() => names({ MUNIMENT_REINDEX_CRON: 'nightly' })).toThrow('MUNIMENT_REINDEX_CRON: must be five cron fields');
});
