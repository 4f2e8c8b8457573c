import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { number } from '../words.js';
import { say } from './words.js';
const plain = (value) => number(Math.round(value));
const seconds = (value) => (value < 120 ? `${plain(value)} s` : `${plain(value / 60)} min`);
const shown = [
    ['index_records', plain],
    ['index_waiting_seconds', seconds],
    ['jobs_queued', plain],
    ['jobs_waiting_seconds', seconds],
    ['requests', plain],
    ['failed', plain],
    ['event_loop_ms', (value) => `${plain(value)} ms`],
    ['processor_percent', (value) => `${plain(value)} %`],
    ['memory_mib', (value) => `${plain(value)} MiB`],
    ['connections', plain],
    ['disk_free_mib', (value) => `${number(Math.round(value / 102.4) / 10)} GiB`],
];
const [width, height] = [120, 30];
export const Figures = ({ samples }) => (_jsx("div", { class: "pictures", children: shown.map(([name, text]) => (_jsx(Figure, { name: name, text: text, values: samples.map((sample) => sample[name]) }, name))) }));
function Figure({ name, text, values }) {
    const known = values.filter((value) => typeof value === 'number');
    const last = values.at(-1);
    const now = typeof last === 'number' ? text(last) : say('unknown');
    const most = Math.max(0, ...known);
    const title = say(name);
    return (_jsxs("figure", { children: [_jsx("figcaption", { children: title }), _jsx("span", { class: "now", children: now }), " ", _jsx("span", { class: "soft", children: say('at_most', { most: text(most) }) }), _jsx(Line, { values: values, label: say('picture', { title, now, most: text(most) }) })] }));
}
export function Line({ values, label }) {
    const most = Math.max(0, ...values.filter((value) => typeof value === 'number'));
    return (_jsxs("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label, children: [_jsx("line", { x1: "0", x2: width, y1: height - 1, y2: height - 1 }), runs(values).map((run) => (_jsx("polyline", { points: run.map(([at, value]) => point(at, value, values.length, most)).join(' ') }, run[0]?.[0])))] }));
}
function runs(values) {
    const all = [[]];
    for (const [at, value] of values.entries()) {
        if (typeof value === 'number')
            all.at(-1)?.push([at, value]);
        else
            all.push([]);
    }
    return all.filter((run) => run.length > 0);
}
function point(at, value, count, most) {
    const x = count < 2 ? width : (at / (count - 1)) * width;
    const y = height - 1 - (most === 0 ? 0 : (value / most) * (height - 3));
    return `${x.toFixed(1)},${y.toFixed(1)}`;
}
