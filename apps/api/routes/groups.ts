// Groups of a repository: members and permissions (contract 2.5).
import { shape } from '../openapi/shape.ts';
import { created, deleted, done, updated } from '../openapi/shapes/envelopes.ts';
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { group } from '#domain/kinds/group.ts';
import { createGroup, deleteGroup, groupUrisOf, readGroups, setGroupsOf, updateGroup } from '#store/access/groups.ts';
import type { GroupContext } from '#store/access/groups.ts';
import { readUser } from '#store/access/users.ts';
import type { Transaction } from '#store/connection/database.ts';
import { changeAccess, groupsByRepository } from '../access/accounts.ts';
import type { Audited } from '../access/audit.ts';
import { audit } from '../access/audit.ts';
import type { GroupState } from '../access/group-changes.ts';
import { groupChanges, groupState } from '../access/group-changes.ts';
import { recordBody } from '../request/body.ts';
import { modifiedSince } from '../request/pagination.ts';
import { boolean, id, listOf, repositoryId, text } from '../request/parameters.ts';
import { createdReply, deletedReply, updatedReply } from '../reply/envelopes.ts';
import { jsonText } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { versionToDelete, withVersion } from '../record-routes/if-match.ts';
import type { Seeing } from '../record-routes/viewing.ts';
import { writeContext } from '../record-routes/viewing.ts';

const access = { all: ['manage_repository'] } as const;
const withMembers = boolean({
  default: true,
  blank: 'absent',
  doc: 'Whether the members are meant too.',
});

const contextOf = (call: Seeing, repoId: number): GroupContext => ({
  ...writeContext(call),
  repoId,
  caller: call.caller,
});

async function auditGroup(
  tx: Transaction,
  call: Audited,
  event: 'group_created' | 'group_updated' | 'group_deleted',
  repoId: number,
  id: number,
  before: GroupState,
): Promise<void> {
  const details = groupChanges(before, await groupState(tx, repoId, id));
  await audit(tx, call, { event, subject: uriOf(group, id, repoId), details });
}

const create = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/groups',
  operation: 'createGroup',
  area: 'groups',
  summary: 'Create one group',
  doc: 'Only permissions that the caller holds can be given.',
  access,
  parameters: { repo_id: repositoryId() },
  body: recordBody('group', 'create'),
  replies: {
    200: { says: 'Created.', shape: created },
    400: 'The code is taken, or a member or permission is unknown.',
    403: 'A permission that the caller may not give.',
  },
  handler: async (call) =>
    createdReply(
      group,
      await changeAccess(call.services, async (tx) => {
        const { repo_id: repoId } = call.params;
        const written = await createGroup(tx, call.body.prepared, contextOf(call, repoId));
        await auditGroup(tx, call, 'group_created', repoId, written.id, { code: '', grants: [], members: [] });
        return written;
      }),
    ),
});

const list = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/groups',
  operation: 'listGroups',
  area: 'groups',
  summary: 'List groups',
  doc: 'All groups of the repository, with permissions and without members.',
  access,
  parameters: {
    repo_id: repositoryId(),
    group_code: text({ optional: true, doc: 'Only the group of this code.' }),
    modified_since: modifiedSince,
  },
  replies: { 200: { says: 'An array of groups.', shape: shape.list(shape.record('group')) } },
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
  operation: 'getGroup',
  area: 'groups',
  summary: 'Read one group',
  access,
  parameters: { repo_id: repositoryId(), id: id(), with_members: withMembers },
  replies: { 200: { says: 'The group.', shape: shape.record('group') }, 404: 'Group not found' },
  handler: async ({ params, services }) => {
    const [found] = await readGroups(services.database.reader, params.repo_id, { id: params.id }, params.with_members);
    if (found === undefined) throw fail('not_found', 'Group not found');
    return jsonText(found);
  },
});

const update = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/groups/:id',
  operation: 'updateGroup',
  area: 'groups',
  summary: 'Replace one group',
  doc: 'Members and permissions are full lists; with_members=false leaves the members alone.',
  access,
  parameters: { repo_id: repositoryId(), id: id(), with_members: withMembers },
  body: recordBody('group', 'update'),
  replies: {
    200: { says: 'Updated.', shape: updated },
    404: 'Group not found',
    409: 'Another update came first, or nobody would be left to administer the service.',
  },
  handler: async (call) => {
    const { body, params, services } = call;
    const { repo_id: repoId } = params;
    const members = params.with_members && body.unasked?.has('member_usernames') !== true;
    const written = await changeAccess(services, async (tx) => {
      const before = await groupState(tx, repoId, params.id);
      const made = await updateGroup(tx, params.id, body.prepared, body.lockVersion, members, contextOf(call, repoId));
      await auditGroup(tx, call, 'group_updated', repoId, params.id, before);
      return made;
    });
    return updatedReply(group, written);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/repositories/:repo_id/groups/:id',
  operation: 'deleteGroup',
  area: 'groups',
  summary: 'Delete one group',
  access,
  parameters: { repo_id: repositoryId(), id: id() },
  replies: {
    200: { says: 'Deleted.', shape: deleted },
    404: 'Group not found',
    409: 'Nobody would be left to administer the service.',
  },
  handler: async (call) => {
    const { params, services, caller } = call;
    const version = await versionToDelete(group, call);
    await withVersion(() =>
      changeAccess(services, async (tx) => {
        const before = await groupState(tx, params.repo_id, params.id);
        await deleteGroup(tx, params.id, params.repo_id, caller.username, version);
        await auditGroup(tx, call, 'group_deleted', params.repo_id, params.id, before);
      }),
    );
    return deletedReply(params.id);
  },
});

const setGroupsOfUser = defineRoute({
  method: 'POST',
  path: '/users/:id/groups',
  operation: 'setUserGroups',
  area: 'users',
  summary: 'Set the groups of a user in a repository',
  doc: 'The list replaces all groups that the user has in this repository; groups of other repositories are refused.',
  access: { all: ['manage_repository'] },
  parameters: {
    id: id(),
    groups: listOf(text())({ default: [], doc: 'Uris of the groups.' }),
    remove_groups: boolean({ doc: 'Must be given; its value is not used.' }),
    repo_id: repositoryId(),
  },
  replies: {
    200: { says: 'Done.', shape: done('OK') },
    400: 'A group is not of this repository.',
    404: 'Group not found',
    409: 'Nobody would be left to administer the service.',
  },
  handler: async (call) => {
    const { params, services, caller } = call;
    await readUser(services.database.reader, params.id);
    const groups = groupsByRepository(params.groups);
    const foreign = [...groups]
      .filter(([repoId]) => repoId !== params.repo_id)
      .flatMap(([repoId, ids]) => ids.map((each) => `/repositories/${repoId}/groups/${each}`));
    if (foreign.length > 0) throw fail('bad_parameter', { groups: foreign.map((uri) => `Group not found: ${uri}`) });
    await changeAccess(services, async (tx) => {
      const before = await groupUrisOf(tx, params.id, params.repo_id);
      await setGroupsOf(tx, params.id, params.repo_id, groups.get(params.repo_id) ?? [], caller);
      const details = { before, after: await groupUrisOf(tx, params.id, params.repo_id) };
      await audit(tx, call, { event: 'user_groups_changed', subject: `/users/${params.id}`, details });
    });
    return { status: 'OK' };
  },
});

/** The routes of this file. */
export const groupRoutes: readonly Route[] = [create, list, read, update, remove, setGroupsOfUser];
