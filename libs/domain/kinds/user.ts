// Kind user. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { refTo } from '../schema/build.ts';
import { textOf } from '../json.ts';

/** Kind `user`. */
export const user = defineKind({
  name: 'user',
  uri: '/users/:id',
  model: 'User',
  doc: 'Somebody who may log in. What a user may do follows from the groups the user is a member of, repository by repository. Each user is represented by a person among the agents, so that events can say who acted.',
  properties: {
    uri: { type: 'string', readonly: true },
    username: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    name: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    // Without it the first login would count as a save (contract 2.3), of a user who has logged in before, elsewhere.
    source: { type: 'string', readonly: true, kept: 'body', release: 'R-B', whenUntold: 'DBAuth' },
    is_system_user: { type: 'boolean', readonly: true, kept: 'body' },
    permissions: { type: 'object', readonly: true },
    groups: { type: 'list', of: { type: 'uri', to: ['group'] }, kept: 'rows' },
    email: { type: 'string', maxLength: 255 },
    first_name: { type: 'string', maxLength: 255 },
    last_name: { type: 'string', maxLength: 255 },
    telephone: { type: 'string', maxLength: 255 },
    title: { type: 'string', maxLength: 255 },
    department: { type: 'string', maxLength: 255 },
    additional_contact: { type: 'string', maxLength: 65000 },
    agent_record: { ...refTo(['agent_person', 'agent_software']), readonly: true, kept: 'body' },
    is_active_user: { type: 'boolean', default: true },
    is_admin: { type: 'boolean', default: false, kept: 'rows' },
  },
  // Passwords, groups and self-service: apps/api/routes/users.ts.
  uniform: false,
  may: { read: 'manage_users', create: 'public', update: 'manage_users', delete: 'manage_users' },
  unique: [
    {
      name: 'user.username',
      within: 'everywhere',
      key: (body) => textOf(body, 'username')?.toLowerCase() ?? null,
      property: 'username',
      says: "Username '*' is already in use",
    },
  ],
  links: { agent_record: { whenTargetGoes: { refuse: 'linked_to_user' } } },
  generate: (body) => ({ ...body, username: (textOf(body, 'username') ?? '').trim().toLowerCase() }),
  // The store shows it as is_user of the agent.
  label: (body) => textOf(body, 'username') ?? '',
  labelProperty: null,
  stale: false,
  search: false,
  firstId: 5,
  example: { username: 'u1', name: 'U1' },
});
