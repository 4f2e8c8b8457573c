// Jobs of no repository in tests: waited for, with their log.
import type { TestApi } from './api.ts';
import { patience } from './patience.ts';

/** Waits for the end of a job of no repository, for ten minutes at the most. */
export async function endOfGlobalJob(
  api: TestApi,
  uri: string,
): Promise<{ readonly status: string; readonly log: string }> {
  const pause = patience();
  for (const end = performance.now() + 600_000; performance.now() < end;) {
    const { status } = (await api.get(uri)).json;
    if (status !== 'queued' && status !== 'running') return { status, log: (await api.get(`${uri}/log`)).text };
    await pause();
  }
  throw new Error(`${uri} does not end`);
}
