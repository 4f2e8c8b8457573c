// Repositories, alone and together with their agent (contract 2.6). What is in a repository has routes of its own.
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import { parseUri } from '#domain/addresses.ts';
import { deleteRepository } from '#domain/jobs/delete-repository.ts';
import { agentCorporateEntity } from '#domain/kinds/agent_corporate_entity.ts';
import { repository } from '#domain/kinds/repository.ts';
import type { Transaction } from '#store/connection/database.ts';
import { createAgent, prepareFor } from '#store/repositories/service-agents.ts';
import type { AgentContext } from '#store/repositories/service-agents.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { Written } from '#store/records/writing/write.ts';
import { updateRecord } from '#store/records/writing/write.ts';
import {
  createRepository,
  listRepositories,
  setRepositoryPosition,
  updateRepository,
} from '#store/repositories/repositories.ts';
import { agentContext, changeAccess } from '../access/accounts.ts';
import { jsonBody, recordBody } from '../request/body.ts';
import { modifiedSince } from '../request/pagination.ts';
import { id, integer, repositoryId, resolve } from '../request/parameters.ts';
import { createdReply, deletedReply, touchedReply, updatedReply } from '../reply/envelopes.ts';
import { jsonText } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';
import { doJob } from '../record-routes/jobs.ts';
import { seesConfidential, withRefsResolved } from '../record-routes/viewing.ts';

// Deleting, or showing and hiding, touches every record of a repository; a large one has millions.
const longMs = 3_600_000;
const all = { seesSuppressed: true };

/** The text of a repository as the release shows it: R-A has no `position`. */
function shown(text: string, release: 'R-A' | 'R-B'): string {
  if (release === 'R-B') return text;
  const { position: _, ...rest } = JSON.parse(text);
  return JSON.stringify(rest);
}

const create = defineRoute({
  method: 'POST',
  path: '/repositories',
  area: 'repositories',
  summary: 'Create one repository',
  doc: 'Makes the six groups of a new repository, and the corporate agent that acts for it (or takes one that is named like the code). The agent that the body names is not read.',
  access: { all: ['create_repository'] },
  parameters: {},
  body: recordBody('repository', 'create'),
  replies: { 200: { says: 'Created.', schema: 'created' }, 400: 'The code is in use, or the body is not valid.' },
  handler: async ({ body, caller, services }) => {
    const given = { prepared: body.prepared, groups: services.defaultGroups };
    return createdReply(
      repository,
      await changeAccess(services, (tx) => createRepository(tx, given, agentContext(caller, services))),
    );
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/repositories',
  area: 'repositories',
  summary: 'List repositories',
  access: 'public',
  parameters: { resolve, modified_since: modifiedSince },
  replies: { 200: { says: 'An array of all repositories.', schema: 'repository' } },
  handler: async (call) => {
    const records = await listRepositories(call.services.database.reader, call.params.modified_since);
    return jsonText(
      await withRefsResolved(
        { ...call, repoId: null },
        call.params.resolve,
        `[${records.map((record) => shown(record.text, call.release)).join(',')}]`,
      ),
    );
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/repositories/:id',
  area: 'repositories',
  summary: 'Read one repository',
  access: 'public',
  parameters: { id: id(), resolve },
  replies: { 200: { says: 'The repository.', schema: 'repository' }, 404: 'Repository not found' },
  handler: async (call) => {
    const record = await readRecord(call.services.database.reader, repository, call.params.id, null, all);
    return jsonText(
      await withRefsResolved({ ...call, repoId: null }, call.params.resolve, shown(record.text, call.release)),
    );
  },
});

const update = defineRoute({
  method: 'POST',
  path: '/repositories/:id',
  area: 'repositories',
  summary: 'Replace one repository',
  doc: 'Its agent and position stay. Publishing or hiding it re-dates everything in it that has such a flag.',
  access: { all: ['create_repository'] },
  parameters: { id: id() },
  body: recordBody('repository', 'update'),
  replies: {
    200: { says: 'Updated.', schema: 'updated' },
    404: 'Repository not found',
    409: 'Another update came first.',
  },
  handler: async ({ body, params, caller, services }) => {
    const written = await changeAccess(
      services,
      (tx) => updateRepository(tx, params.id, body.prepared, body.lockVersion, agentContext(caller, services)),
      { statementTimeoutMs: longMs },
    );
    return updatedReply(repository, written);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/repositories/:repo_id',
  area: 'repositories',
  summary: 'Delete one repository with everything in it',
  access: { all: ['delete_repository'] },
  parameters: { repo_id: repositoryId() },
  replies: {
    200: { says: 'Deleted.', schema: 'deleted' },
    409: 'An assessment, or a location that belongs to it, forbids it.',
  },
  handler: async (call) => {
    const { params, caller, services } = call;
    // The job is nobody's in the repository, whose jobs go with it.
    const early = await doJob(
      call,
      deleteRepository,
      { repoId: params.repo_id, actor: caller.username },
      { owner: caller.username },
    );
    services.sessionStore.forget();
    services.repositories.forget();
    return early ?? deletedReply(params.repo_id);
  },
});

const move = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/position',
  area: 'repositories',
  summary: 'Change the place in the list',
  doc: 'The repository that has the position takes the old one.',
  release: 'R-B',
  access: { all: ['administer_system'] },
  parameters: { repo_id: repositoryId(), position: integer({ doc: 'The new place.' }) },
  replies: { 200: { says: 'Moved.', schema: 'updated_short' } },
  handler: async ({ params, services }) => {
    const lockVersion = await changeAccess(services, (tx) =>
      setRepositoryPosition(tx, params.repo_id, params.position),
    );
    return touchedReply(params.repo_id, lockVersion);
  },
});

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
  area: 'repositories',
  summary: 'Create a repository together with its agent',
  access: { all: ['create_repository'] },
  parameters: {},
  body: jsonBody({ doc: 'A `repository`, and an `agent_representation` (a corporate agent), which may be left out.' }),
  replies: {
    200: { says: 'Created; the uri is the with_agent address.', schema: 'created' },
    400: 'A part is not valid.',
  },
  handler: async ({ body, caller, services }) => {
    const { own, agent } = await partsOf(services, body, 'create');
    const context = agentContext(caller, services);
    const written = await changeAccess(services, async (tx) => {
      const agentUri =
        agent === undefined ? null : await createAgent(tx, 'agent_corporate_entity', agent, false, context);
      return createRepository(
        tx,
        { prepared: prepareFor('repository', own, 'create', context), groups: services.defaultGroups, agentUri },
        context,
      );
    });
    return createdReply(repository, { ...written, uri: withAgentUri(written.id) });
  },
});

const readWithAgent = defineRoute({
  method: 'GET',
  path: '/repositories/with_agent/:id',
  area: 'repositories',
  summary: 'Read a repository together with its agent',
  access: 'public',
  parameters: { id: id() },
  replies: { 200: { says: 'Both records.', schema: 'repository_with_agent' }, 404: 'Repository not found' },
  handler: async ({ params, services, release, caller }) => {
    const { reader } = services.database;
    const viewer = { ...all, seesConfidential: seesConfidential({ caller, services }) };
    const own: JsonObject = JSON.parse(
      shown((await readRecord(reader, repository, params.id, null, all)).text, release),
    );
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
  area: 'repositories',
  summary: 'Update a repository together with its agent',
  doc: 'Without `agent_representation` the agent is unlinked, and stays. Each part carries its own lock_version.',
  access: { all: ['create_repository'] },
  parameters: { id: id() },
  body: jsonBody({ doc: 'The record as GET gives it, changed.' }),
  replies: {
    200: { says: 'Updated.', schema: 'updated' },
    404: 'Repository not found',
    409: 'Another update came first.',
  },
  handler: async ({ body, params, caller, services }) => {
    const { own, agent } = await partsOf(services, body, 'update');
    const context = agentContext(caller, services);
    const written = await changeAccess(
      services,
      async (tx): Promise<Written> => {
        const current: JsonObject = JSON.parse((await readRecord(tx, repository, params.id, null, all)).text);
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
      making: context.making,
      keepsConfidential,
    })
  ).uri;
}

/** The routes of this file. */
export const repositoryRoutes: readonly Route[] = [
  createWithAgent,
  readWithAgent,
  updateWithAgent,
  create,
  list,
  read,
  update,
  remove,
  move,
];
