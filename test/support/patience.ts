// How long to wait before looking again. Looks cost the processor that what is waited for needs: a service asked two hundred times a second does little else.
import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses that grow with what was waited: a tenth of it, from 5 ms to 100. */
export function patience(): () => Promise<void> {
  const start = performance.now();
  return () => sleep(Math.min(100, Math.max(5, (performance.now() - start) / 10)));
}
