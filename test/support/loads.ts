// Jobs of no repository in tests: waited for, with their log.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApi } from './api.ts';

/** Waits for the end of a job of no repository, for ten minutes at the most. */
export async function endOfGlobalJob(
  api: TestApi,
  uri: string,
): Promise<{ readonly status: string; readonly log: string }> {
  for (let tries = 0; tries < 24_000; tries++) {
    const { status } = (await api.get(uri)).json;
    if (status !== 'queued' && status !== 'running') return { status, log: (await api.get(`${uri}/log`)).text };
    await sleep(25);
  }
  throw new Error(`${uri} does not end`);
}
