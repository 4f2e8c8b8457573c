// Loaded before a program (--import): measures the delay of its event loop, and tells the parent process when asked.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the loop is looked at, in milliseconds. Readings contain this time, so it is taken off. */
const everyMs = 1;
const delay = monitorEventLoopDelay({ resolution: everyMs });
delay.enable();
process.on('message', (message) => {
  if (message !== 'loop_delay') return;
  const inMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - everyMs);
  process.send?.({ p50: inMs(delay.percentile(50)), p99: inMs(delay.percentile(99)), longest: inMs(delay.max) });
  delay.reset();
});
