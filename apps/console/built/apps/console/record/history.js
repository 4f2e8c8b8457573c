import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.js';
import { Fault, Waiting, useAsked } from '../asking.js';
import { propertyName } from '../labels.js';
import { isWord, t, time } from '../words.js';
import { Restore } from './restoring.js';
const mostShown = 25;
export function History({ uri, lockVersion, onRestored }) {
    const [isOpen, setOpen] = useState(false);
    const { value, fault, isWaiting, again } = useAsked(isOpen ? `${uri}/history` : null, {
        page: 1,
        page_size: mostShown,
    });
    const entries = isObject(value) ? objectsOf(value, 'results') : [];
    return (_jsxs("details", { class: "history", onToggle: (event) => setOpen(event.currentTarget.open), children: [_jsx("summary", { children: t('history') }), fault !== null && _jsx(Fault, { fault: fault, again: again }), isWaiting && value === undefined && _jsx(Waiting, {}), _jsx("ol", { children: entries.map((entry, index) => (_jsx(Entry, { entry: entry, children: lockVersion !== null && index > 0 && (_jsx(EarlierState, { entry: entry, uri: uri, lockVersion: lockVersion, onDone: onRestored })) }, `${String(entry['state'])} ${index}`))) })] }));
}
function EarlierState({ entry, ...rest }) {
    const [version, state] = [entry['version'], entry['state']];
    return typeof version === 'number' && typeof state === 'number' ? (_jsx(Restore, { ...rest, to: { version, state } })) : null;
}
function Entry({ entry, children }) {
    const changes = objectsOf(entry, 'changes');
    const op = `op_${textOf(entry, 'op') ?? ''}`;
    return (_jsxs("li", { children: [_jsxs("p", { children: [_jsx("strong", { children: isWord(op) ? t(op) : (textOf(entry, 'op') ?? '') }), " ", time(textOf(entry, 'at')), ",", ' ', _jsx("bdi", { children: textOf(entry, 'by') ?? '–' })] }), changes.length > 0 && (_jsxs("table", { children: [_jsx("thead", { children: _jsxs("tr", { children: [_jsx("th", { scope: "col", children: t('property') }), _jsx("th", { scope: "col", children: t('before') }), _jsx("th", { scope: "col", children: t('after') })] }) }), _jsx("tbody", { children: changes.map((change) => (_jsxs("tr", { children: [_jsx("th", { scope: "row", children: placeOf(textOf(change, 'path') ?? '') }), _jsx("td", { class: "before", children: _jsx("del", { children: shown(change['before']) }) }), _jsx("td", { class: "after", children: _jsx("ins", { children: shown(change['after']) }) })] }, textOf(change, 'path')))) })] })), children] }));
}
const placeOf = (pointer) => pointer
    .split('/')
    .slice(1)
    .map((step) => /^\d+$/.test(step) ? String(Number(step) + 1) : propertyName(step.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join(' › ');
const shown = (value) => value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
