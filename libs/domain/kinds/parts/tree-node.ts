// Properties of kinds that stand in a tree; the service fills them in from the tree tables.
// Properties follow the contract (schemas.json).
import type { Property } from '../../schema/property.ts';

/** `position` of archival_object, digital_object_component. */
export const position: Property = { type: 'integer' };

/** `has_unpublished_ancestor` of archival_object, digital_object_component. */
export const hasUnpublishedAncestor: Property = { type: 'boolean', readonly: true };
