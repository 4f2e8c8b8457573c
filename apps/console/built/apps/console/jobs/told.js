import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { propertyName } from '../labels.js';
import { number, t } from '../words.js';
import { j } from './words.js';
export function Faults({ faults, lines }) {
    const isThere = faults.some(({ says }) => /already in use|must be unique/i.test(says));
    return (_jsxs("section", { class: "fault-box", "aria-labelledby": "faults", children: [_jsx("h2", { id: "faults", children: t('job_faults') }), _jsx("p", { children: t('job_faults_more') }), isThere && _jsx("p", { children: j('there_already') }), _jsx("ul", { children: faults.length > 0
                    ? faults.map((fault, index) => (_jsxs("li", { children: [_jsx("bdi", { children: placeOf(fault) }), " ", fault.says] }, index)))
                    : lines.map((line, index) => _jsx("li", { children: line }, index)) })] }));
}
function placeOf({ file, record, line, column, property }) {
    const place = line === null ? null : column === null ? t('at_line', { line }) : j('at', { line: number(line), column });
    const parts = [file, record, place, property === null ? null : propertyName(property)].filter((part) => part !== null);
    return parts.length === 0 ? '' : `${parts.join(', ')}:`;
}
export const NotTaken = ({ files, isOnlyChecked, }) => files.length === 0 ? null : (_jsxs("section", { "aria-labelledby": "left-out", children: [_jsx("h2", { id: "left-out", children: j(isOnlyChecked ? 'would_be_left_out' : 'left_out') }), files.map(({ file, total, parts, more }, index) => (_jsxs("details", { class: "left-out", open: files.length === 1 && parts.length <= 12, children: [_jsxs("summary", { children: [_jsx("bdi", { children: file }), " ", _jsx("span", { class: "soft", children: j('parts', { count: total }) })] }), _jsxs("ul", { children: [parts.map((part, at) => (_jsx("li", { children: part }, at))), more > 0 && _jsx("li", { class: "soft", children: t('more', { count: more }) })] })] }, index)))] }));
