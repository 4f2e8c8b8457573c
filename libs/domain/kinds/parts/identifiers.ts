// Identifiers that several kinds have: slugs, ARKs, four-part identifiers, identifiers of other systems.
// Properties follow the contract (schemas.json).
import type { Property } from '../../schema/property.ts';
import { partsOf } from '../../schema/build.ts';
import { ExternalId } from '../../subrecords/external-id.ts';

/** `slug` of repository, subject, accession, resource, archival_object, digital_object, digital_object_component. */
export const slug: Property = { type: 'string' };

/** `is_slug_auto` of repository, subject, accession, resource, archival_object, digital_object, digital_object_component. */
export const isSlugAuto: Property = { type: 'boolean', default: true };

/** `external_ids` of subject, accession, resource, archival_object, digital_object, digital_object_component, location, event. */
export const externalIds: Property = partsOf(() => [ExternalId]);

/** `id_0` of accession, resource. */
export const id0: Property = { type: 'string', maxLength: 255, required: 'error' };

/** `id_1` of accession, resource. */
export const id1: Property = { type: 'string', maxLength: 255 };

/** `id_2` of accession, resource. */
export const id2: Property = { type: 'string', maxLength: 255 };

/** `id_3` of accession, resource. */
export const id3: Property = { type: 'string', maxLength: 255 };

/** `external_ark_url` of resource, archival_object. */
export const externalArkUrl: Property = { type: 'string' };

/** `import_current_ark` of resource, archival_object. */
export const importCurrentArk: Property = { type: 'string' };

/** `import_previous_arks` of resource, archival_object. */
export const importPreviousArks: Property = { type: 'list', of: { type: 'string' } };

/** `ark_name` of resource, archival_object. */
export const arkName: Property = { type: 'object', readonly: true, kept: 'body' };
