// How long to wait before looking again. Looks cost the processor that what is waited for needs: a service asked two hundred times a second does little else.
import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses that grow with what was waited: a fifth of it, from 15 ms to 200. */
export function patience(): () => Promise<void> {
  const start = performance.now();
  return () => sleep(Math.min(200, Math.max(15, (performance.now() - start) / 5)));
}
