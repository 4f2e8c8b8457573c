// The codes that groups can grant (contract 2.4; db/reference/permissions.json). Derived codes and those of the system itself are not listed.
import { shape } from '../openapi/shape.ts';
import { listPermissions } from '#store/access/permissions.ts';
import { text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const levels = ['repository', 'global', 'all'];

const permission = shape.named(
  'permission',
  shape.object({
    jsonmodel_type: shape.oneOf('permission'),
    uri: shape.uri,
    permission_code: shape.text,
    description: shape.text,
    level: shape.text,
    create_time: shape.time,
    system_mtime: shape.time,
    user_mtime: shape.time,
  }),
);

const list = defineRoute({
  method: 'GET',
  path: '/permissions',
  operation: 'listPermissions',
  area: 'permissions',
  summary: 'List permissions',
  access: 'public',
  parameters: {
    level: text({
      doc: 'repository, global or all.',
      example: 'all',
      check: (value) => (levels.includes(value) ? null : `Must be one of ${levels.join(', ')}`),
    }),
  },
  replies: { 200: { says: 'An array of permissions.', shape: shape.list(permission) } },
  handler: async ({ params, services }) => [
    ...(await listPermissions(services.database.reader, params.level === 'all' ? null : params.level)),
  ],
});

/** The routes of this file. */
export const permissionRoutes: readonly Route[] = [list];
