import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useState } from 'preact/hooks';
import { isObject, objectOf, objectsIn, objectsOf, textOf, textsOf } from '../../../libs/domain/json.js';
import { query, withQuery } from '../address.js';
import { Fault, Instead, Waiting, useAsked } from '../asking.js';
import { words } from '../labels.js';
import { NoRepository } from '../no-repository.js';
import { RepositoryChoice } from '../repository-choice.js';
import { chosenRepository, readRepositories, repositories } from '../repositories.js';
import { useTitle } from '../title.js';
import { t, time } from '../words.js';
import { may } from '../session.js';
import { loadTypes, useJobsOfNoRepository } from './of-no-repository.js';
import { Progress } from './progress.js';
import { Reindexing } from './reindexing.js';
import { Schedules } from './schedules.js';
import { Status } from './status.js';
import { mayStart } from './may-run.js';
import { j } from './words.js';
const pageSize = 20;
const pauseMs = 2000;
export function JobsView() {
    const [fault, setFault] = useState(null);
    const start = () => {
        setFault(null);
        readRepositories().catch(setFault);
    };
    useEffect(start, []);
    useTitle(t('nav_jobs'));
    if (fault !== null || repositories.value === undefined)
        return _jsx(Instead, { title: t('nav_jobs'), fault: fault, again: start });
    const repository = chosenRepository(true);
    return (_jsxs(_Fragment, { children: [_jsxs("div", { class: "head", children: [_jsx("h1", { children: t('nav_jobs') }), _jsx(RepositoryChoice, { chosen: repository, all: false })] }), repository === null ? _jsx(NoRepository, {}) : _jsx(Jobs, { repository: repository }, repository), _jsx(OfAll, {}), _jsx(Reindexing, {}), may('administer_system', null) && _jsx(Schedules, {})] }));
}
function Jobs({ repository }) {
    const page = Math.max(1, Number(query.value.get('page')) || 1);
    const active = useAsked(`${repository}/jobs/active`);
    const ended = useAsked(`${repository}/jobs/archived`, { page, page_size: pageSize });
    const running = objectsIn(active.value);
    const key = running.map((job) => textOf(job, 'uri')).join(' ');
    useEffect(() => {
        if (running.length === 0)
            return undefined;
        const timer = setTimeout(active.again, pauseMs);
        return () => clearTimeout(timer);
    }, [active.value]);
    useEffect(() => {
        if (active.value !== undefined)
            ended.again();
    }, [key]);
    const last = isObject(ended.value) ? Number(ended.value['last_page'] ?? 1) : 1;
    const done = isObject(ended.value) ? objectsOf(ended.value, 'results') : [];
    return (_jsxs(_Fragment, { children: [active.fault !== null && _jsx(Fault, { fault: active.fault, again: active.again }), running.length > 0 && _jsx(Table, { title: t('jobs_active'), jobs: running }), ended.fault !== null && _jsx(Fault, { fault: ended.fault, again: ended.again }), ended.value === undefined && ended.isWaiting && _jsx(Waiting, {}), done.length > 0 && _jsx(Table, { title: t('jobs_ended'), jobs: done }), ended.value !== undefined && active.value !== undefined && running.length + done.length === 0 && (_jsxs("p", { class: "empty", children: [t('no_jobs'), " ", mayStart('import_job', repository) && _jsx("a", { href: "/console/import", children: t('nav_import') })] })), last > 1 && (_jsxs("nav", { class: "pages", "aria-label": t('pages'), children: [page > 1 && (_jsx("a", { rel: "prev", href: toPage(page - 1), children: t('previous') })), _jsx("span", { children: t('page_of', { page, last }) }), page < last && (_jsx("a", { rel: "next", href: toPage(page + 1), children: t('next') }))] }))] }));
}
function OfAll() {
    const { jobs = [] } = useJobsOfNoRepository((type) => !shownElsewhere.has(type));
    if (jobs.length === 0)
        return null;
    return _jsx(Table, { title: j('of_all'), jobs: jobs.slice(0, pageSize) });
}
const shownElsewhere = new Set(['reindex', ...loadTypes]);
function toPage(page) {
    const address = withQuery({});
    return `${address}${address.includes('?') ? '&' : '?'}page=${page}`;
}
function Table({ title, jobs }) {
    return (_jsx("div", { class: "wide", role: "region", "aria-label": title, tabIndex: 0, children: _jsxs("table", { class: "jobs", children: [_jsx("caption", { children: title }), _jsx("thead", { children: _jsxs("tr", { children: [_jsx("th", { scope: "col", children: t('job') }), _jsx("th", { scope: "col", children: t('p_status') }), _jsx("th", { scope: "col", children: t('job_owner') }), _jsx("th", { scope: "col", children: t('job_submitted') })] }) }), _jsx("tbody", { children: jobs.map((job) => (_jsxs("tr", { children: [_jsx("th", { scope: "row", children: _jsx("a", { href: `/console/job${textOf(job, 'uri') ?? ''}`, children: jobName(job) }) }), _jsxs("td", { children: [_jsx(Status, { status: textOf(job, 'status') ?? '' }), _jsx(Progress, { progress: objectOf(job, 'progress') })] }), _jsx("td", { children: _jsx("bdi", { children: textOf(job, 'owner') ?? '–' }) }), _jsx("td", { children: time(textOf(job, 'time_submitted')) })] }, textOf(job, 'uri')))) })] }) }));
}
const mostNames = 2;
const namesOf = (names) => names.length <= mostNames
    ? names.join(', ')
    : j('and_more', { first: names.slice(0, mostNames).join(', '), count: names.length - mostNames });
export function jobName(job) {
    const asked = objectOf(job, 'job');
    const about = textOf(asked, 'report_type') ?? namesOf(textsOf(asked, 'filenames'));
    const type = words((textOf(job, 'job_type') ?? '').replaceAll('-', '_'));
    return about === '' ? type : `${type}: ${about}`;
}
