// Groups of a repository: members and permissions (contract 2.5).
import { fail } from '#domain/errors.ts';
import { group } from '#domain/kinds/group.ts';
import { createGroup, deleteGroup, readGroups, updateGroup } from '#store/access/groups.ts';
import type { GroupContext } from '#store/access/groups.ts';
import { changeAccess } from '../access/accounts.ts';
import { recordBody } from '../request/body.ts';
import { modifiedSince } from '../request/pagination.ts';
import { boolean, id, repositoryId, text } from '../request/parameters.ts';
import { createdReply, deletedReply, updatedReply } from '../reply/envelopes.ts';
import { jsonText } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Seeing } from '../record-routes/viewing.ts';
import { writeContext } from '../record-routes/viewing.ts';

const access = { all: ['manage_repository'] } as const;
const withMembers = boolean({ default: true, doc: 'Whether the members are meant too.' });

const contextOf = (call: Seeing, repoId: number): GroupContext => ({
  ...writeContext(call),
  repoId,
  caller: call.caller,
});

const create = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/groups',
  area: 'groups',
  summary: 'Create one group',
  doc: 'Only permissions that the caller holds can be given.',
  access,
  parameters: { repo_id: repositoryId() },
  body: recordBody('group', 'create'),
  replies: {
    200: { says: 'Created.', schema: 'created' },
    400: 'The code is taken, or a member or permission is unknown.',
    403: 'A permission that the caller may not give.',
  },
  handler: async (call) =>
    createdReply(
      group,
      await changeAccess(call.services, (tx) =>
        createGroup(tx, call.body.prepared, contextOf(call, call.params.repo_id)),
      ),
    ),
});

const list = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/groups',
  area: 'groups',
  summary: 'List groups',
  doc: 'All groups of the repository, with permissions and without members.',
  access,
  parameters: {
    repo_id: repositoryId(),
    group_code: text({ optional: true, doc: 'Only the group of this code.' }),
    modified_since: modifiedSince,
  },
  replies: { 200: { says: 'An array of groups.', schema: 'group' } },
  handler: async ({ params, services }) => {
    const only = {
      modifiedSince: params.modified_since,
      ...(params.group_code === null ? {} : { code: params.group_code }),
    };
    return jsonText(`[${(await readGroups(services.database.reader, params.repo_id, only, false)).join(',')}]`);
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/groups/:id',
  area: 'groups',
  summary: 'Read one group',
  access,
  parameters: { repo_id: repositoryId(), id: id(), with_members: withMembers },
  replies: { 200: { says: 'The group.', schema: 'group' }, 404: 'Group not found' },
  handler: async ({ params, services }) => {
    const [found] = await readGroups(services.database.reader, params.repo_id, { id: params.id }, params.with_members);
    if (found === undefined) throw fail('not_found', 'Group not found');
    return jsonText(found);
  },
});

const update = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/groups/:id',
  area: 'groups',
  summary: 'Replace one group',
  doc: 'Members and permissions are full lists; with_members=false leaves the members alone.',
  access,
  parameters: { repo_id: repositoryId(), id: id(), with_members: withMembers },
  body: recordBody('group', 'update'),
  replies: { 200: { says: 'Updated.', schema: 'updated' }, 404: 'Group not found', 409: 'Another update came first.' },
  handler: async (call) => {
    const { body, params, services } = call;
    const written = await changeAccess(services, (tx) =>
      updateGroup(tx, params.id, body.prepared, body.lockVersion, params.with_members, contextOf(call, params.repo_id)),
    );
    return updatedReply(group, written);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/repositories/:repo_id/groups/:id',
  area: 'groups',
  summary: 'Delete one group',
  access,
  parameters: { repo_id: repositoryId(), id: id() },
  replies: { 200: { says: 'Deleted.', schema: 'deleted' }, 404: 'Group not found' },
  handler: async ({ params, services, caller }) => {
    await changeAccess(services, (tx) => deleteGroup(tx, params.id, params.repo_id, caller.username));
    return deletedReply(params.id);
  },
});

/** The routes of this file. */
export const groupRoutes: readonly Route[] = [create, list, read, update, remove];
