// Runs the handler of a route on a replica of the database where one may answer (docs/decisions/0040).
import { Failure } from '#domain/errors.ts';
import type { Route, UntypedCall } from '../route.ts';

/** Runs the handler of a route that was permitted to. Where there are no replicas nothing is awaited for them. */
export const handled = (route: Route, call: UntypedCall): ReturnType<Route['handler']> =>
  route.fromReplica !== true || call.services.replicas === null ? route.handler(call) : onReplica(route, call);

async function onReplica(route: Route, call: UntypedCall): Promise<Awaited<ReturnType<Route['handler']>>> {
  const reads = await call.services.onReplica(call.caller.username, asksForNews(call) ? 'all' : 'own');
  if (reads === null) return route.handler(call);
  try {
    return await route.handler({ ...call, services: { ...call.services, ...reads } });
  } catch (error) {
    // Another caller may have made it a moment ago, and said where it is.
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    return route.handler(call);
  }
}

/** Whether a call asks what has changed since a time: what it is not shown it would never ask for again. */
const asksForNews = ({ params }: UntypedCall): boolean => Number(params['modified_since'] ?? 0) > 0;
