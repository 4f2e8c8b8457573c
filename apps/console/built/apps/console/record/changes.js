import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { textOf } from '../../../libs/domain/json.js';
import { propertyName } from '../labels.js';
import { t } from '../words.js';
export const Changes = ({ changes }) => (_jsxs("table", { class: "changes", children: [_jsx("thead", { children: _jsxs("tr", { children: [_jsx("th", { scope: "col", children: t('property') }), _jsx("th", { scope: "col", children: t('before') }), _jsx("th", { scope: "col", children: t('after') })] }) }), _jsx("tbody", { children: changes.map((change) => (_jsxs("tr", { children: [_jsx("th", { scope: "row", children: placeOf(textOf(change, 'path') ?? '') }), _jsx("td", { class: "before", children: _jsx("del", { children: shown(change['before']) || placeOf(textOf(change, 'was') ?? '') }) }), _jsx("td", { class: "after", children: _jsx("ins", { children: shown(change['after']) || (change['op'] === 'move' ? placeOf(textOf(change, 'path') ?? '') : '') }) })] }, `${textOf(change, 'op') ?? ''} ${textOf(change, 'path') ?? ''}`))) })] }));
const placeOf = (pointer) => pointer
    .split('/')
    .slice(1)
    .map((step) => /^\d+$/.test(step) ? String(Number(step) + 1) : propertyName(step.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join(' › ');
const shown = (value) => value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
