// What the described kinds share: subjects, agents, dates, extents, rights, documents.
// Properties follow the contract (schemas.json).
import type { Property, Schema } from '../../schema/property.ts';
import { partOf, partsOf, refsTo } from '../../schema/build.ts';
import { CollectionManagement } from '../../subrecords/collection-management.ts';
import { ArchivalDate } from '../../subrecords/date.ts';
import { Deaccession } from '../../subrecords/deaccession.ts';
import { Extent } from '../../subrecords/extent.ts';
import { ExternalDocument } from '../../subrecords/external-document.ts';
import { FileVersion } from '../../subrecords/file-version.ts';
import { Instance } from '../../subrecords/instance.ts';
import { LangMaterial } from '../../subrecords/lang-material.ts';
import { MetadataRightsDeclaration } from '../../subrecords/metadata-rights-declaration.ts';
import { NoteBibliography } from '../../subrecords/notes/bibliography.ts';
import { NoteDigitalObject } from '../../subrecords/notes/digital-object.ts';
import { NoteIndex } from '../../subrecords/notes/index-note.ts';
import { NoteMultipart } from '../../subrecords/notes/multipart.ts';
import { NoteSinglepart } from '../../subrecords/notes/singlepart.ts';
import { RightsStatement } from '../../subrecords/rights-statement.ts';
import { UserDefined } from '../../subrecords/user-defined.ts';
import { term } from '../term.ts';
import { agentKinds } from './agent-kinds.ts';

/** A term inside an agent link: the plain term, without audit fields (contract output_exceptions). */
const plainTerm: Schema = { ...term.schema, audited: false };

/** `external_documents` of subject, accession, resource, archival_object, digital_object, digital_object_component, event. */
export const externalDocuments: Property = partsOf(() => [ExternalDocument]);

/** `metadata_rights_declarations` of subject, accession, resource, digital_object. */
export const metadataRightsDeclarations: Property = partsOf(() => [MetadataRightsDeclaration]);

/** `classifications` of accession, resource, digital_object. */
export const classifications: Property = {
  ...refsTo(['classification', 'classification_term']),
  resolvedInSearch: true,
};

/** `subjects` of accession, resource, archival_object, digital_object, digital_object_component. */
export const subjects: Property = { ...refsTo(['subject']), resolvedInSearch: true };

/** `linked_events` of accession, resource, archival_object, digital_object, digital_object_component. */
export const linkedEvents: Property = { ...refsTo(['event']), readonly: true };

/** `extents` of accession, archival_object, digital_object, digital_object_component. */
export const extents: Property = partsOf(() => [Extent]);

/** `lang_materials` of accession, archival_object, digital_object, digital_object_component. */
export const langMaterials: Property = partsOf(() => [LangMaterial]);

/** `dates` of accession, archival_object, digital_object, digital_object_component. */
export const dates: Property = partsOf(() => [ArchivalDate]);

/** `rights_statements` of accession, resource, archival_object, digital_object, digital_object_component. */
export const rightsStatements: Property = partsOf(() => [RightsStatement]);

/** `deaccessions` of accession, resource. */
export const deaccessions: Property = partsOf(() => [Deaccession]);

/** `collection_management` of accession, resource, digital_object. */
export const collectionManagement: Property = partOf(() => [CollectionManagement]);

/** `user_defined` of accession, resource, digital_object. */
export const userDefined: Property = partOf(() => [UserDefined]);

/** `suppressed` of accession, resource, archival_object, digital_object, digital_object_component, event. */
export const suppressed: Property = { type: 'boolean', readonly: true };

/** `linked_agents` of accession, resource, archival_object, digital_object, digital_object_component. */
export const linkedAgents: Property = {
  ...refsTo(agentKinds, {
    role: { type: 'string', enumeration: 'linked_agent_role', required: 'error' },
    terms: { type: 'list', of: { type: 'uri_or_object', to: ['term'], of: () => plainTerm } },
    title: { type: 'string' },
    relator: { type: 'string', enumeration: 'linked_agent_archival_record_relators' },
    is_primary: { type: 'boolean', default: false },
  }),
  resolvedInSearch: true,
};

/** `instances` of accession, resource, archival_object. */
export const instances: Property = partsOf(() => [Instance]);

/** `representative_file_version` of accession, resource, archival_object, digital_object, digital_object_component. */
export const representativeFileVersion: Property = { ...partOf(() => [FileVersion]), readonly: true };

/** `notes` of resource, archival_object. */
export const notes: Property = partsOf(() => [NoteBibliography, NoteIndex, NoteMultipart, NoteSinglepart]);

/** `file_versions` of digital_object, digital_object_component. */
export const fileVersions: Property = partsOf(() => [FileVersion]);

/** `notes` of digital_object, digital_object_component. */
export const notesOfDigitalObject: Property = partsOf(() => [NoteBibliography, NoteDigitalObject]);
