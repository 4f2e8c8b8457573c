import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect } from 'preact/hooks';
import { objectsIn, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { Fault, useAsked } from '../asking.js';
import { valueName } from '../labels.js';
import { may } from '../session.js';
import { Table } from '../table.js';
import { t, time } from '../words.js';
import { useJobsOfNoRepository } from './of-no-repository.js';
import { duration, secondsOf, tookOf } from './progress.js';
import { Status } from './status.js';
import { j } from './words.js';
const mostShown = 30;
const pauseMs = 2000;
const [wide, step, height] = [3, 4, 30];
export function Reindexing() {
    const isAdministrator = may('administer_system', null);
    const { jobs, fault, isWaiting, again } = useJobsOfNoRepository((type) => type === 'reindex', isAdministrator || may('index_system', null));
    const schedule = objectsIn(useAsked(isAdministrator ? '/system/schedules' : null).value).find((each) => textOf(each, 'name') === 'reindex');
    const runs = (jobs ?? []).slice(0, mostShown);
    const isBusy = runs.some((run) => ['queued', 'running'].includes(statusOf(run)));
    useEffect(() => {
        if (!isBusy || isWaiting || fault !== null)
            return undefined;
        const timer = setTimeout(again, pauseMs);
        return () => clearTimeout(timer);
    }, [isBusy, isWaiting, fault]);
    if (fault !== null && runs.length === 0)
        return _jsx(Fault, { fault: fault, again: again });
    if (runs.length === 0)
        return null;
    return (_jsxs("section", { class: "runs", "aria-labelledby": "reindexing", children: [_jsx("h2", { id: "reindexing", children: j('reindexing') }), schedule !== undefined && (_jsx("p", { class: "hint", children: j('scheduled', { cron: textOf(schedule, 'cron') ?? '', zone: textOf(schedule, 'timezone') ?? '' }) })), _jsx(Picture, { runs: runs }), _jsxs("details", { children: [_jsx("summary", { children: j('runs') }), _jsx(Table, { title: j('reindexing'), columns: [t('job'), t('p_status'), j('took'), t('job_owner'), t('job_submitted')], isNamed: true, rows: runs.map((run) => [
                            _jsx("a", { href: recordAddress(textOf(run, 'uri') ?? ''), children: j('run', { id: textOf(run, 'uri')?.split('/').at(-1) ?? '' }) }, "uri"),
                            _jsx(Status, { status: statusOf(run) }, "status"),
                            tookOf(run) ?? '–',
                            _jsx("bdi", { children: textOf(run, 'owner') ?? '–' }, "owner"),
                            time(textOf(run, 'time_submitted')),
                        ]) })] })] }));
}
function Picture({ runs }) {
    const [last = {}] = runs;
    const most = Math.max(0, ...runs.map((run) => secondsOf(run) ?? 0));
    const failed = runs.filter((run) => statusOf(run) === 'failed').length;
    const status = valueName('status', statusOf(last));
    return (_jsx("div", { class: "pictures", children: _jsxs("figure", { children: [_jsx("figcaption", { children: j('last', { status }) }), _jsx("span", { class: "now", children: tookOf(last) ?? '–' }), ' ', _jsx("span", { class: "soft", children: j('longest', { time: duration(most) }) }), _jsxs("svg", { viewBox: `0 0 ${mostShown * step} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": j('picture', { count: runs.length, last: tookOf(last) ?? '–', longest: duration(most), failed }), children: [_jsx("line", { x1: "0", x2: mostShown * step, y1: height - 1, y2: height - 1 }), runs.toReversed().map((run, at) => {
                            const tall = Math.max(2, most === 0 ? 0 : ((secondsOf(run) ?? 0) / most) * (height - 2));
                            return (_jsx("rect", { class: statusOf(run), x: at * step, y: (height - 1 - tall).toFixed(1), width: wide, height: tall.toFixed(1) }, textOf(run, 'uri')));
                        })] })] }) }));
}
const statusOf = (run) => textOf(run, 'status') ?? '';
