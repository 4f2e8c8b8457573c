// Asks one address of a service again and again, from a process of its own, and tells the parent how soon the replies came when asked.
const [, , url = '', session = ''] = process.argv;
const everyMs = 10;
let times: number[] = [];
let failed = 0;

process.on('message', (message) => {
  if (message === 'stop') process.exit(0);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  process.send?.({ p50: at(0.5), p99: at(0.99), longest: sorted.at(-1) ?? Number.NaN, count: sorted.length, failed });
  times = [];
  failed = 0;
});

async function once(): Promise<void> {
  const before = performance.now();
  try {
    const reply = await fetch(url, { headers: session === '' ? {} : { 'x-service-session': session } });
    await reply.arrayBuffer();
    if (reply.status !== 200) failed += 1;
    times.push(performance.now() - before);
  } catch {
    failed += 1;
  }
}

// Not one after the other: what waits behind a stall is counted each time anew, as clients feel it.
setInterval(() => void once(), everyMs);
process.send?.('ready');
