// Repositories, alone and together with their agent (contract 2.6). What is in a repository has routes of its own.
import { shape } from '../openapi/shape.ts';
import { acceptedReply, created, deleted, touched, updated } from '../openapi/shapes/envelopes.ts';
import { largestInt4 } from '#domain/int4.ts';
import { deleteRepository } from '#domain/jobs/delete-repository.ts';
import { repository } from '#domain/kinds/repository.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { Viewer } from '#store/records/reading/viewer.ts';
import {
  createRepository,
  listRepositories,
  setRepositoryPosition,
  updateRepository,
} from '#store/repositories/repositories.ts';
import { agentContext, changeAccess } from '../access/accounts.ts';
import { recordBody } from '../request/body.ts';
import { modifiedSince } from '../request/pagination.ts';
import { id, integerBetween, repositoryId, resolve } from '../request/parameters.ts';
import { createdReply, deletedReply, touchedReply, updatedReply } from '../reply/envelopes.ts';
import { jsonPieces } from '../reply/reply.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { versionToDelete, withVersion } from '../record-routes/if-match.ts';
import { doJob } from '../record-routes/jobs.ts';
import { withRefsResolved } from '../record-routes/viewing.ts';

/** The time that a statement may take which shows, hides or deletes a repository, in milliseconds: it touches every record, of which a large one has millions. */
export const longMs = 3_600_000;
/** Whoever reads repositories, which are never suppressed. */
export const everybody = ({ release }: Pick<Call<unknown, unknown>, 'release'>): Viewer => ({
  seesSuppressed: true,
  release,
});

const create = defineRoute({
  method: 'POST',
  path: '/repositories',
  operation: 'createRepository',
  area: 'repositories',
  summary: 'Create one repository',
  doc: 'Makes the six groups of a new repository, and the corporate agent that acts for it (or takes one that is named like the code). The agent that the body names is not read.',
  access: { all: ['create_repository'] },
  parameters: {},
  body: recordBody('repository', 'create'),
  replies: { 200: { says: 'Created.', shape: created }, 400: 'The code is in use, or the body is not valid.' },
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
  operation: 'listRepositories',
  area: 'repositories',
  summary: 'List repositories',
  access: 'public',
  parameters: { resolve, modified_since: modifiedSince },
  replies: { 200: { says: 'An array of all repositories.', shape: shape.list(shape.record('repository')) } },
  handler: async (call) => {
    const records = await listRepositories(call.services.database.reader, everybody(call), call.params.modified_since);
    return jsonPieces(
      await withRefsResolved(
        { ...call, repoId: null },
        call.params.resolve,
        `[${records.map((record) => record.text).join(',')}]`,
      ),
    );
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/repositories/:id',
  operation: 'getRepository',
  area: 'repositories',
  summary: 'Read one repository',
  access: 'public',
  parameters: { id: id({ example: 2 }), resolve },
  replies: { 200: { says: 'The repository.', shape: shape.record('repository') }, 404: 'Repository not found' },
  handler: async (call) => {
    const record = await readRecord(call.services.database.reader, repository, call.params.id, null, everybody(call));
    return jsonPieces(await withRefsResolved({ ...call, repoId: null }, call.params.resolve, record.text));
  },
});

const update = defineRoute({
  method: 'POST',
  path: '/repositories/:id',
  operation: 'updateRepository',
  area: 'repositories',
  summary: 'Replace one repository',
  doc: 'Its agent and position stay. Publishing or hiding it re-dates everything in it that has such a flag.',
  access: { all: ['create_repository'] },
  parameters: { id: id({ example: 2 }) },
  body: recordBody('repository', 'update'),
  replies: {
    200: { says: 'Updated.', shape: updated },
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
  operation: 'deleteRepository',
  area: 'repositories',
  summary: 'Delete one repository with everything in it',
  access: { all: ['delete_repository'] },
  parameters: { repo_id: repositoryId() },
  replies: {
    200: { says: 'Deleted.', shape: deleted },
    ...acceptedReply,
    409: 'An assessment, or a location that belongs to it, forbids it.',
  },
  handler: async (call) => {
    const { params, caller, services } = call;
    // The job is nobody's in the repository, whose jobs go with it.
    const payload = {
      repoId: params.repo_id,
      actor: caller.username,
      lockVersion: await versionToDelete(repository, call),
    };
    const early = await withVersion(() => doJob(call, deleteRepository, payload, { owner: caller.username }));
    services.sessionStore.forget();
    services.repositories.forget();
    return early ?? deletedReply(params.repo_id);
  },
});

const move = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/position',
  operation: 'moveRepository',
  area: 'repositories',
  summary: 'Change the place in the list',
  doc: 'The repository that has the position takes the old one.',
  release: 'R-B',
  access: { all: ['administer_system'] },
  parameters: { repo_id: repositoryId(), position: integerBetween(0, largestInt4)({ doc: 'Place from 0.' }) },
  replies: { 200: { says: 'Moved.', shape: touched }, 404: 'Repository not found' },
  handler: async ({ params, services }) => {
    const lockVersion = await changeAccess(services, (tx) =>
      setRepositoryPosition(tx, params.repo_id, params.position),
    );
    return touchedReply(params.repo_id, lockVersion);
  },
});

/** The routes of this file. */
export const repositoryRoutes: readonly Route[] = [create, list, read, update, remove, move];
