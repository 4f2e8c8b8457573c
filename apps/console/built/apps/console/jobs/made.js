import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { Fault, useAsked } from '../asking.js';
import { typeName } from '../labels.js';
import { Title } from '../markup.js';
import { Pager } from '../pager.js';
import { number, t } from '../words.js';
const pageSize = 10;
export function Made({ uri, job }) {
    const [page, setPage] = useState(1);
    const isOfRepository = uri.startsWith('/repositories/');
    const { value, fault, again } = useAsked(isOfRepository ? `${uri}/records` : null, {
        page,
        page_size: pageSize,
        resolve: ['record'],
    });
    const rows = isObject(value) ? objectsOf(value, 'results').map((row) => objectOf(row, 'record') ?? {}) : [];
    const [total, last] = isObject(value) ? [Number(value['total'] ?? 0), Number(value['last_page'] ?? 1)] : [0, 1];
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (rows.length === 0)
        return null;
    return (_jsxs("section", { "aria-labelledby": "made", children: [_jsx("h2", { id: "made", children: t('job_made', { count: total }) }), _jsx(Counts, { counts: objectOf(objectOf(job, 'result'), 'created') ?? {} }), _jsx("ul", { children: rows.map((row) => {
                    const record = objectOf(row, '_resolved');
                    return (_jsxs("li", { children: [_jsx("a", { href: recordAddress(textOf(row, 'ref') ?? ''), children: _jsx(Title, { text: textOf(record, 'display_string') ?? textOf(record, 'title') ?? textOf(row, 'ref') }) }), ' ', _jsx("span", { class: "soft", children: typeName(textOf(record, 'jsonmodel_type') ?? '') })] }, textOf(row, 'ref')));
                }) }), _jsx(Pager, { label: t('job_made', { count: total }), page: page, last: last, onTurn: setPage })] }));
}
function Counts({ counts }) {
    const all = Object.entries(counts).flatMap(([type, count]) => (typeof count === 'number' ? [{ type, count }] : []));
    if (all.length === 0)
        return null;
    return (_jsx("p", { class: "facts", children: all
            .toSorted((one, other) => other.count - one.count)
            .map(({ type, count }) => (_jsxs("span", { children: [typeName(type), ": ", number(count)] }, type))) }));
}
