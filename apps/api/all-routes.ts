// Every route of the service, put together from its areas, exports and kinds.
import { kinds } from '#domain/kinds/index.ts';
import { ownRoutes } from './routes/index.ts';
import type { Route } from './route.ts';
import { withAdditions } from './record-routes/additions.ts';
import { childrenRoutes } from './record-routes/children.ts';
import { crudRoutes } from './record-routes/crud.ts';
import { exportRoutes } from './record-routes/exports.ts';
import { moveRoutes } from './record-routes/moves.ts';
import { publicationRoutes } from './record-routes/publication.ts';
import { transferRoutes } from './record-routes/transfer.ts';
import { treeRoutes } from './record-routes/tree.ts';

/** Every route of the service: those of its own areas first, then what follows from exports and kinds. The first declared wins. */
export function allRoutes(): readonly Route[] {
  const uniform = [...kinds.values()].flatMap((kind) => [
    ...crudRoutes(kind),
    ...treeRoutes(kind),
    ...moveRoutes(kind),
    ...transferRoutes(kind),
    ...childrenRoutes(kind),
    ...publicationRoutes(kind),
  ]);
  return withAdditions([...ownRoutes, ...exportRoutes, ...uniform], kinds.values());
}
