// How a server takes its leave of the proxies in front of it, so that no request comes to a closed door: first it is not ready any more, which those
// that ask see; then reads get 503, which those that do not ask see and mend by asking another server. All else is served to the end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { fail } from '#domain/errors.ts';
import { sendFailure } from './errors.ts';

/** How long reads are refused at the end, in milliseconds. */
const refusingMs = 1000;

/** The leave of one server. */
export class Drain {
  #isOn = false;
  #refusesReads = false;

  /** Whether the server is about to close. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Whether reads go elsewhere by now. Writes do not: a proxy must not send one twice. */
  get refusesReads(): boolean {
    return this.#refusesReads;
  }

  /** Goes on for so many milliseconds, and returns when the server may close. 0 is no leave at all. */
  async run(ms: number): Promise<void> {
    if (ms === 0) return;
    this.#isOn = true;
    await sleep(Math.max(0, ms - refusingMs));
    this.#refusesReads = true;
    await sleep(Math.min(ms, refusingMs));
  }
}

/** Has every reply of a server that is about to close end its connection, and reads refused where it is time for that. */
export function addDrain(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!drain.isOn) return done();
    reply.header('connection', 'close');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (drain.refusesReads && isRead && request.url !== '/health/live')
      return void sendFailure(fail('unavailable', 'The service is closing'), request, reply);
    done();
  });
}
