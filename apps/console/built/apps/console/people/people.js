import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useState } from 'preact/hooks';
import { isObject, objectsIn, objectsOf, textOf, textsOf } from '../../../libs/domain/json.js';
import { Fault, Instead, Waiting, useAsked } from '../asking.js';
import { permissionName, readNames } from '../labels.js';
import { Pager } from '../pager.js';
import { NoRepository } from '../no-repository.js';
import { RepositoryChoice } from '../repository-choice.js';
import { chosenRepository, readRepositories, repositories, repositoryName } from '../repositories.js';
import { may, service } from '../session.js';
import { Table } from '../table.js';
import { useTitle } from '../title.js';
import { t } from '../words.js';
import { say } from './words.js';
const pageSize = 25;
const everywhere = '/repositories/1';
export function PeopleView() {
    const [fault, setFault] = useState(null);
    const start = () => {
        setFault(null);
        readRepositories().catch(setFault);
    };
    useEffect(start, []);
    useEffect(readNames, []);
    useTitle(t('nav_people'));
    if (fault !== null || repositories.value === undefined)
        return _jsx(Instead, { title: t('nav_people'), fault: fault, again: start });
    const repository = chosenRepository(true);
    return (_jsxs(_Fragment, { children: [_jsxs("div", { class: "head", children: [_jsx("h1", { children: t('nav_people') }), _jsx(RepositoryChoice, { chosen: repository, all: false })] }), repository !== null && may('manage_repository', repository) ? (_jsx(Groups, { repository: repository }, repository)) : (_jsx(_Fragment, { children: repository === null ? _jsx(NoRepository, {}) : _jsx("p", { class: "empty", children: say('denied') }) })), may('manage_users', null) && _jsx(Users, {})] }));
}
async function readGroups(place) {
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
const nameOf = ({ code, place }) => (place === everywhere ? `${code} (${say('everywhere')})` : code);
function Groups({ repository }) {
    const [groups, setGroups] = useState();
    const [fault, setFault] = useState(null);
    const permissions = useAsked('/permissions', { level: 'all' });
    const start = () => {
        setFault(null);
        const places = may('manage_repository', null) ? [everywhere, repository] : [repository];
        Promise.all(places.map(readGroups)).then((found) => setGroups(found.flat()), setFault);
    };
    useEffect(start, [repository]);
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: start });
    if (permissions.fault !== null)
        return _jsx(Fault, { fault: permissions.fault, again: permissions.again });
    if (groups === undefined || permissions.value === undefined)
        return _jsx(Waiting, {});
    const known = objectsIn(permissions.value).map((each) => ({
        code: textOf(each, 'permission_code') ?? '',
        says: textOf(each, 'description') ?? '',
    }));
    return (_jsxs(_Fragment, { children: [_jsxs("section", { "aria-labelledby": "groups", children: [_jsx("h2", { id: "groups", children: say('groups') }), _jsx("p", { class: "hint", children: say('groups_hint') }), _jsx(Table, { title: `${say('groups')}: ${repositoryName(repository)}`, columns: [say('permission'), ...groups.map(nameOf)], isNamed: true, rows: known.map(({ code, says }) => [
                            _jsx("span", { title: says, children: permissionName(code) }, "code"),
                            ...groups.map((group) => group.grants.has(code) ? (_jsx("span", { class: "granted", role: "img", "aria-label": say('granted'), children: "\u2713" }, nameOf(group))) : ('')),
                        ]) })] }), _jsxs("section", { "aria-labelledby": "members", children: [_jsx("h2", { id: "members", children: say('members') }), _jsx(Table, { title: say('members'), columns: [say('group'), say('users')], isNamed: true, rows: groups.map((group) => [
                            nameOf(group),
                            group.members.length === 0 ? (_jsx("span", { class: "soft", children: say('nobody') }, "none")) : (group.members.join(', ')),
                        ]) })] })] }));
}
function Users() {
    const [page, setPage] = useState(1);
    const { value, fault, again } = useAsked('/users', { page, page_size: pageSize });
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    const users = isObject(value) ? objectsOf(value, 'results') : [];
    const last = isObject(value) ? Number(value['last_page'] ?? 1) : 1;
    return (_jsxs("section", { "aria-labelledby": "users", children: [_jsx("h2", { id: "users", children: say('users') }), _jsx(Table, { title: say('users'), columns: [say('user'), say('name'), say('kind')], isNamed: true, rows: users.map((user) => [
                    _jsx("bdi", { children: textOf(user, 'username') ?? '' }, "user"),
                    _jsx("bdi", { children: textOf(user, 'name') ?? '' }, "name"),
                    sortOf(user),
                ]) }), _jsx(Pager, { label: say('users'), page: page, last: last, onTurn: setPage })] }));
}
const sortOf = (user) => [
    ...(user['is_admin'] === true ? [say('administrator')] : []),
    ...(user['is_system_user'] === true ? [say('system')] : []),
    ...(user['is_active_user'] === false ? [say('inactive')] : []),
].join(', ');
