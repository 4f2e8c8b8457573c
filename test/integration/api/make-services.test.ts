// The services of an API process while others are at work: what they remember is of now from the beginning.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { Listener } from '#store/connection/listener.ts';
import type { OnNotification } from '#store/connection/listener.ts';
import { enumerationChannel } from '#store/enumerations/lists.ts';
import { createEnumeration } from '#store/enumerations/update.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { makeServices } from '../../../apps/api/make-services.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

it('know a list that another process makes while they are made', async () => {
  const context = { actor: 'tester', trims: true };
  await using listener = new (class extends Listener {
    override async subscribe(channel: string, onNotification: OnNotification): Promise<() => void> {
      // The last moment at which nobody tells of it.
      if (channel === enumerationChannel)
        await api.database.transaction((tx) =>
          createEnumeration(tx, { name: 'made_meanwhile', values: ['one'] }, context),
        );
      return super.subscribe(channel, onNotification);
    }
  })({ url: api.databaseUrl });
  const services = await makeServices({
    config: readConfig({ PORT: '0' }),
    database: api.database,
    listener,
    log: pino({ level: 'silent' }),
  });
  expect(services.enumerations.get('made_meanwhile')?.values).toEqual(['one']);
  await services.close();
});
