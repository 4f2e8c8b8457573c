// Repositories that a command makes where there is none.
import { expect, it } from 'vitest';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { connect } from '../../../apps/cli/client.ts';
import { findOrCreateRepository } from '../../../apps/cli/repository.ts';

it('is made once by commands that begin at the same time, and all of them go on with it', async () => {
  await using api = await startTestApi({ worker: false });
  const client = connect(
    { url: api.url, user: 'admin', password: adminPassword, session: undefined, passwordFrom: 'the test' },
    new AbortController().signal,
  );
  const found = await Promise.all(['ONCE', 'once', 'ONCE', 'Once'].map((code) => findOrCreateRepository(client, code)));
  expect(new Set(found.map(({ repository }) => repository.uri)).size).toBe(1);
  expect(found.filter(({ isNew }) => isNew)).toHaveLength(1);
  await client.close();
});
