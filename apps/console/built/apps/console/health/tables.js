import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectsIn, objectsOf, textOf } from '../../../libs/domain/json.js';
import { Fault, useAsked } from '../asking.js';
import { words } from '../labels.js';
import { Pager } from '../pager.js';
import { Table } from '../table.js';
import { number, time } from '../words.js';
import { Deliveries } from './deliveries.js';
import { Line } from './figures.js';
import { say } from './words.js';
const pageSize = 20;
const figure = (value, unit) => (_jsx("span", { class: "figure", children: typeof value === 'number' ? `${number(value)}${unit}` : '–' }));
export const Slowest = ({ routes }) => (_jsx(Table, { title: say('slowest'), columns: [say('route'), say('count'), say('mean'), say('longest'), say('by_minute')], rows: routes.map((route) => [
        _jsx("code", { children: `${textOf(route, 'method') ?? ''} ${textOf(route, 'route') ?? ''}` }, "route"),
        figure(route['requests'], ''),
        figure(route['mean_ms'], ' ms'),
        figure(route['longest_ms'], ' ms'),
        _jsx(Minutes, { route: route }, "minutes"),
    ]) }));
export function Webhooks() {
    const { value, fault, again } = useAsked('/webhooks');
    const hooks = objectsIn(value);
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (value !== undefined && hooks.length === 0)
        return _jsx("p", { class: "empty", children: say('no_webhooks') });
    return (_jsxs(_Fragment, { children: [_jsx(Table, { title: say('webhooks'), columns: [say('address'), say('waiting'), say('dead')], rows: hooks.map((hook) => [
                    _jsx("bdi", { children: textOf(hook, 'url') ?? '' }, "url"),
                    _jsx(Total, { uri: textOf(hook, 'uri') ?? '', status: "pending" }, "waiting"),
                    _jsx(Total, { uri: textOf(hook, 'uri') ?? '', status: "dead" }, "dead"),
                ]) }), hooks.map((hook) => (_jsx(Deliveries, { hook: hook }, textOf(hook, 'uri'))))] }));
}
function Minutes({ route }) {
    const all = route['minutes_ms'];
    const values = Array.isArray(all) ? all : [];
    const known = values.filter((value) => typeof value === 'number');
    if (known.length === 0)
        return _jsx(_Fragment, { children: "\u2013" });
    const most = `${number(Math.round(Math.max(...known)))} ms`;
    return (_jsx(Line, { values: values.map((value) => value ?? 0), label: say('route_picture', { route: textOf(route, 'route') ?? '', most }) }));
}
function Total({ uri, status }) {
    const { value } = useAsked(`${uri}/deliveries`, { page: 1, page_size: 1, status });
    return figure(isObject(value) ? value['total'] : undefined, '');
}
export function Audit() {
    const [page, setPage] = useState(1);
    const { value, fault, again } = useAsked('/system/audit', { page, page_size: pageSize });
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    const entries = isObject(value) ? objectsOf(value, 'results') : [];
    const last = isObject(value) ? Number(value['last_page'] ?? 1) : 1;
    return (_jsxs(_Fragment, { children: [_jsx(Table, { title: say('audit'), columns: [say('when'), say('what'), say('who'), say('to'), say('from')], rows: entries.map((entry) => [
                    time(textOf(entry, 'at')),
                    words(textOf(entry, 'event') ?? ''),
                    _jsx("bdi", { children: textOf(entry, 'actor') ?? say('nobody') }, "who"),
                    _jsx("bdi", { children: textOf(entry, 'subject') ?? '–' }, "to"),
                    textOf(entry, 'address') ?? '–',
                ]) }), _jsx(Pager, { label: say('audit'), page: page, last: last, onTurn: setPage })] }));
}
