// Instances of the records in which they stand, for bodies that tests send.
import type { JsonObject } from '#domain/json.ts';

/** What lies in a top container; `more` says where in it. */
export const inBox = (container: string, more: JsonObject = {}): JsonObject => ({
  instance_type: 'text',
  sub_container: { top_container: { ref: container }, ...more },
});

/** What a digital object shows. */
export const shownBy = (digitalObject: string): JsonObject => ({
  instance_type: 'digital_object',
  digital_object: { ref: digitalObject },
});
