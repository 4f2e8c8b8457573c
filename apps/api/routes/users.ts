// Users: create, read, list, update, delete, switch on and off, groups, passwords (contract 2.3).
import { fail } from '#domain/errors.ts';
import { user } from '#domain/kinds/user.ts';
import { can } from '#domain/access/caller.ts';
import { isAdministrator } from '#store/access/grants.ts';
import { groupUrisOf, setGroupsOf } from '#store/access/groups.ts';
import { listAllIds, listIdSet, listPage, sortFields } from '#store/records/reading/list.ts';
import {
  completeUsernames,
  createUser,
  deleteUser,
  noUser,
  readUser,
  readUsers,
  setActive,
  setPassword,
  updateUser,
} from '#store/access/users.ts';
import {
  agentContext,
  changeAccess,
  denied,
  groupsByRepository,
  hashNewPassword,
  refuseAdministrator,
} from '../access/accounts.ts';
import { recordBody } from '../request/body.ts';
import { listParameters, toListOrder, toPage, toPagination } from '../request/pagination.ts';
import { boolean, id, listOf, repositoryId, text } from '../request/parameters.ts';
import { createdReply, deletedReply, updatedReply } from '../reply/envelopes.ts';
import { jsonText } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { withRefsResolved } from '../record-routes/viewing.ts';
import { ofRelease, userWithPermissions } from './login.ts';

const create = defineRoute({
  method: 'POST',
  path: '/users',
  area: 'users',
  summary: 'Create a user',
  doc: 'Needs manage_users, unless self registration is on (MUNIMENT_SELF_REGISTRATION). A person agent is made from the name. `password` goes in the query string.',
  access: {
    check: (call) => call.services.config.MUNIMENT_SELF_REGISTRATION || can(call.caller, 'manage_users', null),
    says: 'manage_users, or anybody where self registration is on',
  },
  parameters: {
    password: text({ doc: 'Password of the new user.' }),
    groups: listOf(text())({ default: [], doc: 'Uris of groups that the user joins.' }),
  },
  body: recordBody('user', 'create'),
  replies: { 200: { says: 'Created.', schema: 'created' }, 400: 'The name is in use, or the body is not valid.' },
  handler: async ({ body, params, caller, services }) => {
    if (body.prepared.body['is_admin'] === true && !can(caller, 'administer_system', null)) throw denied();
    const groups = groupsByRepository(params.groups);
    if ([...groups.keys()].some((repoId) => !can(caller, 'manage_repository', repoId))) throw denied();
    const hash = await hashNewPassword(services, params.password);
    const written = await changeAccess(services, async (tx) => {
      const made = await createUser(tx, body.prepared, hash, agentContext(caller, services));
      // One connection runs one statement at a time; a new user joins the groups of a few repositories at most.
      await [...groups].reduce(
        (before, [repoId, ids]) => before.then(() => setGroupsOf(tx, made.id, repoId, ids, caller)),
        Promise.resolve(),
      );
      return made;
    });
    return createdReply(user, written);
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/users',
  area: 'users',
  summary: 'List users',
  doc: 'Hidden users of the system are left out. Permissions are in single reads alone.',
  access: 'public',
  parameters: listParameters,
  replies: { 200: { says: 'With page: a page wrapper; with id_set: an array; with all_ids: ids.', schema: 'user' } },
  handler: async (call) => {
    const { reader } = call.services.database;
    const order = toListOrder(call.params);
    const filter = { kind: user, repoId: null, modifiedSince: order.modifiedSince, viewer: { seesSuppressed: false } };
    const shown = async (ids: readonly number[]): Promise<string> => {
      const users = await readUsers(reader, ids);
      return withRefsResolved(
        { ...call, repoId: null },
        call.params.resolve,
        JSON.stringify(users.map(({ record }) => ofRelease(record, call.release))),
      );
    };
    const pagination = toPagination(call.params);
    if (pagination.kind === 'all_ids') return jsonText(JSON.stringify(await listAllIds(reader, filter)));
    if (pagination.kind === 'id_set')
      return jsonText(await shown((await listIdSet(reader, filter, pagination.ids)).map((record) => record.row.id)));
    const sortField = sortFields.find((field) => field === order.sortField);
    if (sortField === undefined)
      throw fail('bad_parameter', { sort_field: [`Failed validation -- must be one of: ${sortFields.join(', ')}`] });
    const page = await listPage(reader, filter, {
      offset: (pagination.page - 1) * pagination.pageSize,
      limit: pagination.pageSize,
      sortField,
      descending: order.sortDirection === 'desc',
    });
    const wrapper = JSON.stringify(toPage(pagination.page, pagination.pageSize, page.total, []));
    return jsonText(`${wrapper.slice(0, -'[]}'.length)}${await shown(page.records.map((record) => record.row.id))}}`);
  },
});

const complete = defineRoute({
  method: 'GET',
  path: '/users/complete',
  area: 'users',
  summary: 'User names that begin with a text',
  access: 'public',
  parameters: { query: text({ doc: 'The beginning.' }) },
  replies: { 200: { says: 'At most 50 names, sorted.', example: ['archivist'] } },
  handler: async ({ params, services }) => completeUsernames(services.database.reader, params.query),
});

const read = defineRoute({
  method: 'GET',
  path: '/users/:id',
  area: 'users',
  summary: 'Read one user',
  access: { all: ['manage_users'] },
  parameters: { id: id() },
  replies: { 200: { says: 'The user, with permissions.', schema: 'user' }, 404: "User wasn't found" },
  handler: async ({ params, services }) => userWithPermissions(services, params.id),
});

const readInRepository = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/users/:id',
  area: 'users',
  summary: 'Read one user with the groups of a repository',
  access: { all: ['manage_repository'] },
  parameters: { repo_id: repositoryId(), id: id() },
  replies: {
    200: { says: 'The user, with the uris of its groups in this repository.', schema: 'user' },
    404: "User wasn't found",
  },
  handler: async ({ params, services, release }) => {
    const { reader } = services.database;
    const [{ record }, groups] = await Promise.all([
      readUser(reader, params.id),
      groupUrisOf(reader, params.id, params.repo_id),
    ]);
    return { ...ofRelease(record, release), groups };
  },
});

const update = defineRoute({
  method: 'POST',
  path: '/users/:id',
  area: 'users',
  summary: 'Update a user',
  doc: 'Users may update themselves, but neither their name nor whether they are administrators. Others need manage_users; to make or unmake an administrator needs administer_system, and nobody does it to the account in use.',
  access: 'session',
  parameters: { id: id(), password: text({ optional: true, doc: 'A new password.' }) },
  body: recordBody('user', 'update'),
  replies: {
    200: { says: 'Updated.', schema: 'updated' },
    404: "User wasn't found",
    409: 'Another update came first.',
  },
  handler: async (call) => {
    const { body, params, caller, services, session } = call;
    const { database } = services;
    const sent = String(body.prepared.body['username'] ?? '')
      .trim()
      .toLowerCase();
    const isSelf = params.id === caller.userId;
    const isAdministering = can(caller, 'administer_system', null);
    if (!(isSelf && sent === caller.username) && !can(caller, 'manage_users', null)) throw denied();
    if (!isSelf) await refuseAdministrator(call, params.id);
    const wanted = body.prepared.body['is_admin'] === true;
    const isAdmin = isAdministrator((await readUser(database.reader, params.id)).grants);
    if (!isSelf && wanted !== isAdmin && !isAdministering) throw denied();
    const hash = params.password === null ? null : await hashNewPassword(services, params.password);
    const written = await changeAccess(services, async (tx) => {
      const made = await updateUser(
        tx,
        params.id,
        body.prepared,
        body.lockVersion,
        isSelf || wanted === isAdmin ? null : wanted,
        agentContext(caller, services),
      );
      if (hash !== null) await setPassword(tx, params.id, hash);
      return made;
    });
    // A new password ends what the old one opened, but the session that set it.
    if (hash !== null) await services.sessionStore.endAllOf(params.id, session?.token ?? null);
    return updatedReply(user, written);
  },
});

const setGroups = defineRoute({
  method: 'POST',
  path: '/users/:id/groups',
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
  replies: { 200: { says: 'Done.', example: { status: 'OK' } }, 400: 'A group is not of this repository.' },
  handler: async ({ params, services, caller }) => {
    await readUser(services.database.reader, params.id);
    const groups = groupsByRepository(params.groups);
    const foreign = [...groups]
      .filter(([repoId]) => repoId !== params.repo_id)
      .flatMap(([repoId, ids]) => ids.map((each) => `/repositories/${repoId}/groups/${each}`));
    if (foreign.length > 0) throw fail('bad_parameter', { groups: foreign.map((uri) => `Group not found: ${uri}`) });
    await changeAccess(services, (tx) =>
      setGroupsOf(tx, params.id, params.repo_id, groups.get(params.repo_id) ?? [], caller),
    );
    return { status: 'OK' };
  },
});

const switching = (word: 'activate' | 'deactivate'): Route =>
  defineRoute({
    method: 'GET',
    path: `/users/:id/${word}`,
    area: 'users',
    summary: word === 'activate' ? 'Let a user log in' : 'Keep a user from logging in',
    doc: 'Changes the user although it is a GET; the sessions of a deactivated user end.',
    access: { all: ['manage_users'] },
    parameters: { id: id() },
    replies: { 200: { says: 'The user, with permissions.', schema: 'user' }, 404: "User wasn't found" },
    handler: async (call) => {
      const { params, services, caller, log } = call;
      await refuseAdministrator(call, params.id);
      await changeAccess(services, (tx) => setActive(tx, params.id, word === 'activate'));
      log.warn({ event: `user_${word}d`, user_id: params.id, by: caller.username });
      return userWithPermissions(services, params.id);
    },
  });

const ownPassword = defineRoute({
  method: 'POST',
  path: '/users/:id/password',
  area: 'users',
  summary: 'Change the own password',
  doc: 'Ends the sessions of the user, this one too.',
  release: 'R-B',
  access: {
    check: (call) => call.caller.userId !== null && call.caller.userId === call.params.id,
    says: 'the user itself',
  },
  parameters: { id: id(), password: text({ doc: 'The new password.' }) },
  replies: { 200: { says: 'Done.', example: { success: 'password updated' } }, 403: 'Another user.' },
  handler: async ({ params, services }) => {
    const hash = await hashNewPassword(services, params.password);
    await changeAccess(services, (tx) => setPassword(tx, params.id, hash));
    await services.sessionStore.endAllOf(params.id, null);
    return { success: 'password updated' };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/users/:id',
  area: 'users',
  summary: 'Delete one user',
  doc: 'With password, memberships and agent; jobs go to admin. Users of the system cannot be deleted.',
  access: { all: ['manage_users'] },
  parameters: { id: id() },
  replies: { 200: { says: 'Deleted.', schema: 'deleted' }, 403: 'A user of the system.', 404: "User wasn't found" },
  handler: async (call) => {
    const { params, services, caller } = call;
    if (params.id === 0) throw noUser();
    await refuseAdministrator(call, params.id);
    await changeAccess(services, (tx) => deleteUser(tx, params.id, caller.username));
    return deletedReply(params.id);
  },
});

/** The routes of this file. */
export const userRoutes: readonly Route[] = [
  create,
  list,
  complete,
  read,
  readInRepository,
  update,
  setGroups,
  switching('activate'),
  switching('deactivate'),
  ownPassword,
  remove,
];
