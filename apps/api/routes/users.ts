// Users: create, read, list, update, delete, switch on and off (contract 2.3).
import { shape } from '../openapi/shape.ts';
import { created, deleted, updated } from '../openapi/shapes/envelopes.ts';
import { user } from '#domain/kinds/user.ts';
import { can } from '#domain/access/caller.ts';
import { isAdministrator, noUser } from '#store/access/grants.ts';
import { groupUrisOf, setGroupsOf } from '#store/access/groups.ts';
import { listAllIds, listIdSet, listPage } from '#store/records/reading/list.ts';
import { completeUsernames } from '#store/access/usernames.ts';
import { createUser, deleteUser, readUser, readUsers, setActive, updateUser } from '#store/access/users.ts';
import {
  agentContext,
  changeAccess,
  demandCurrentPassword,
  denied,
  groupsByRepository,
  hashNewPassword,
  refuseAdministrator,
} from '../access/accounts.ts';
import { audit } from '../access/audit.ts';
import { demandStillProven } from '../access/prove-login.ts';
import { recordBody } from '../request/body.ts';
import { listParameters, toListOrder, toPage, toPagination, toSorting, toWindow } from '../request/pagination.ts';
import { id, listOf, repositoryId, text } from '../request/parameters.ts';
import { createdReply, deletedReply, updatedReply } from '../reply/envelopes.ts';
import { jsonPage, jsonPieces, jsonText } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { versionToDelete, withVersion } from '../record-routes/if-match.ts';
import { withRefsResolved } from '../record-routes/viewing.ts';
import { ofRelease, userWithPermissions } from './login.ts';
import { changePassword, currentPassword } from './own-password.ts';

const theUser = { says: 'The user, with permissions.', shape: shape.record('user') };

const create = defineRoute({
  method: 'POST',
  path: '/users',
  operation: 'createUser',
  area: 'users',
  summary: 'Create a user',
  doc: 'Needs manage_users, unless self registration is on (MUNIMENT_SELF_REGISTRATION). A person agent is made from the name. `password` goes in the query string.',
  access: {
    check: (call) => call.services.config.MUNIMENT_SELF_REGISTRATION || can(call.caller, 'manage_users', null),
    says: 'manage_users, or anybody where self registration is on',
  },
  parameters: {
    password: text({ doc: 'Password of the new user.', example: 'correct horse' }),
    groups: listOf(text())({ default: [], doc: 'Uris of groups that the user joins.' }),
  },
  body: recordBody('user', 'create'),
  replies: {
    200: { says: 'Created.', shape: created },
    400: 'The name is in use, or the body is not valid.',
    404: 'Group not found',
  },
  handler: async (call) => {
    const { body, params, caller, services } = call;
    if (body.prepared.body['is_admin'] === true && !can(caller, 'administer_system', null)) throw denied();
    const groups = groupsByRepository(params.groups);
    if ([...groups.keys()].some((repoId) => !can(caller, 'manage_repository', repoId))) throw denied();
    const username = String(body.prepared.body['username'] ?? '');
    const isOwn = !can(caller, 'manage_users', null);
    const hash = await hashNewPassword(services, { password: params.password, username, isOwn });
    const written = await changeAccess(services, async (tx) => {
      const made = await createUser(tx, body.prepared, hash, agentContext(caller, services));
      // One connection runs one statement at a time; a new user joins the groups of a few repositories at most.
      await [...groups].reduce(
        (before, [repoId, ids]) => before.then(() => setGroupsOf(tx, made.id, repoId, ids, caller)),
        Promise.resolve(),
      );
      const isAdmin = body.prepared.body['is_admin'] === true;
      const details = { username, is_admin: isAdmin, groups: params.groups };
      await audit(tx, call, { event: 'user_created', subject: `/users/${made.id}`, details });
      return made;
    });
    return createdReply(user, written);
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/users',
  operation: 'listUsers',
  area: 'users',
  summary: 'List users',
  doc: 'Hidden users of the system are left out. Permissions are in single reads alone.',
  access: 'public',
  parameters: listParameters,
  replies: {
    200: {
      says: 'With page: a page wrapper; with id_set: an array; with all_ids: ids.',
      shape: shape.listing(shape.record('user')),
    },
  },
  handler: async (call) => {
    const { reader } = call.services.database;
    const order = toListOrder(call.params);
    const filter = { kind: user, repoId: null, modifiedSince: order.modifiedSince, viewer: { seesSuppressed: false } };
    const shown = async (ids: readonly number[]): Promise<IteratorObject<string>> => {
      const users = await readUsers(reader, ids);
      return withRefsResolved(
        { ...call, repoId: null },
        call.params.resolve,
        JSON.stringify(users.map(({ record }) => ofRelease(record, call.release))),
      );
    };
    const sorting = toSorting(user, order);
    const pagination = toPagination(call.params);
    if (pagination.kind === 'all_ids') return jsonText(JSON.stringify(await listAllIds(reader, filter, sorting)));
    if (pagination.kind === 'id_set') {
      const found = await listIdSet(reader, filter, pagination.ids, sorting);
      return jsonPieces(await shown(found.map((record) => record.row.id)));
    }
    const page = await listPage(reader, filter, { ...sorting, ...toWindow(pagination) });
    const results = await shown(page.records.map((record) => record.row.id));
    return jsonPage(toPage(pagination.page, pagination.pageSize, page.total, []), results);
  },
});

const complete = defineRoute({
  method: 'GET',
  path: '/users/complete',
  operation: 'completeUserNames',
  area: 'users',
  summary: 'User names that begin with a text',
  access: 'public',
  parameters: { query: text({ doc: 'The beginning.' }) },
  replies: { 200: { says: 'At most 50 names, sorted.', shape: shape.list(shape.text), example: ['archivist'] } },
  handler: async ({ params, services }) => completeUsernames(services.database.reader, params.query),
});

const read = defineRoute({
  method: 'GET',
  path: '/users/:id',
  operation: 'getUser',
  area: 'users',
  summary: 'Read one user',
  access: { all: ['manage_users'] },
  parameters: { id: id() },
  replies: { 200: theUser, 404: "User wasn't found" },
  handler: async ({ params, services }) => userWithPermissions(services, params.id),
});

const readInRepository = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/users/:id',
  operation: 'getUserInRepository',
  area: 'users',
  summary: 'Read one user with the groups of a repository',
  access: { all: ['manage_repository'] },
  parameters: { repo_id: repositoryId(), id: id() },
  replies: {
    200: { says: 'The user, with the uris of its groups in this repository.', shape: shape.record('user') },
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
  operation: 'updateUser',
  area: 'users',
  summary: 'Update a user',
  doc: "Users may update themselves, but neither their name nor whether they are administrators. Others need manage_users; to make or unmake an administrator needs administer_system, and nobody does it to the account in use. A new password of one's own needs the current one.",
  access: 'session',
  parameters: {
    id: id(),
    password: text({ optional: true, doc: 'A new password.' }),
    current_password: currentPassword,
  },
  body: recordBody('user', 'update'),
  replies: {
    200: { says: 'Updated.', shape: updated },
    404: "User wasn't found",
    409: 'Another update came first, or nobody would be left to administer the service.',
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
    const isAdmin = isAdministrator((await readUser(database.reader, params.id)).grants);
    const wanted = body.unasked?.has('is_admin') === true ? isAdmin : body.prepared.body['is_admin'] === true;
    if (!isSelf && wanted !== isAdmin && !isAdministering) throw denied();
    const proven =
      isSelf && params.password !== null ? await demandCurrentPassword(call, params.current_password) : null;
    const given = params.password === null ? null : { password: params.password, username: sent, isOwn: isSelf };
    const hash = given === null ? null : await hashNewPassword(services, given);
    const written = await changeAccess(services, async (tx) => {
      if (proven !== null) await demandStillProven(tx, proven, 'change');
      const made = await updateUser(
        tx,
        params.id,
        body.prepared,
        body.lockVersion,
        isSelf || wanted === isAdmin ? null : wanted,
        agentContext(caller, services),
      );
      const isChanged = !isSelf && wanted !== isAdmin;
      const details = { username: sent, ...(isChanged ? { is_admin: wanted } : {}) };
      await audit(tx, call, { event: 'user_updated', subject: `/users/${params.id}`, details });
      if (hash !== null) await changePassword(tx, call, params.id, hash, session?.token ?? null);
      return made;
    });
    return updatedReply(user, written);
  },
});

const switching = (word: 'activate' | 'deactivate'): Route =>
  defineRoute({
    method: 'GET',
    path: `/users/:id/${word}`,
    operation: word === 'activate' ? 'activateUser' : 'deactivateUser',
    area: 'users',
    summary: word === 'activate' ? 'Let a user log in' : 'Keep a user from logging in',
    doc: 'Changes the user although it is a GET; the sessions of a deactivated user end, and jobs that wait fail when they come to their turn.',
    access: { all: ['manage_users'] },
    parameters: { id: id() },
    replies: {
      200: theUser,
      404: "User wasn't found",
      ...(word === 'deactivate' ? { 409: 'Nobody would be left to administer the service.' } : {}),
    },
    handler: async (call) => {
      const { params, services, caller, log } = call;
      await refuseAdministrator(call, params.id);
      await changeAccess(services, async (tx) => {
        await setActive(tx, params.id, word === 'activate', caller.username);
        await audit(tx, call, { event: `user_${word}d`, subject: `/users/${params.id}` });
      });
      log.warn({ event: `user_${word}d`, user_id: params.id, by: caller.username });
      return userWithPermissions(services, params.id);
    },
  });

const remove = defineRoute({
  method: 'DELETE',
  path: '/users/:id',
  operation: 'deleteUser',
  area: 'users',
  summary: 'Delete one user',
  doc: 'With password, memberships and agent; jobs go to admin, but for those that have not begun, which are canceled. Users of the system cannot be deleted.',
  access: { all: ['manage_users'] },
  parameters: { id: id() },
  replies: {
    200: { says: 'Deleted.', shape: deleted },
    403: 'A user of the system.',
    404: "User wasn't found",
    409: 'Nobody would be left to administer the service.',
  },
  handler: async (call) => {
    const { params, services, caller } = call;
    if (params.id === 0) throw noUser();
    await refuseAdministrator(call, params.id);
    const version = await versionToDelete(user, call);
    await withVersion(() =>
      changeAccess(services, async (tx) => {
        await deleteUser(tx, params.id, caller.username, version);
        await audit(tx, call, { event: 'user_deleted', subject: `/users/${params.id}` });
      }),
    );
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
  switching('activate'),
  switching('deactivate'),
  remove,
];
