import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useContext, useEffect, useRef } from 'preact/hooks';
import { isObject } from '../../../libs/domain/json.js';
import { InForm, idOf } from './form.js';
import { e, fieldName, saidBy } from './words.js';
export function faultsIn(error) {
    const found = error.error;
    if (error.status !== 400 || !isObject(found))
        return null;
    return Object.fromEntries(Object.entries(found).map(([path, says]) => [path, (Array.isArray(says) ? says : [says]).map(String)]));
}
export function FaultList() {
    const form = useContext(InForm);
    const box = useRef(null);
    const faults = Object.entries(form.faults.value);
    const turn = form.refused.value;
    useEffect(() => box.current?.focus(), [turn]);
    if (faults.length === 0)
        return null;
    return (_jsxs("div", { class: "fault-box", role: "group", "aria-labelledby": "faults", tabIndex: -1, ref: box, children: [_jsx("h2", { id: "faults", children: e('faults_title') }), _jsx("ul", { children: faults.map(([path, says]) => (_jsxs("li", { children: [_jsx("button", { type: "button", class: "plain", onClick: () => show(path), children: placeOf(path) }), ": ", says.map(saidBy).join(' ')] }, path))) })] }));
}
function show(path) {
    const steps = path.split('/');
    const paths = steps.map((_, index) => steps.slice(0, steps.length - index).join('/'));
    const found = paths.flatMap((each) => document.getElementById(idOf(each)) ?? []).at(0);
    found?.focus();
    found?.scrollIntoView({ block: 'center' });
}
const placeOf = (path) => path
    .split('/')
    .map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : fieldName(step)))
    .join(' › ');
