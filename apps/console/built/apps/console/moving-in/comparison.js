import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DropFiles } from '../drop.js';
import { user } from '../session.js';
import { said } from '../saying.js';
import { number, time } from '../words.js';
import { Differences } from './differences.js';
import { NoReport, readReport } from './report.js';
import { Summary, verdictOn } from './summary.js';
import { say } from './words.js';
const opened = signal(null);
export function Comparison() {
    const [state, setState] = useState({ is: 'idle' });
    const reading = useRef(null);
    const head = useRef(null);
    const isNew = useRef(false);
    useEffect(() => () => reading.current?.abort(), []);
    useEffect(() => {
        if (isNew.current)
            head.current?.focus();
        isNew.current = false;
    }, [opened.value]);
    const open = async (file) => {
        if (file === undefined)
            return;
        reading.current?.abort();
        const stop = new AbortController();
        reading.current = stop;
        opened.value = null;
        setState({ is: 'reading', file, percent: 0 });
        said.value = say('reading', { name: file.name });
        try {
            const onRead = (percent) => setState({ is: 'reading', file, percent });
            const report = await readReport(textOf(file, onRead, stop.signal));
            isNew.current = true;
            opened.value = { report, file, username: user.value?.username };
            setState({ is: 'idle' });
            said.value = verdictOn(report);
        }
        catch (fault) {
            if (!stop.signal.aborted)
                setState({ is: 'failed', file, fault });
        }
    };
    const shown = opened.value?.username === user.value?.username ? opened.value : null;
    return (_jsxs(_Fragment, { children: [_jsx("p", { children: say('report_more') }), _jsx(DropFiles, { says: say('drop'), accept: ".ndjson,.jsonl,.json", onFiles: ([file]) => void open(file) }), state.is === 'reading' && (_jsxs("p", { class: "progress", children: [_jsx("progress", { value: state.percent, max: 100, "aria-label": say('reading', { name: state.file.name }) }), _jsxs("span", { class: "soft", children: [say('reading', { name: state.file.name }), " ", state.percent, " %"] })] })), state.is === 'failed' && (_jsx("div", { class: "fault-box", role: "alert", children: _jsxs("p", { children: [_jsx("bdi", { children: state.file.name }), ": ", adviceOn(state.fault)] }) })), shown !== null && (_jsxs("section", { class: "report", "aria-labelledby": "report-name", children: [_jsxs("h3", { id: "report-name", tabIndex: -1, ref: head, children: [_jsx("bdi", { children: shown.file.name }), ' ', _jsxs("span", { class: "soft", children: [number(Math.ceil(shown.file.size / 1024)), " KB \u00B7 ", time(new Date(shown.file.lastModified).toISOString())] })] }), _jsx(Summary, { report: shown.report }), shown.report.kept.length > 0 && _jsx(Differences, { report: shown.report })] }))] }));
}
function adviceOn(fault) {
    return fault instanceof NoReport ? say(`no_report_${fault.why}`) : say('unreadable', { what: String(fault) });
}
async function* textOf(file, onRead, signal) {
    const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const decoder = new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8');
    let [done, told] = [0, 0];
    for await (const bytes of file.stream()) {
        signal.throwIfAborted();
        yield decoder.decode(bytes, { stream: true });
        done += bytes.byteLength;
        const percent = Math.floor((done / file.size) * 100);
        if (percent > told)
            onRead(percent);
        told = percent;
    }
    yield decoder.decode();
}
