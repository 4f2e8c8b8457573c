// Kind group. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { textOf } from '../json.ts';

/** Kind `group`. */
export const group = defineKind({
  name: 'group',
  uri: '/repositories/:repo_id/groups/:id',
  model: 'Group',
  doc: 'A set of users of one repository and the permissions that they have there. A new repository has six groups, from managers to viewers; more can be made. Groups of the hidden global repository give their permissions everywhere.',
  properties: {
    uri: { type: 'string', readonly: true },
    group_code: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    description: { type: 'string', maxLength: 65000, required: 'error', default: '' },
    member_usernames: { type: 'list', of: { type: 'string', minLength: 1 }, kept: 'rows' },
    grants_permissions: { type: 'list', of: { type: 'string', minLength: 1 }, kept: 'rows' },
  },
  // Members and grants are rows of their own: apps/api/routes/groups.ts.
  uniform: false,
  staysInRepository: true,
  listing: 'own',
  inGlobalRepository: true,
  may: {
    read: 'manage_repository',
    create: 'manage_repository',
    update: 'manage_repository',
    delete: 'manage_repository',
  },
  unique: [
    {
      name: 'group.group_code',
      within: 'repository',
      key: (body) => textOf(body, 'group_code')?.toLowerCase() ?? null,
      property: 'group_code',
      says: 'Group code must be unique within a repository',
    },
  ],
  label: (body) => textOf(body, 'group_code') ?? '',
  labelProperty: null,
  stale: false,
  search: false,
  firstId: 11,
  example: { group_code: 'g1', description: 'd' },
});
