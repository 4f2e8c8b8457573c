import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { objectOf, objectsIn, textOf } from '../../../libs/domain/json.js';
import { Fault, useAsked } from '../asking.js';
import { words } from '../labels.js';
import { Section } from '../section.js';
import { Table } from '../table.js';
import { time } from '../words.js';
import { Status } from './status.js';
import { j } from './words.js';
export function Schedules() {
    const { value, fault, again } = useAsked('/system/schedules');
    const rows = objectsIn(value);
    return (_jsx(Section, { id: "clock", title: j('clock'), children: fault !== null ? (_jsx(Fault, { fault: fault, again: again })) : value !== undefined && rows.length === 0 ? (_jsx("p", { class: "empty", children: j('nothing_by_clock') })) : (_jsx(Table, { title: j('clock'), columns: [j('schedule'), j('when'), j('last_run')], rows: rows.map((row) => [
                words(textOf(row, 'name') ?? ''),
                _jsx("code", { children: `${textOf(row, 'cron') ?? ''} (${textOf(row, 'timezone') ?? ''})` }, "when"),
                _jsx(LastJob, { job: objectOf(row, 'last_job') }, "last"),
            ]) })) }));
}
function LastJob({ job }) {
    if (job === undefined)
        return _jsx(_Fragment, { children: j('never') });
    return (_jsxs(_Fragment, { children: [_jsx(Status, { status: textOf(job, 'status') ?? '' }), " ", time(textOf(job, 'time_submitted'))] }));
}
