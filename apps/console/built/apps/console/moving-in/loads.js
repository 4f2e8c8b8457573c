import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect } from 'preact/hooks';
import { objectOf, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { Fault, Waiting } from '../asking.js';
import { Cancel } from '../jobs/cancel.js';
import { loadTypes, useJobsOfNoRepository } from '../jobs/of-no-repository.js';
import { Progress } from '../jobs/progress.js';
import { Status } from '../jobs/status.js';
import { Table } from '../table.js';
import { t, time } from '../words.js';
import { say } from './words.js';
const mostShown = 10;
const pauseMs = 2000;
const idleMs = 10_000;
export function Loads() {
    const { jobs, fault, isWaiting, again } = useJobsOfNoRepository((type) => loadTypes.includes(type));
    const loads = (jobs ?? []).slice(0, mostShown);
    const isBusy = loads.some((job) => isOpen(job));
    useEffect(() => {
        if (fault !== null || isWaiting)
            return undefined;
        const timer = setTimeout(again, isBusy ? pauseMs : idleMs);
        return () => clearTimeout(timer);
    }, [fault, isWaiting, isBusy]);
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (jobs === undefined)
        return _jsx(Waiting, {});
    if (loads.length === 0)
        return _jsx("p", { class: "empty", children: say('no_loads') });
    return (_jsx(Table, { title: say('loads'), columns: [say('load'), t('p_status'), t('job_owner'), t('job_submitted')], isNamed: true, rows: loads.map((job) => {
            const uri = textOf(job, 'uri') ?? '';
            return [
                _jsx("a", { href: recordAddress(uri), children: say(textOf(job, 'job_type') === 'migrate-from' ? 'reading_number' : 'load_number', {
                        id: uri.split('/').at(-1) ?? '',
                    }) }, "uri"),
                _jsxs("div", { children: [_jsx(Status, { status: textOf(job, 'status') ?? '' }), _jsx(Progress, { progress: objectOf(job, 'progress') }), isOpen(job) && _jsx(Cancel, { uri: uri, type: textOf(job, 'job_type') ?? '', onDone: again })] }, "status"),
                _jsx("bdi", { children: textOf(job, 'owner') ?? '–' }, "owner"),
                time(textOf(job, 'time_submitted')),
            ];
        }) }));
}
const isOpen = (job) => ['queued', 'running'].includes(textOf(job, 'status') ?? '');
