import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useRef, useState } from 'preact/hooks';
import { JobFailed, awaitJob } from '../../../libs/client/jobs.js';
import { isObject, objectOf, textOf } from '../../../libs/domain/json.js';
import { Fault, Instead, useAsked } from '../asking.js';
import { service } from '../session.js';
import { useTitle } from '../title.js';
import { t, time } from '../words.js';
import { RunAgain } from './again.js';
import { Cancel } from './cancel.js';
import { Files } from './files.js';
import { givenFiles } from './given-files.js';
import { readImportLog } from './import-log.js';
import { jobName } from './jobs.js';
import { Made } from './made.js';
import { Progress, tookOf } from './progress.js';
import { Status } from './status.js';
import { Faults, NotTaken } from './told.js';
import { Why } from './why.js';
import { j } from './words.js';
const mostLines = 2000;
const isOnlyChecked = (asked) => ['only_validate', 'dry_run'].some((name) => ['1', 'true', true].includes(asked[name]));
const hasEnded = (status) => status !== 'queued' && status !== 'running';
export function JobView({ rest: uri }) {
    const { value, fault, again } = useAsked(uri);
    const job = isObject(value) ? value : undefined;
    useTitle(job === undefined ? t('job') : jobName(job));
    if (job === undefined)
        return _jsx(Instead, { title: t('job'), fault: fault, again: again });
    const status = textOf(job, 'status') ?? '';
    const asked = objectOf(job, 'job') ?? {};
    const took = tookOf(job);
    return (_jsxs("article", { class: "job", children: [_jsx("p", { class: "kicker", children: _jsx("a", { href: "/console/jobs", children: t('nav_jobs') }) }), _jsx("h1", { children: _jsx("bdi", { children: jobName(job) }) }), _jsxs("p", { class: "facts", children: [_jsx(Status, { status: status }), _jsx("span", { children: _jsx("bdi", { children: textOf(job, 'owner') ?? '–' }) }), _jsx("span", { children: time(textOf(job, 'time_submitted')) }), took !== null && _jsx("span", { children: j('took_so_long', { time: took }) }), isOnlyChecked(asked) && _jsx("span", { class: "badge", children: j('only_checked') }), typeof job['queue_position'] === 'number' && (_jsx("span", { children: t('queue_position', { count: job['queue_position'] + 1 }) }))] }), _jsx(Why, { job: job }), !hasEnded(status) && _jsx(Cancel, { uri: uri, type: textOf(job, 'job_type') ?? '', onDone: again }), !hasEnded(status) && _jsx(Progress, { progress: objectOf(job, 'progress') }), hasEnded(status) && _jsx(Made, { uri: uri, job: job }), _jsx(Followed, { uri: uri, isOnlyChecked: isOnlyChecked(asked), onChange: again }), hasEnded(status) && _jsx(Files, { uri: uri, given: givenFiles(asked) }), hasEnded(status) && _jsx(RunAgain, { uri: uri, job: job })] }));
}
function Followed({ uri, isOnlyChecked, onChange }) {
    const [lines, setLines] = useState([]);
    const [end, setEnd] = useState(null);
    const [fault, setFault] = useState(null);
    const [turn, setTurn] = useState(0);
    const told = useRef(readImportLog());
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
        told.current = readImportLog();
        awaitJob(service, uri, {
            signal: stop.signal,
            onLine: (line) => {
                fresh.push(line);
                told.current.take(line);
            },
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
    return (_jsxs(_Fragment, { children: [fault !== null && _jsx(Fault, { fault: fault, again: () => setTurn(turn + 1) }), end !== null && end.status === 'failed' && _jsx(Faults, { faults: told.current.faults(), lines: end.errors }), end !== null && _jsx(NotTaken, { files: told.current.leftOut(), isOnlyChecked: isOnlyChecked }), _jsx("h2", { id: "log", children: t('log') }), lines.length === 0 ? (_jsx("p", { class: "empty", children: t(end === null ? 'waiting' : 'log_empty') })) : (_jsx("pre", { class: "log", ref: box, tabIndex: 0, "aria-labelledby": "log", children: lines.join('\n') }))] }));
}
