// Whether the process lives and whether it can serve, for load balancers and supervisors.
import type { FastifyInstance } from 'fastify';
import { sendJsonText } from '../reply/send.ts';
import type { Services } from '../services.ts';

/** The longest that a readiness check waits for the database. */
const patienceMs = 3_000;

/** Adds GET /health/live (200 while the process answers) and GET /health/ready (503 while the database does not, or the server is about to close). */
export function addHealth(app: FastifyInstance, services: Services, isEnding: () => boolean): void {
  app.get('/health/live', async (_request, reply) => sendJsonText(reply, '{"status":"ok"}'));
  app.get('/health/ready', async (_request, reply) => {
    const isReady = !isEnding() && (await withinPatience(services.isReady()));
    return sendJsonText(reply.code(isReady ? 200 : 503), isReady ? '{"status":"ok"}' : '{"status":"unavailable"}');
  });
}

async function withinPatience(check: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  try {
    return await Promise.race([check, late]);
  } catch {
    // A check that fails is the answer.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
