// The child process behind `load`: asks one server as fast as it answers, and prints what came of it as JSON.
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';

const options = JSON.parse(await text(process.stdin));
const result = await autocannon(options);
process.stdout.write(
  JSON.stringify({
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
    total: result.requests.total,
  }),
);
