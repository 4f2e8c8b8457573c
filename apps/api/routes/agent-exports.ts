// People, families and corporate entities as EAC-CPF, which needs no session, and as MARC authority records (contract behaviour-exports
// 1, 5, 6). Without view_repository only published agents are there, with what is published of them.
import { fail } from '#domain/errors.ts';
import { agentEac } from '#domain/formats/eac/writing/agent.ts';
import { agentEac2 } from '#domain/formats/eac/writing/v2/agent.ts';
import { agentFileBase } from '#domain/formats/writing/file-name.ts';
import { agentMarc } from '#domain/formats/marc-authority/writing/agent.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { agentCorporateEntity } from '#domain/kinds/agent_corporate_entity.ts';
import { agentFamily } from '#domain/kinds/agent_family.ts';
import { agentPerson } from '#domain/kinds/agent_person.ts';
import { can, repositoriesWith } from '#domain/access/caller.ts';
import { linkedRecordsOf } from '#store/exports/linked-records.ts';
import type { ExportRecord } from '#store/exports/read-record.ts';
import { readAgent } from '#store/exports/read-record.ts';
import { exportContext, fileMetadata, metadataReply, xml } from '../exports/export-context.ts';
import { boolean, id, repositoryId, text } from '../request/parameters.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { viewerOf } from '../record-routes/viewing.ts';

const parameters = { repo_id: repositoryId(), id: id() };
const ofMetadata = { ...parameters, fmt: text({ doc: 'Part of the path; its value is not used.' }) };
const unpublished = boolean({
  optional: true,
  doc: 'Unpublished notes, parts and links as well, for holders of view_repository.',
});
const area = 'exports';

type AgentCall = Pick<
  Call<{ readonly repo_id: number; readonly id: number; readonly include_unpublished?: boolean | null }, unknown>,
  'params' | 'services' | 'caller' | 'repoId' | 'wantsSuppressed'
>;

const mayView = (call: AgentCall): boolean => can(call.caller, 'view_repository', call.params.repo_id);
const includesUnpublished = (call: AgentCall): boolean => call.params.include_unpublished === true && mayView(call);

/** The agent, where the caller may know of it: an unpublished one is not found without view_repository. */
async function readShown(call: AgentCall, kind: Kind): Promise<ExportRecord> {
  const read = await readAgent(
    call.services.database.reader,
    kind,
    call.params.id,
    call.params.repo_id,
    viewerOf(call),
  );
  if (read.record['publish'] !== true && !mayView(call)) throw fail('not_found', `${kind.model} not found`);
  // Nor is a repository named that is not public.
  return mayView(call) || read.repository['publish'] !== false
    ? read
    : { ...read, repository: { ...read.repository, name: null } };
}

function linkedOf(call: AgentCall, kind: Kind): ReturnType<typeof linkedRecordsOf> {
  const includes = includesUnpublished(call);
  return linkedRecordsOf(call.services.database.reader, kind.name, call.params.id, {
    publishedOnly: !includes,
    repositories: includes ? repositoriesWith(call.caller, 'view_repository') : 'all',
  });
}

const metadataOf = (agent: JsonObject, suffix: string): Json => fileMetadata(agentFileBase(agent), suffix, new Date());

const routesOf = (kind: Kind, folder: string): readonly Route[] => {
  const notFound = { 404: `${kind.model} not found` };
  return [
    defineRoute({
      method: 'GET',
      path: `/repositories/:repo_id/archival_contexts/${folder}/:id.xml`,
      area,
      summary: 'An agent as EAC-CPF',
      doc: 'Without a session published agents alone, with what is published of them.',
      access: 'public',
      parameters: {
        ...parameters,
        eac2: boolean({ optional: true, doc: 'EAC-CPF 2.0 rather than 2010.' }),
        include_unpublished: unpublished,
      },
      replies: {
        200: { says: 'EAC-CPF, valid against the schema of its version.', contentType: 'application/xml' },
        ...notFound,
      },
      handler: async (call) => {
        const { record, repository } = await readShown(call, kind);
        const write = call.params.eac2 === true ? agentEac2 : agentEac;
        return xml(
          write(
            record,
            await linkedOf(call, kind),
            exportContext(call.services, repository, includesUnpublished(call)),
          ),
        );
      },
    }),
    defineRoute({
      method: 'GET',
      path: `/repositories/:repo_id/archival_contexts/${folder}/:id.:fmt/metadata`,
      area,
      summary: 'File name and type of an agent as EAC-CPF',
      access: 'public',
      parameters: ofMetadata,
      replies: { 200: metadataReply, ...notFound },
      handler: async (call) => metadataOf((await readShown(call, kind)).record, '_eac.xml'),
    }),
    defineRoute({
      method: 'GET',
      path: `/repositories/:repo_id/agents/${folder}/marc21/:id.xml`,
      area,
      summary: 'An agent as a MARC authority record',
      access: { all: ['view_repository'] },
      parameters: { ...parameters, include_unpublished: unpublished },
      replies: {
        200: { says: 'A collection of one MARC 21 authority record.', contentType: 'application/xml' },
        ...notFound,
      },
      handler: async (call) => {
        const { record, repository } = await readShown(call, kind);
        return xml(agentMarc(record, exportContext(call.services, repository, includesUnpublished(call))));
      },
    }),
    defineRoute({
      method: 'GET',
      path: `/repositories/:repo_id/agents/${folder}/marc21/:id.:fmt/metadata`,
      area,
      summary: 'File name and type of an agent as a MARC authority record',
      access: { all: ['view_repository'] },
      parameters: ofMetadata,
      replies: { 200: metadataReply, ...notFound },
      handler: async (call) => metadataOf((await readShown(call, kind)).record, '_marc.xml'),
    }),
  ];
};

/** The routes of this file. */
export const agentExportRoutes: readonly Route[] = [
  ...routesOf(agentPerson, 'people'),
  ...routesOf(agentCorporateEntity, 'corporate_entities'),
  ...routesOf(agentFamily, 'families'),
];
