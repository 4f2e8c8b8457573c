// MARC authority records of people, families and corporate entities (contract behaviour-exports 5).
import { defineExport, flag } from '../define-export.ts';
import { agentFileBase } from '../writing/file-name.ts';
import { agentRefs } from '../writing/refs.ts';
import { agentMarc } from './writing/agent.ts';

/** An agent as an authority record. */
export const marcAuthority = defineExport({
  paths: {
    agent_person: '/repositories/:repo_id/agents/people/marc21/:id.xml',
    agent_corporate_entity: '/repositories/:repo_id/agents/corporate_entities/marc21/:id.xml',
    agent_family: '/repositories/:repo_id/agents/families/marc21/:id.xml',
  },
  name: 'MarcAuthority',
  summary: 'An agent as a MARC authority record',
  says: 'A collection of one MARC 21 authority record.',
  mediaType: 'application/xml',
  access: 'view_repository',
  unpublished: 'include_unpublished',
  options: {
    include_unpublished: flag({
      doc: 'Unpublished notes, parts and links as well, for holders of view_repository.',
    }),
  },
  reads: 'record',
  refs: agentRefs,
  write: ({ record }, context) => agentMarc(record, context),
  file: {
    summary: 'File name and type of an agent as a MARC authority record',
    base: agentFileBase,
    suffix: '_marc.xml',
    example: 'Muster_20260102_030405_UTC__marc.xml',
  },
});
