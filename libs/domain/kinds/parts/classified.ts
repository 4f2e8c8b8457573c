// What classifications and their terms share. Contract, schemas.json and behaviour-records.md 6.10.
import type { MutualLink } from '../../kind.ts';
import { refTo, refsTo } from '../../schema/build.ts';
import type { Properties } from '../../schema/property.ts';
import { isSlugAuto, slug } from './identifiers.ts';
import { agentKinds } from './agent-kinds.ts';

/** Identifier, title and description, the records classified, and who made the scheme. `path_from_root` is computed. */
export const classifiedProperties = {
  uri: { type: 'string', readonly: true },
  identifier: { type: 'string', maxLength: 255, required: 'error' },
  title: { type: 'string', minLength: 1, maxLength: 16384, required: 'error' },
  description: { type: 'string', maxLength: 65000 },
  publish: { type: 'boolean', readonly: true, default: true },
  path_from_root: { type: 'any', readonly: true },
  // Search documents show these by refs alone: they may be all records there are.
  linked_records: refsTo(['accession', 'resource', 'digital_object']),
  creator: { ...refTo(agentKinds), resolvedInSearch: true },
  slug,
  is_slug_auto: isSlugAuto,
} as const satisfies Properties;

/** `linked_records`, the far side of the `classifications` of what is classified. */
export const linkedRecords: { readonly linked_records: MutualLink } = {
  linked_records: { relation: 'classification' },
};
