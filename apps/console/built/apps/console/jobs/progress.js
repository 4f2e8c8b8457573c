import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { textOf } from '../../../libs/domain/json.js';
import { momentOf, number, t } from '../words.js';
export function Progress({ progress }) {
    const label = textOf(progress, 'label');
    if (progress === undefined || label === undefined)
        return null;
    const [done, total, left] = ['done', 'total', 'seconds_left'].map((name) => progress[name]);
    const hasTotal = typeof done === 'number' && typeof total === 'number' && total > 0;
    return (_jsxs("span", { class: "progress", children: [hasTotal && _jsx("progress", { value: done, max: total, "aria-label": label }), _jsxs("span", { class: "soft", children: [label, " ", typeof done === 'number' ? (hasTotal ? `${number(done)} / ${number(total)}` : number(done)) : '', typeof left === 'number' ? ` · ${t('time_left', { time: duration(left) })}` : ''] })] }));
}
export const duration = (seconds) => seconds < 90 ? `${Math.ceil(seconds)} s` : `${number(Math.round(seconds / 60))} min`;
export function secondsOf(job) {
    const [begun, ended] = [textOf(job, 'time_started'), textOf(job, 'time_finished')];
    if (begun === undefined || ended === undefined)
        return undefined;
    return Math.max(0, (momentOf(ended).getTime() - momentOf(begun).getTime()) / 1000);
}
export function tookOf(job) {
    const seconds = secondsOf(job);
    return seconds === undefined ? null : duration(seconds);
}
