import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.js';
import { Fault, Waiting, useAsked } from '../asking.js';
import { Pager } from '../pager.js';
import { isWord, t, time } from '../words.js';
import { Changes } from './changes.js';
import { Compare } from './comparing.js';
import { Restore } from './restoring.js';
const mostShown = 25;
export function History({ uri, lockVersion, onRestored }) {
    const [isOpen, setOpen] = useState(false);
    const [page, setPage] = useState(1);
    const { value, fault, isWaiting, again } = useAsked(isOpen ? `${uri}/history` : null, {
        page,
        page_size: mostShown,
    });
    const entries = isObject(value) ? objectsOf(value, 'results') : [];
    const last = isObject(value) ? Number(value['last_page'] ?? 1) : 1;
    return (_jsxs("details", { class: "history", onToggle: (event) => setOpen(event.currentTarget.open), children: [_jsx("summary", { children: t('history') }), fault !== null && _jsx(Fault, { fault: fault, again: again }), isWaiting && value === undefined && _jsx(Waiting, {}), _jsx(Compare, { uri: uri, entries: entries }), _jsx("ol", { children: entries.map((entry, index) => (_jsx(Entry, { entry: entry, children: lockVersion !== null && (page > 1 || index > 0) && (_jsx(EarlierState, { entry: entry, uri: uri, lockVersion: lockVersion, onDone: onRestored })) }, `${String(entry['state'])} ${index}`))) }), _jsx(Pager, { label: t('history'), page: page, last: last, onTurn: setPage })] }));
}
function EarlierState({ entry, ...rest }) {
    const [version, state] = [entry['version'], entry['state']];
    return typeof version === 'number' && typeof state === 'number' ? (_jsx(Restore, { ...rest, to: { version, state } })) : null;
}
function Entry({ entry, children }) {
    const changes = objectsOf(entry, 'changes');
    const op = `op_${textOf(entry, 'op') ?? ''}`;
    return (_jsxs("li", { children: [_jsxs("p", { children: [_jsx("strong", { children: isWord(op) ? t(op) : (textOf(entry, 'op') ?? '') }), " ", time(textOf(entry, 'at')), ",", ' ', _jsx("bdi", { children: textOf(entry, 'by') ?? '–' })] }), changes.length > 0 && _jsx(Changes, { changes: changes }), children] }));
}
