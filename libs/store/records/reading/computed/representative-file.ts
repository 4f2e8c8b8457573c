// Computed property `representative_file_version` of records that show a digital object (contract 6.4).
// Digital objects and components hold theirs in the body, where it is generated at each save.
import type { Kind } from '#domain/kind.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';

/** That of the digital object whose instance is flagged representative; absent where there is none. */
export const representativeFile = (
  kind: Kind,
): string => `CASE WHEN f.has_marked THEN (SELECT '"representative_file_version":' || (d.body->'representative_file_version')::text || ','
  FROM link l JOIN record d ON d.kind = '${digitalObject.name}' AND d.id = l.target_id
  WHERE l.source_kind = '${kind.name}' AND l.source_id = r.id AND l.property = 'instances.digital_object' AND l.role = 'representative'
    AND d.publish AND NOT d.suppressed AND d.body->'representative_file_version' IS NOT NULL LIMIT 1) END`;
