// Kind preference. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`; how layers of preferences add up, in settings/preferences.ts.
import { defineKind } from '../kind.ts';
import type { JsonObject } from '../json.ts';
import { objectOf } from '../json.ts';
import { partOf } from '../schema/build.ts';
import { Defaults } from '../subrecords/defaults.ts';

/** An absent list is not a wish for none: it would hide what the layers below say. */
function withoutEmptyOrder(body: JsonObject): JsonObject {
  const defaults = objectOf(body, 'defaults');
  const order = defaults?.['note_order'];
  if (defaults === undefined || !Array.isArray(order) || order.length > 0) return body;
  const { note_order: _, ...rest } = defaults;
  return { ...body, defaults: rest };
}

/** The owner part of the unique key of a preference: a user in a repository, or the repository itself. */
export const preferenceOwner = (userId: number | null): string => (userId === null ? 'everybody' : `user ${userId}`);

/** Kind `preference`. */
export const preference = defineKind({
  name: 'preference',
  uri: '/repositories/:repo_id/preferences/:id',
  model: 'Preference',
  doc: 'How somebody wants the service to behave: whether new records are published, whether suppressed ones are shown, which columns lists have. There are preferences of everybody, of a user, of a repository, and of a user in a repository; what is set closer to the user counts.',
  properties: {
    uri: { type: 'string', readonly: true },
    user_id: { type: 'integer' },
    defaults: partOf(() => [Defaults]),
  },
  // Who may write depends on whose they are: apps/api/routes/preferences.ts.
  uniform: false,
  staysInRepository: true,
  listing: 'own',
  inGlobalRepository: true,
  may: { read: 'public', create: 'manage_repository', update: 'manage_repository', delete: 'delete_archival_record' },
  unique: [
    {
      name: 'preference.owner',
      within: 'repository',
      key: (body) => preferenceOwner(typeof body['user_id'] === 'number' ? body['user_id'] : null),
      property: 'db_error',
      says: 'Database integrity constraint conflict: a user, or everybody, has one preference in a repository',
    },
  ],
  generate: withoutEmptyOrder,
  label: (body) => `Preferences of ${preferenceOwner(typeof body['user_id'] === 'number' ? body['user_id'] : null)}`,
  labelProperty: null,
  stale: false,
  search: false,
  firstId: 2,
  example: { defaults: { publish: true } },
});
