// Body of the routes of webhooks. Webhooks are no record kind: they hold a secret and belong to the installation.
import type { Schema } from '../schema/property.ts';

/** Schema `webhook`. Empty lists mean all. */
export const Webhook: Schema = {
  name: 'webhook',
  properties: {
    uri: { type: 'string', readonly: true },
    url: { type: 'string', maxLength: 2000, required: 'error' },
    secret: { type: 'string', minLength: 16, maxLength: 255 },
    kinds: { type: 'list', of: { type: 'string' } },
    repositories: { type: 'list', of: { type: 'uri', to: ['repository'] } },
    operations: { type: 'list', of: { type: 'string' } },
    active: { type: 'boolean', default: true },
  },
  audited: true,
};
