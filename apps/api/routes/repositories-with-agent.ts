// Repositories together with the corporate agent that acts for them, as one record of two parts (contract 2.6).
import { shape } from '../openapi/shape.ts';
import { created, updated } from '../openapi/shapes/envelopes.ts';
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import { agentCorporateEntity } from '#domain/kinds/agent_corporate_entity.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Transaction } from '#store/connection/database.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { Written } from '#store/records/writing/write.ts';
import { updateRecord } from '#store/records/writing/write.ts';
import { createRepository, updateRepository } from '#store/repositories/repositories.ts';
import { createAgent, prepareFor } from '#store/repositories/service-agents.ts';
import type { AgentContext } from '#store/repositories/service-agents.ts';
import { agentContext, changeAccess } from '../access/accounts.ts';
import { seesConfidential } from '../record-routes/viewing.ts';
import { createdReply, updatedReply } from '../reply/envelopes.ts';
import { jsonBody } from '../request/body.ts';
import { id } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';
import { everybody, longMs } from './repositories.ts';
const withAgentUri = (repoId: number): string => `/repositories/with_agent/${repoId}`;

/** The parts of a body, checked as one, so that errors name the part. */
async function partsOf(
  services: Services,
  body: JsonObject,
  operation: 'create' | 'update',
): Promise<{ readonly own: JsonObject; readonly agent: JsonObject | undefined }> {
  await services.checkRecord('repository_with_agent', body, { repoId: null, operation });
  return { own: objectOf(body, 'repository') ?? {}, agent: objectOf(body, 'agent_representation') };
}

const createWithAgent = defineRoute({
  method: 'POST',
  path: '/repositories/with_agent',
  operation: 'createRepositoryWithAgent',
  area: 'repositories',
  summary: 'Create a repository together with its agent',
  access: { all: ['create_repository'] },
  parameters: {},
  body: jsonBody({
    doc: 'A `repository`, and an `agent_representation` (a corporate agent), which may be left out.',
    shape: shape.record('repository_with_agent'),
    example: { repository: { repo_code: 'MSS', name: 'Manuscripts' } },
  }),
  replies: {
    200: { says: 'Created; the uri is the with_agent address.', shape: created },
    400: 'A part is not valid.',
  },
  handler: async ({ body, caller, services }) => {
    const { own, agent } = await partsOf(services, body, 'create');
    const context = agentContext(caller, services);
    const written = await changeAccess(services, async (tx) => {
      const prepared = prepareFor('repository', own, 'create', context);
      const makeAgent = async (around: AgentContext): Promise<string | null> =>
        agent === undefined ? null : createAgent(tx, 'agent_corporate_entity', agent, false, around);
      return createRepository(tx, { prepared, groups: services.defaultGroups, makeAgent }, context);
    });
    return createdReply(repository, { ...written, uri: withAgentUri(written.id) });
  },
});

const readWithAgent = defineRoute({
  method: 'GET',
  path: '/repositories/with_agent/:id',
  operation: 'getRepositoryWithAgent',
  area: 'repositories',
  summary: 'Read a repository together with its agent',
  access: 'public',
  parameters: { id: id({ example: 2 }) },
  replies: {
    200: { says: 'Both records.', shape: shape.record('repository_with_agent') },
    404: 'Repository not found',
  },
  handler: async ({ params, services, release, caller }) => {
    const { reader } = services.database;
    const viewer = { ...everybody({ release }), seesConfidential: seesConfidential({ caller, services }) };
    const own: JsonObject = JSON.parse((await readRecord(reader, repository, params.id, null, viewer)).text);
    const agentId = agentIdOf(own);
    const agent =
      agentId === null
        ? {}
        : {
            agent_representation: JSON.parse(
              (await readRecord(reader, agentCorporateEntity, agentId, null, viewer)).text,
            ),
          };
    return {
      jsonmodel_type: 'repository_with_agent',
      lock_version: own['lock_version'] ?? 0,
      repository: own,
      ...agent,
      uri: withAgentUri(params.id),
    };
  },
});

function agentIdOf(record: JsonObject): number | null {
  const address = parseUri(textOf(objectOf(record, 'agent_representation'), 'ref') ?? '');
  return address?.kind === 'agent_corporate_entity' ? address.id : null;
}

const updateWithAgent = defineRoute({
  method: 'POST',
  path: '/repositories/with_agent/:id',
  operation: 'updateRepositoryWithAgent',
  area: 'repositories',
  summary: 'Update a repository together with its agent',
  doc: 'Without `agent_representation` the agent is unlinked, and stays. Each part carries its own lock_version.',
  access: { all: ['create_repository'] },
  parameters: { id: id({ example: 2 }) },
  body: jsonBody({
    doc: 'The record as GET gives it, changed.',
    shape: shape.record('repository_with_agent'),
    example: { repository: { repo_code: 'ARCH', name: 'Archives', lock_version: 0 } },
  }),
  replies: {
    200: { says: 'Updated.', shape: updated },
    404: 'Repository not found',
    409: 'Another update came first.',
  },
  handler: async ({ body, params, caller, services, release }) => {
    const { own, agent } = await partsOf(services, body, 'update');
    const context = agentContext(caller, services);
    const written = await changeAccess(
      services,
      async (tx): Promise<Written> => {
        const current: JsonObject = JSON.parse(
          (await readRecord(tx, repository, params.id, null, everybody({ release }))).text,
        );
        const agentUri =
          agent === undefined
            ? null
            : await writeAgent(tx, agentIdOf(current), agent, context, !seesConfidential({ caller, services }));
        return updateRepository(
          tx,
          params.id,
          prepareFor('repository', own, 'update', context),
          own['lock_version'],
          context,
          agentUri,
        );
      },
      { statementTimeoutMs: longMs },
    );
    return updatedReply(repository, { ...written, uri: withAgentUri(params.id) });
  },
});

/** Updates the agent that is there, or creates one. `keepsConfidential` is that of a write context. */
async function writeAgent(
  tx: Transaction,
  agentId: number | null,
  agent: JsonObject,
  context: AgentContext,
  keepsConfidential: boolean,
): Promise<string> {
  if (agentId === null) return createAgent(tx, 'agent_corporate_entity', agent, false, context);
  const prepared = prepareFor('agent_corporate_entity', agent, 'update', context);
  if (agent['lock_version'] === undefined)
    throw fail('stale_record', 'You must provide a lock_version in your request');
  return (
    await updateRecord(tx, agentCorporateEntity, agentId, prepared, agent['lock_version'], {
      actor: context.actor,
      repoId: null,
      generatedValues: context.generatedValues,
      keepsConfidential,
    })
  ).uri;
}

/** The routes of this file. */
export const repositoryWithAgentRoutes: readonly Route[] = [createWithAgent, readWithAgent, updateWithAgent];
