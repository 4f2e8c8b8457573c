// The codes that groups can grant (contract 2.4). Derived codes and those of the system itself are not listed.
import { listPermissions } from '#store/access/permissions.ts';
import { text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const levels = ['repository', 'global', 'all'];

const list = defineRoute({
  method: 'GET',
  path: '/permissions',
  area: 'permissions',
  summary: 'List permissions',
  access: 'public',
  parameters: {
    level: text({
      doc: 'repository, global or all.',
      check: (value) => (levels.includes(value) ? null : `Must be one of ${levels.join(', ')}`),
    }),
  },
  replies: { 200: { says: 'An array of permissions.', schema: 'permission' } },
  handler: async ({ params, services }) => [
    ...(await listPermissions(services.database.reader, params.level === 'all' ? null : params.level)),
  ],
});

/** The routes of this file. */
export const permissionRoutes: readonly Route[] = [list];
