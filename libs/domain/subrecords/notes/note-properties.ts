// What all kinds of notes begin with.
// Properties follow the contract (schemas.json) in its order.
import type { Properties } from '../../schema/property.ts';

/** Label, `publish`, the id that links inside documents use, and what an import could not place. */
export const noteProperties = {
  label: { type: 'string', maxLength: 65000 },
  publish: { type: 'boolean' },
  persistent_id: { type: 'string', maxLength: 255, generated: 'hex' },
  ingest_problem: { type: 'string', maxLength: 65000 },
} as const satisfies Properties;
