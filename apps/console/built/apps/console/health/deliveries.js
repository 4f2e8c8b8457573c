import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { Fault, Waiting, useAsked } from '../asking.js';
import { typeName } from '../labels.js';
import { Pager } from '../pager.js';
import { Table } from '../table.js';
import { number, time } from '../words.js';
import { say } from './words.js';
const pageSize = 10;
export function Deliveries({ hook }) {
    const [isOpen, setOpen] = useState(false);
    const url = textOf(hook, 'url') ?? '';
    return (_jsxs("details", { onToggle: (event) => setOpen(event.currentTarget.open), children: [_jsxs("summary", { children: [say('deliveries'), " ", _jsx("bdi", { children: url })] }), isOpen && _jsx(List, { uri: textOf(hook, 'uri') ?? '', title: `${say('deliveries')} ${url}` })] }));
}
function List({ uri, title }) {
    const [page, setPage] = useState(1);
    const { value, fault, again } = useAsked(`${uri}/deliveries`, { page, page_size: pageSize });
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (!isObject(value))
        return _jsx(Waiting, {});
    const rows = objectsOf(value, 'results');
    if (rows.length === 0)
        return _jsx("p", { class: "empty", children: say('no_deliveries') });
    return (_jsxs(_Fragment, { children: [_jsx(Table, { title: title, columns: [say('when'), say('told'), say('status'), say('attempts'), say('reply'), say('next_attempt')], rows: rows.map((row) => {
                    const next = textOf(row, 'next_attempt');
                    return [
                        time(textOf(row, 'last_attempt') ?? textOf(row, 'create_time')),
                        _jsx(Told, { payload: objectOf(row, 'payload') ?? {} }, "told"),
                        _jsx("span", { class: `status ${statusOf(row) === 'dead' ? 'failed' : ''}`, children: say(statusOf(row)) }, "status"),
                        _jsx("span", { class: "figure", children: number(Number(row['attempts'] ?? 0)) }, "attempts"),
                        replyOf(row),
                        next === undefined ? '–' : time(next),
                    ];
                }) }), _jsx(Pager, { label: title, page: page, last: Number(value['last_page'] ?? 1), onTurn: setPage })] }));
}
const statusOf = (row) => {
    const status = textOf(row, 'status');
    return status === 'delivered' || status === 'dead' ? status : 'pending';
};
function replyOf(row) {
    const status = row['http_status'];
    return textOf(row, 'reason') ?? (typeof status === 'number' ? String(status) : '–');
}
function Told({ payload }) {
    if (textOf(payload, 'type') === 'ping')
        return _jsx(_Fragment, { children: say('ping') });
    const operation = textOf(payload, 'operation');
    const kind = textOf(payload, 'kind') ?? '';
    const [first, ...others] = textsOf(payload, 'uris');
    const what = operation === 'create' || operation === 'update' || operation === 'delete' ? say(operation) : operation;
    return (_jsxs(_Fragment, { children: [typeName(kind), ": ", what, first !== undefined && (_jsxs(_Fragment, { children: [_jsx("br", {}), operation === 'delete' || kind === 'notification' ? first : _jsx("a", { href: recordAddress(first), children: first }), others.length > 0 && ` ${say('and_others', { count: others.length })}`] }))] }));
}
