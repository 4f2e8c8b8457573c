// Whether the process lives and whether it can serve, for load balancers and supervisors.
import type { FastifyInstance } from 'fastify';
import { withinPatience } from '../../metrics-server.ts';
import { sendJsonText } from '../reply/send.ts';
import type { Services } from '../services.ts';

/** How many replicas answer reads, and how many are left out, where there are any. A process serves without them, so they make nothing unready. */
function replicasOf({ replicas }: Services): {
  readonly replicas?: { readonly in_use: number; readonly left_out: number };
} {
  if (replicas === null) return {};
  const inUse = replicas.all.filter((one) => one.isInUse).length;
  return { replicas: { in_use: inUse, left_out: replicas.all.length - inUse } };
}

/** Adds GET /health/live (200 while the process answers) and GET /health/ready (503 while the database does not, or the server is about to close). */
export function addHealth(app: FastifyInstance, services: Services, isEnding: () => boolean): void {
  app.get('/health/live', async (_request, reply) => sendJsonText(reply, '{"status":"ok"}'));
  app.get('/health/ready', async (_request, reply) => {
    const isReady = !isEnding() && (await withinPatience(services.isReady()));
    return sendJsonText(
      reply.code(isReady ? 200 : 503),
      JSON.stringify({ status: isReady ? 'ok' : 'unavailable', ...replicasOf(services) }),
    );
  });
}
