// Who may do what: the permissions of the groups of a repository as a matrix, who is in them, and the users of the installation.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsIn, objectsOf, textOf, textsOf } from '../../../libs/domain/json.ts';
import { Fault, Instead, Waiting, useAsked } from '../asking.tsx';
import { permissionName, readNames } from '../labels.ts';
import { Pager } from '../pager.tsx';
import { NoRepository } from '../no-repository.tsx';
import { RepositoryChoice } from '../repository-choice.tsx';
import { chosenRepository, readRepositories, repositories, repositoryName } from '../repositories.ts';
import { may, service } from '../session.ts';
import { Table } from '../table.tsx';
import { useTitle } from '../title.ts';
import { t } from '../words.ts';
import { say } from './words.ts';

const pageSize = 25;
const everywhere = '/repositories/1';

/** The view of people. */
export function PeopleView(): JSX.Element {
  const [fault, setFault] = useState<unknown>(null);
  const start = (): void => {
    setFault(null);
    readRepositories().catch(setFault);
  };
  useEffect(start, []);
  useEffect(readNames, []);
  useTitle(t('nav_people'));
  if (fault !== null || repositories.value === undefined)
    return <Instead title={t('nav_people')} fault={fault} again={start} />;
  const repository = chosenRepository(true);
  return (
    <>
      <div class="head">
        <h1>{t('nav_people')}</h1>
        <RepositoryChoice chosen={repository} all={false} />
      </div>
      {repository !== null && may('manage_repository', repository) ? (
        <Groups key={repository} repository={repository} />
      ) : (
        <>{repository === null ? <NoRepository /> : <p class="empty">{say('denied')}</p>}</>
      )}
      {may('manage_users', null) && <Users />}
    </>
  );
}

/** A group, with where it holds. */
type Group = {
  readonly code: string;
  readonly place: string;
  readonly grants: ReadonlySet<string>;
  readonly members: readonly string[];
};

async function readGroups(place: string): Promise<readonly Group[]> {
  const list = await service.ask(`${place}/groups`);
  const uris = objectsIn(list).map((group) => textOf(group, 'uri') ?? '');
  const found = await Promise.all(uris.map((uri) => service.ask(uri, { query: { with_members: true } })));
  return found.filter(isObject).map((group) => ({
    code: textOf(group, 'group_code') ?? '',
    place,
    grants: new Set(textsOf(group, 'grants_permissions')),
    members: textsOf(group, 'member_usernames'),
  }));
}

const nameOf = ({ code, place }: Group): string => (place === everywhere ? `${code} (${say('everywhere')})` : code);

function Groups({ repository }: { readonly repository: string }): JSX.Element {
  const [groups, setGroups] = useState<readonly Group[]>();
  const [fault, setFault] = useState<unknown>(null);
  const permissions = useAsked('/permissions', { level: 'all' });
  const start = (): void => {
    setFault(null);
    const places = may('manage_repository', null) ? [everywhere, repository] : [repository];
    Promise.all(places.map(readGroups)).then((found) => setGroups(found.flat()), setFault);
  };
  useEffect(start, [repository]);
  if (fault !== null) return <Fault fault={fault} again={start} />;
  if (permissions.fault !== null) return <Fault fault={permissions.fault} again={permissions.again} />;
  if (groups === undefined || permissions.value === undefined) return <Waiting />;
  const known = objectsIn(permissions.value).map((each) => ({
    code: textOf(each, 'permission_code') ?? '',
    says: textOf(each, 'description') ?? '',
  }));
  return (
    <>
      <section aria-labelledby="groups">
        <h2 id="groups">{say('groups')}</h2>
        <p class="hint">{say('groups_hint')}</p>
        <Table
          title={`${say('groups')}: ${repositoryName(repository)}`}
          columns={[say('permission'), ...groups.map(nameOf)]}
          isNamed
          rows={known.map(({ code, says }) => [
            <span key="code" title={says}>
              {permissionName(code)}
            </span>,
            ...groups.map((group) =>
              group.grants.has(code) ? (
                <span key={nameOf(group)} class="granted" role="img" aria-label={say('granted')}>
                  ✓
                </span>
              ) : (
                ''
              ),
            ),
          ])}
        />
      </section>
      <section aria-labelledby="members">
        <h2 id="members">{say('members')}</h2>
        <Table
          title={say('members')}
          columns={[say('group'), say('users')]}
          isNamed
          rows={groups.map((group) => [
            nameOf(group),
            group.members.length === 0 ? (
              <span key="none" class="soft">
                {say('nobody')}
              </span>
            ) : (
              group.members.join(', ')
            ),
          ])}
        />
      </section>
    </>
  );
}

/** The users of the installation, page by page. */
function Users(): JSX.Element {
  const [page, setPage] = useState(1);
  const { value, fault, again } = useAsked('/users', { page, page_size: pageSize });
  if (fault !== null) return <Fault fault={fault} again={again} />;
  const users = isObject(value) ? objectsOf(value, 'results') : [];
  const last = isObject(value) ? Number(value['last_page'] ?? 1) : 1;
  return (
    <section aria-labelledby="users">
      <h2 id="users">{say('users')}</h2>
      <Table
        title={say('users')}
        columns={[say('user'), say('name'), say('kind')]}
        isNamed
        rows={users.map((user) => [
          <bdi key="user">{textOf(user, 'username') ?? ''}</bdi>,
          <bdi key="name">{textOf(user, 'name') ?? ''}</bdi>,
          sortOf(user),
        ])}
      />
      <Pager label={say('users')} page={page} last={last} onTurn={setPage} />
    </section>
  );
}

const sortOf = (user: JsonObject): string =>
  [
    ...(user['is_admin'] === true ? [say('administrator')] : []),
    ...(user['is_system_user'] === true ? [say('system')] : []),
    ...(user['is_active_user'] === false ? [say('inactive')] : []),
  ].join(', ');
