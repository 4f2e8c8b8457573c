// What every record kind has beyond the interface that we keep: history, PATCH, entity tags. Derived from the routes that are there, uniform
// or a kind's own, so that permissions and effects are theirs.
import type { Kind } from '#domain/kind.ts';
import type { Method, Route } from '../route.ts';
import { historyRoutes } from './history.ts';
import { withIfMatch } from './if-match.ts';
import { patchRoute } from './patch.ts';

/** The routes with the additions of all kinds; none is left out or moved. */
export function withAdditions(routes: readonly Route[], kinds: Iterable<Kind>): readonly Route[] {
  const replaced = new Map<Route, Route>();
  const added: Route[] = [];
  const byPath = Map.groupBy(routes, ({ path }) => nameless(path));
  for (const kind of kinds) {
    const ofRecord = byPath.get(nameless(kind.uri)) ?? [];
    const find = (method: Method): Route | undefined =>
      ofRecord.find((route) => [route.method].flat().includes(method));
    const [read, update, remove] = [find('GET'), find('POST'), find('DELETE')];
    if (read === undefined) continue;
    replaced.set(read, { ...read, etag: true });
    if (update !== undefined) replaced.set(update, withIfMatch(kind, update));
    if (remove !== undefined) replaced.set(remove, withIfMatch(kind, remove));
    // A check of one's own judges the whole body that is sent, which a patch or an old version is not.
    const changed =
      update !== undefined && typeof update.access === 'object' && 'check' in update.access ? undefined : update;
    added.push(
      ...historyRoutes(kind, read, changed),
      ...(changed === undefined ? [] : [patchRoute(kind, read, changed)]),
    );
  }
  return [...routes.map((route) => replaced.get(route) ?? route), ...added];
}

/** Names of parameters do not tell paths apart. */
const nameless = (path: string): string => path.replace(/:[a-z_]+/g, ':');
