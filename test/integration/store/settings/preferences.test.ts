// Preferences in force as the store gives them: remembered, and dropped in every process when one changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PreferenceMemory,
  effectivePreferences,
  preferenceChannel,
  publishDefaultOf,
  showSuppressed,
} from '#store/settings/preferences.ts';
import { Listener } from '#store/connection/listener.ts';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const nobody = () => ({ userId: null, repoId });
const set = async (defaults: object): Promise<void> => {
  const [known] = (await api.get(`/repositories/${repoId}/preferences`)).json;
  const reply =
    known === undefined
      ? await api.post(`/repositories/${repoId}/preferences`, { defaults })
      : await api.post(known.uri, { ...known, defaults });
  expect(reply.status, reply.text).toBe(200);
};

describe('effectivePreferences', () => {
  it('gives the shipped settings where no record says otherwise, and for nobody', async () => {
    expect(await effectivePreferences(api.database.reader, { userId: null, repoId: null })).toMatchObject({
      publish: false,
      show_suppressed: false,
      locale: 'en',
    });
    expect(await publishDefaultOf(api.database.reader, null, repoId)).toBe(false);
  });

  it('tells whether suppressed records are to be shown', async () => {
    await set({ show_suppressed: true });
    expect(showSuppressed(await effectivePreferences(api.database.reader, nobody()))).toBe(true);
    expect(showSuppressed(await effectivePreferences(api.database.reader, { userId: null, repoId: null }))).toBe(false);
  });
});

describe('PreferenceMemory', () => {
  it('asks once, until it forgets or ten seconds have passed', async () => {
    let now = 0;
    const memory = new PreferenceMemory(api.database.reader, () => now);
    const publishes = async (): Promise<unknown> => (await memory.effective(nobody()))['publish'];
    await set({ publish: false });
    expect(await publishes()).toBe(false);
    await set({ publish: true });
    expect(await publishes()).toBe(false);
    now = 10_000;
    expect(await publishes()).toBe(true);
    await set({ publish: false });
    memory.forget();
    expect(await publishes()).toBe(false);
  });

  it('is told of changes made elsewhere', async () => {
    await using listener = new Listener({ url: api.databaseUrl });
    const told = Promise.withResolvers<void>();
    await listener.subscribe(preferenceChannel, () => told.resolve());
    await set({ publish: true });
    await told.promise;
  });
});
