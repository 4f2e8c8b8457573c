import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { path } from './address.js';
import { Fault, Waiting } from './asking.js';
import { Languages } from './languages.js';
import { Login, LoginAgain } from './login.js';
import { readRepositories } from './repositories.js';
import { said } from './saying.js';
import { hasEnded, logOut, may, mayAnywhere, readSession, user } from './session.js';
import { useView } from './view.js';
import { isWord, language, t } from './words.js';
const views = [
    ['/record/', 'nav_find', async () => (await import('./record/record.js')).RecordView],
    ['/edit/', 'edit', async () => (await import('./edit/edit.js')).EditView],
    ['/new/', 'new_record', async () => (await import('./edit/edit.js')).NewView],
    ['/tree/', 'tree', async () => (await import('./tree/tree.js')).TreeView],
    ['/jobs', 'nav_jobs', async () => (await import('./jobs/jobs.js')).JobsView],
    ['/job/', 'nav_jobs', async () => (await import('./jobs/job.js')).JobView],
    ['/health', 'nav_health', async () => (await import('./health/health.js')).HealthView],
    ['/people', 'nav_people', async () => (await import('./people/people.js')).PeopleView],
    ['/import', 'nav_import', async () => (await import('./import/import.js')).ImportView],
    ['/moving-in', 'nav_moving', async () => (await import('./moving-in/moving-in.js')).MovingInView],
    ['', 'nav_find', async () => (await import('./finding/search.js')).SearchView],
];
const NoView = () => (_jsxs(_Fragment, { children: [_jsx("h1", { children: t('no_view') }), _jsxs("p", { children: [t('no_view_more'), " ", _jsx("a", { href: "/console", children: t('nav_find') })] })] }));
const noView = ['no view', 'no_view', async () => NoView];
const navigation = [
    ['/console', 'nav_find'],
    ['/console/jobs', 'nav_jobs'],
    ['/console/import', 'nav_import', () => mayAnywhere('create_job', 'import_records')],
    ['/console/people', 'nav_people', () => mayAnywhere('manage_repository') || mayAnywhere('manage_users')],
    ['/console/health', 'nav_health', () => may('administer_system', null)],
    ['/console/moving-in', 'nav_moving', () => may('administer_system', null)],
];
export function Frame() {
    const [fault, setFault] = useState(null);
    const start = () => {
        setFault(null);
        readSession().then(() => {
            if (user.value)
                readRepositories().catch(() => undefined);
        }, setFault);
    };
    useLayoutEffect(start, []);
    useSignalEffect(() => {
        document.documentElement.lang = language.value;
    });
    if (fault !== null)
        return (_jsx("main", { class: "alone", children: _jsx(Fault, { fault: fault, again: start }) }));
    if (user.value === undefined)
        return (_jsx("main", { class: "alone", children: _jsx(Waiting, {}) }));
    if (user.value === null)
        return _jsx(Login, {});
    return (_jsxs(_Fragment, { children: [_jsx("a", { class: "skip", href: "#main", children: t('skip') }), _jsxs("header", { children: [_jsx("a", { class: "brand", href: "/console", children: "Muniment" }), _jsxs("nav", { "aria-label": t('nav'), children: [navigation
                                .filter(([, , isOffered]) => isOffered?.() ?? true)
                                .map(([address, word]) => (_jsx("a", { href: address, ...(isHere(address) ? { 'aria-current': 'page' } : {}), children: t(word) }, address))), _jsx("a", { href: "/docs", children: t('nav_api') })] }), _jsxs("div", { class: "who", children: [_jsx(Languages, {}), _jsx("span", { class: "name", children: user.value.username }), _jsx("button", { type: "button", onClick: () => void logOut().catch(setFault), children: t('log_out') })] })] }), _jsx(Main, {}), _jsx("p", { class: "hidden", role: "status", id: "said", children: said.value }), hasEnded.value && _jsx(LoginAgain, { username: user.value.username })] }));
}
const isBelow = (beginning) => beginning.endsWith('/')
    ? path.value.startsWith(beginning)
    : path.value === beginning || (beginning !== '' && path.value.startsWith(`${beginning}/`));
function isHere(address) {
    const here = `/console${path.value}`;
    if (address === '/console')
        return here === address || /^\/console\/(record|tree|edit|new)\//.test(here);
    return here.startsWith(address) || (address === '/console/jobs' && here.startsWith('/console/job/'));
}
function Main() {
    const main = useRef(null);
    const before = useRef(path.value);
    const [beginning, title, load] = views.find(([each]) => isBelow(each)) ?? noView;
    const { View, fault, again } = useView(beginning, load);
    useEffect(() => {
        if (before.current !== path.value)
            main.current?.focus({ preventScroll: true });
        before.current = path.value;
    }, [path.value]);
    const rest = path.value.slice(beginning.replace(/\/$/, '').length);
    return (_jsx("main", { id: "main", tabIndex: -1, ref: main, "aria-label": t(isWord(title) ? title : 'nav_find'), children: fault !== null ? (_jsxs(_Fragment, { children: [_jsx("h1", { class: "hidden", children: t(isWord(title) ? title : 'nav_find') }), _jsx(Fault, { fault: fault, again: again })] })) : View === null ? (_jsx(Waiting, {})) : (_jsx(View, { rest: rest }, beginning === '' ? '' : path.value)) }));
}
