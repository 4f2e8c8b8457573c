// Body of the routes that write a repository together with the corporate agent that acts for it.
// Properties follow the contract (schemas.json) in its order.
import { agentCorporateEntity } from '../kinds/agent_corporate_entity.ts';
import { repository } from '../kinds/repository.ts';
import { partOf } from '../schema/build.ts';
import type { Schema } from '../schema/property.ts';

/** Contract schemas.json, `repository_with_agent`. */
export const RepositoryWithAgent: Schema = {
  name: 'repository_with_agent',
  properties: {
    uri: { type: 'string', readonly: true },
    repository: { ...partOf(() => [repository.schema]), required: 'error' },
    agent_representation: partOf(() => [agentCorporateEntity.schema]),
  },
  audited: true,
};
