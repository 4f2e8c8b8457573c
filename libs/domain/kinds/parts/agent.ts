// What the four kinds of agents share (contract schemas.json, abstract_agent).
// Names, genders and relations are the kinds' own.
import type { Properties } from '../../schema/property.ts';
import { partsOf } from '../../schema/build.ts';
import { AgentAlternateSet } from '../../subrecords/agent-parts/alternate-set.ts';
import { AgentContact } from '../../subrecords/agent-parts/contact.ts';
import { AgentConventionsDeclaration } from '../../subrecords/agent-parts/conventions-declaration.ts';
import { AgentFunction } from '../../subrecords/agent-parts/function.ts';
import { AgentIdentifier, AgentRecordIdentifier } from '../../subrecords/agent-parts/identifier.ts';
import { AgentMaintenanceHistory } from '../../subrecords/agent-parts/maintenance-history.ts';
import { AgentOccupation } from '../../subrecords/agent-parts/occupation.ts';
import { AgentOtherAgencyCodes } from '../../subrecords/agent-parts/other-agency-codes.ts';
import { AgentPlace } from '../../subrecords/agent-parts/place.ts';
import { AgentRecordControl } from '../../subrecords/agent-parts/record-control.ts';
import { AgentResource } from '../../subrecords/agent-parts/resource.ts';
import { AgentSources } from '../../subrecords/agent-parts/sources.ts';
import { AgentTopic } from '../../subrecords/agent-parts/topic.ts';
import { UsedLanguage } from '../../subrecords/agent-parts/used-language.ts';
import { ExternalDocument } from '../../subrecords/external-document.ts';
import { MetadataRightsDeclaration } from '../../subrecords/metadata-rights-declaration.ts';
import {
  NoteBioghist,
  NoteGeneralContext,
  NoteLegalStatus,
  NoteMandate,
  NoteStructureOrGenealogy,
} from '../../subrecords/notes/bioghist.ts';
import { StructuredDateLabel } from '../../subrecords/structured-date.ts';

/** The properties common to all agents, in the contract's order. */
export const agentProperties: Properties = {
  title: { type: 'string', readonly: true },
  is_linked_to_published_record: { type: 'boolean', readonly: true },
  agent_type: {
    type: 'string',
    values: ['agent_person', 'agent_corporate_entity', 'agent_software', 'agent_family', 'user'],
  },
  agent_contacts: { ...partsOf(() => [AgentContact]), confidential: true },
  agent_record_controls: partsOf(() => [AgentRecordControl]),
  agent_alternate_sets: partsOf(() => [AgentAlternateSet]),
  agent_conventions_declarations: partsOf(() => [AgentConventionsDeclaration]),
  agent_other_agency_codes: partsOf(() => [AgentOtherAgencyCodes]),
  agent_maintenance_histories: partsOf(() => [AgentMaintenanceHistory]),
  agent_record_identifiers: partsOf(() => [AgentRecordIdentifier]),
  agent_identifiers: partsOf(() => [AgentIdentifier]),
  agent_sources: partsOf(() => [AgentSources]),
  agent_places: partsOf(() => [AgentPlace]),
  agent_occupations: partsOf(() => [AgentOccupation]),
  agent_functions: partsOf(() => [AgentFunction]),
  agent_topics: partsOf(() => [AgentTopic]),
  agent_resources: partsOf(() => [AgentResource]),
  linked_agent_roles: { type: 'list', of: { type: 'string' }, readonly: true },
  external_documents: partsOf(() => [ExternalDocument]),
  system_generated: { type: 'boolean', readonly: true, kept: 'body' },
  notes: partsOf(() => [NoteBioghist, NoteMandate, NoteLegalStatus, NoteStructureOrGenealogy, NoteGeneralContext]),
  used_within_repositories: { type: 'list', of: { type: 'uri', to: ['repository'] }, readonly: true },
  used_within_published_repositories: { type: 'list', of: { type: 'uri', to: ['repository'] }, readonly: true },
  dates_of_existence: partsOf(() => [StructuredDateLabel]),
  used_languages: partsOf(() => [UsedLanguage]),
  publish: { type: 'boolean' },
  is_user: { type: 'string', readonly: true },
  metadata_rights_declarations: partsOf(() => [MetadataRightsDeclaration]),
};
