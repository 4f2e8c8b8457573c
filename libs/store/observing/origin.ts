// On whose behalf statements run, for the log of slow ones (slow-statements.ts).
import { AsyncLocalStorage } from 'node:async_hooks';

/** A request or a run of a job, by the names that the log has for what is told of them. */
export type Origin =
  | { readonly method: string; readonly route: string; readonly request_id: string }
  | { readonly job: number; readonly type: string };

const origins = new AsyncLocalStorage<Origin>();

/** Runs work on behalf of a request or a job. */
export const onBehalfOf = <T>(origin: Origin, work: () => T): T => origins.run(origin, work);

/** On whose behalf code runs now; undefined: the process's own, such as indexing. */
export const currentOrigin = (): Origin | undefined => origins.getStore();
