// Computed properties of an assessment: its display string, the collections behind its records, and the definitions of its attributes,
// from which rules/assessment-attributes.ts makes what is shown.
import type { Kind } from '#domain/kind.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { assessment } from '#domain/kinds/assessment.ts';
import { resource } from '#domain/kinds/resource.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';

/** `display_string` (the id as text), `collections` (contract 6.12), which go with the refs that are hidden (5.2), and `_definitions`, which no reply shows. */
export const assessmentFacts = (
  _kind: Kind,
  { hides }: { readonly hides: boolean },
): string => `(SELECT '"display_string":"' || r.id || '",'
  || '"collections":' || (SELECT coalesce(json_agg(json_build_object('ref', record_uri('${resource.name}', c.id, r.repo_id)) ORDER BY c.id)::text, '[]') FROM (
      SELECT DISTINCT coalesce(t.root_id, l.target_id) AS id FROM link l
      LEFT JOIN tree_node t ON l.target_kind = '${archivalObject.name}' AND t.repo_id = r.repo_id AND t.kind = ${treeCodeOf(archivalObject)} AND t.id = l.target_id
      WHERE l.source_kind = '${assessment.name}' AND l.source_id = r.id AND l.property = 'records' AND l.target_kind IN ('${resource.name}', '${archivalObject.name}')${hides ? ' AND NOT l.suppressed' : ''}) c)
  || ',"_definitions":' || (SELECT coalesce(json_agg(json_build_object('id', d.id, 'type', d.type, 'label', d.label, 'global', d.repo_id IS NULL, 'readonly', d.readonly) ORDER BY d.repo_id NULLS FIRST, d.position, d.id)::text, '[]')
      FROM assessment_attribute_definition d WHERE d.repo_id IS NULL OR d.repo_id = r.repo_id) || ',')`;
