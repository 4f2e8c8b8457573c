// Computed properties of agents and subjects: where and how they are used.
import type { Kind } from '#domain/kind.ts';
import { event } from '#domain/kinds/event.ts';
import { repository } from '#domain/kinds/repository.ts';

/** `linked_agent_roles`: the distinct roles of an agent on archival records (contract 6.1). */
export const linkedAgentRoles = (
  kind: Kind,
): string => `(SELECT '"linked_agent_roles":' || coalesce(json_agg(l.role ORDER BY l.role)::text, '[]') || ','
  FROM (SELECT DISTINCT role FROM link WHERE target_kind = '${kind.name}' AND target_id = r.id AND property = 'linked_agents'
    AND source_kind <> '${event.name}' AND role IS NOT NULL) l)`;

/**
 * `used_within_repositories` and its published twin: the repositories whose records are described with the agent or subject; empty for
 * viewers who do not see it (contract 4.2). That an event was about an agent is no use of it; that the service's own repository, of preferences and the like, names one is,
 * as recorded of the incumbent's own software agent, and only search documents leave it out.
 */
export const usedWithin = (kind: Kind, { seesUse }: { readonly seesUse: boolean }): string =>
  !seesUse
    ? `'"used_within_repositories":[],"used_within_published_repositories":[],'`
    : `(SELECT
    '"used_within_repositories":' || coalesce(json_agg(u.uri ORDER BY u.id)::text, '[]')
    || ',"used_within_published_repositories":' || coalesce((json_agg(u.uri ORDER BY u.id) FILTER (WHERE u.publish))::text, '[]') || ','
  FROM (SELECT p.id, p.publish, record_uri(p.kind, p.id, p.repo_id) AS uri FROM (
      SELECT DISTINCT repo_id FROM link WHERE target_kind = '${kind.name}' AND target_id = r.id AND repo_id IS NOT NULL AND property <> 'linked_records'
    ) l JOIN record p ON p.kind = '${repository.name}' AND p.id = l.repo_id) u)`;
