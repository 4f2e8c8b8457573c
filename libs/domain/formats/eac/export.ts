// EAC-CPF of people, families and corporate entities, which needs no session (contract behaviour-exports 6).
import { defineExport, flag } from '../define-export.ts';
import { agentFileBase } from '../writing/file-name.ts';
import { agentRefs } from '../writing/refs.ts';
import { agentEac } from './writing/agent.ts';
import { agentEac2 } from './writing/v2/agent.ts';

/** An agent with its relations. */
export const eacCpf = defineExport({
  paths: {
    agent_person: '/repositories/:repo_id/archival_contexts/people/:id.xml',
    agent_corporate_entity: '/repositories/:repo_id/archival_contexts/corporate_entities/:id.xml',
    agent_family: '/repositories/:repo_id/archival_contexts/families/:id.xml',
  },
  name: 'EacCpf',
  summary: 'An agent as EAC-CPF',
  doc: 'Without a session published agents alone, with what is published of them.',
  says: 'EAC-CPF, valid against the schema of its version.',
  mediaType: 'application/xml',
  access: 'public',
  unpublished: 'include_unpublished',
  options: {
    eac2: flag({ doc: 'EAC-CPF 2.0 rather than 2010.' }),
    include_unpublished: flag({
      doc: 'Unpublished notes, parts and links as well, for holders of view_repository.',
    }),
  },
  reads: 'record',
  refs: agentRefs,
  readsLinkedFrom: true,
  write: ({ record, linkedFrom }, context, { eac2 }) => (eac2 ? agentEac2 : agentEac)(record, linkedFrom, context),
  file: {
    summary: 'File name and type of an agent as EAC-CPF',
    base: agentFileBase,
    suffix: '_eac.xml',
    example: 'Muster_20260102_030405_UTC__eac.xml',
  },
});
