import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useRef, useState } from 'preact/hooks';
import { JobFailed, awaitJob } from '../../../libs/client/jobs.js';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { Fault, Waiting, useAsked } from '../asking.js';
import { Title } from '../markup.js';
import { service } from '../session.js';
import { useTitle } from '../title.js';
import { t, time } from '../words.js';
import { Cancel } from './cancel.js';
import { Files } from './files.js';
import { jobName } from './jobs.js';
import { Progress } from './progress.js';
import { Status } from './status.js';
const mostLines = 2000;
const hasEnded = (status) => status !== 'queued' && status !== 'running';
export function JobView({ rest: uri }) {
    const { value, fault, again } = useAsked(uri);
    const job = isObject(value) ? value : undefined;
    useTitle(job === undefined ? t('job') : jobName(job));
    if (fault !== null && job === undefined)
        return _jsx(Fault, { fault: fault, again: again });
    if (job === undefined)
        return _jsx(Waiting, {});
    const status = textOf(job, 'status') ?? '';
    return (_jsxs("article", { class: "job", children: [_jsx("p", { class: "kicker", children: _jsx("a", { href: "/console/jobs", children: t('nav_jobs') }) }), _jsx("h1", { children: _jsx("bdi", { children: jobName(job) }) }), _jsxs("p", { class: "facts", children: [_jsx(Status, { status: status }), _jsx("span", { children: _jsx("bdi", { children: textOf(job, 'owner') ?? '–' }) }), _jsx("span", { children: time(textOf(job, 'time_submitted')) }), typeof job['queue_position'] === 'number' && (_jsx("span", { children: t('queue_position', { count: job['queue_position'] + 1 }) }))] }), !hasEnded(status) && _jsx(Cancel, { uri: uri, onDone: again }), hasEnded(status) && _jsx(Made, { uri: uri }), _jsx(Followed, { uri: uri, onChange: again }), !hasEnded(status) && _jsx(Progress, { progress: objectOf(job, 'progress') }), hasEnded(status) && _jsx(Files, { uri: uri })] }));
}
function Followed({ uri, onChange }) {
    const [lines, setLines] = useState([]);
    const [end, setEnd] = useState(null);
    const [fault, setFault] = useState(null);
    const [turn, setTurn] = useState(0);
    const box = useRef(null);
    const changed = useRef(onChange);
    changed.current = onChange;
    useEffect(() => {
        const stop = new AbortController();
        let fresh = [];
        let before = '';
        const take = () => {
            const taken = fresh;
            fresh = [];
            if (taken.length > 0)
                setLines((known) => [...known, ...taken].slice(-mostLines));
        };
        setLines([]);
        awaitJob(service, uri, {
            signal: stop.signal,
            onLine: (line) => void fresh.push(line),
            onLost: setFault,
            onProgress: (state) => {
                setFault(null);
                take();
                const now = JSON.stringify(state);
                if (before !== '' && before !== now)
                    changed.current();
                before = now;
            },
        })
            .catch((error) => {
            if (error instanceof JobFailed)
                return error.end;
            throw error;
        })
            .then((ended) => {
            take();
            setEnd(ended);
            changed.current();
        }, (error) => {
            if (!stop.signal.aborted)
                setFault(error);
        });
        return () => stop.abort();
    }, [uri, turn]);
    useEffect(() => {
        if (box.current !== null)
            box.current.scrollTop = box.current.scrollHeight;
    }, [lines]);
    return (_jsxs(_Fragment, { children: [fault !== null && _jsx(Fault, { fault: fault, again: () => setTurn(turn + 1) }), end !== null && end.status === 'failed' && _jsx(Faults, { lines: end.errors }), _jsx("h2", { id: "log", children: t('log') }), lines.length === 0 ? (_jsx("p", { class: "empty", children: t(end === null ? 'waiting' : 'log_empty') })) : (_jsx("pre", { class: "log", ref: box, tabIndex: 0, "aria-labelledby": "log", children: lines.join('\n') }))] }));
}
function placed(line) {
    if (!line.startsWith('{'))
        return null;
    try {
        const fault = JSON.parse(line);
        const message = isObject(fault) ? textOf(fault, 'message') : undefined;
        if (!isObject(fault) || message === undefined)
            return null;
        const [at, column] = [fault['line'], fault['column']];
        if (typeof at !== 'number')
            return message;
        return `${typeof column === 'number' ? t('at_column', { line: at, column }) : t('at_line', { line: at })}: ${message}`;
    }
    catch {
        return null;
    }
}
function Faults({ lines }) {
    const whole = lines.map(placed).filter((line) => line !== null);
    return (_jsxs("section", { class: "fault-box", "aria-labelledby": "faults", children: [_jsx("h2", { id: "faults", children: t('job_faults') }), _jsx("p", { children: t('job_faults_more') }), _jsx("ul", { children: (whole.length > 0 ? whole : lines).map((line, index) => (_jsx("li", { children: line }, index))) })] }));
}
function Made({ uri }) {
    const { value } = useAsked(`${uri}/records`, { page: 1, page_size: 10, resolve: ['record'] });
    const rows = isObject(value) ? objectsOf(value, 'results').map((row) => objectOf(row, 'record') ?? {}) : [];
    const total = isObject(value) ? Number(value['total'] ?? 0) : 0;
    if (rows.length === 0)
        return null;
    return (_jsxs("section", { "aria-labelledby": "made", children: [_jsx("h2", { id: "made", children: t('job_made', { count: total }) }), _jsx("ul", { children: rows.map((row) => {
                    const record = objectOf(row, '_resolved');
                    return (_jsx("li", { children: _jsx("a", { href: recordAddress(textOf(row, 'ref') ?? ''), children: _jsx(Title, { text: textOf(record, 'display_string') ?? textOf(record, 'title') ?? textOf(row, 'ref') }) }) }, textOf(row, 'ref')));
                }) })] }));
}
