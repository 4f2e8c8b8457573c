// Computed properties that tell whom an agent stands for.
import type { Kind } from '#domain/kind.ts';
import { repository } from '#domain/kinds/repository.ts';
import { user } from '#domain/kinds/user.ts';

/** `is_user`: the name of the user whose agent this person is; absent otherwise (contract 6.1). */
export const isUser = (kind: Kind): string => `(SELECT '"is_user":' || to_json(u.label)::text || ','
  FROM link l JOIN record u ON u.kind = '${user.name}' AND u.id = l.source_id
  WHERE l.target_kind = '${kind.name}' AND l.target_id = r.id AND l.source_kind = '${user.name}' AND l.property = 'agent_record' LIMIT 1)`;

/** `is_repo_agent`: the name of the repository that a corporate agent represents; absent otherwise (contract 6.1). */
export const isRepositoryAgent = (
  kind: Kind,
): string => `(SELECT '"is_repo_agent":' || to_json(p.body->>'name')::text || ','
  FROM link l JOIN record p ON p.kind = '${repository.name}' AND p.id = l.source_id
  WHERE l.target_kind = '${kind.name}' AND l.target_id = r.id AND l.source_kind = '${repository.name}' AND l.property = 'agent_representation' LIMIT 1)`;
