import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useContext } from 'preact/hooks';
import { listLabel, words } from '../labels.js';
import { InForm, change, idOf, useFaults, useValue } from './form.js';
import { definitionAt, definitionsOf, listedAt, recordsAt, valuesOf } from './lists.js';
import { at } from './values.js';
import { e, saidBy } from './words.js';
export function FaultsAt({ path }) {
    const faults = useFaults(path);
    if (faults.length === 0)
        return null;
    return (_jsx("p", { class: "fault", id: `${idOf(path)}-fault`, children: faults.map(saidBy).join(' ') }));
}
export function Input({ path, shape, label, isRequired }) {
    const isWrong = useFaults(path).length > 0;
    const own = {
        id: idOf(path),
        'aria-required': isRequired ? true : undefined,
        'aria-invalid': isWrong ? true : undefined,
        'aria-describedby': isWrong ? `${idOf(path)}-fault` : undefined,
    };
    const isWide = shape.is === 'text' && shape.isLong;
    return (_jsxs("div", { class: shape.is === 'flag' ? 'field flag' : isWide ? 'field wide' : 'field', children: [_jsx("label", { for: own.id, class: isRequired ? 'needed' : undefined, children: label }), _jsx(Control, { path: path, shape: shape, own: own }), _jsx(FaultsAt, { path: path })] }));
}
function Control({ path, shape, own }) {
    const { repository } = useContext(InForm);
    switch (shape.is) {
        case 'flag':
            return _jsx(Flag, { path: path, own: own });
        case 'controlled':
            return _jsx(Chosen, { path: path, own: own, choices: valuesOf(shape.list).value, list: shape.list });
        case 'choice':
            return _jsx(Chosen, { path: path, own: own, choices: shape.values.map((value) => ({ value, label: words(value) })) });
        case 'uri': {
            const place = listedAt(shape.to);
            return place === undefined ? (_jsx(Typed, { path: path, own: own, isLong: false })) : (_jsx(Chosen, { path: path, own: own, choices: recordsAt(place).value }));
        }
        case 'number': {
            const type = definitionAt(path);
            if (type !== undefined && repository !== null) {
                const choices = definitionsOf(repository).value.filter((each) => each.type === type);
                return _jsx(Chosen, { path: path, own: own, choices: choices, isNumber: true });
            }
            return _jsx(Typed, { path: path, own: own, isLong: false, isNumber: true });
        }
        default:
            return _jsx(Typed, { path: path, own: own, isLong: shape.is === 'text' && shape.isLong });
    }
}
const mostRows = 14;
const lettersInRow = 90;
const rowsFor = (text) => Math.min(mostRows, text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / lettersInRow), 0));
function Typed({ path, own, isLong, isNumber = false, }) {
    const form = useContext(InForm);
    const text = shownText(useValue(path));
    const common = {
        ...own,
        dir: 'auto',
        value: text,
        onInput: (event) => change(form, path, event.currentTarget.value),
    };
    if (isLong)
        return _jsx("textarea", { ...common, rows: rowsFor(text) });
    if (!isNumber)
        return _jsx("input", { type: "text", autocomplete: "off", ...common });
    const settle = () => {
        const typed = at(form.value.peek(), path);
        if (typeof typed === 'string' && /^-?\d+(?:\.\d+)?$/.test(typed.trim()))
            change(form, path, Number(typed));
    };
    return (_jsx("input", { type: "text", inputMode: "decimal", autocomplete: "off", ...common, onChange: settle, onKeyDown: (event) => {
            if (event.key === 's' && (event.ctrlKey || event.metaKey))
                settle();
        } }));
}
const shownText = (value) => value === undefined || value === null
    ? ''
    : typeof value === 'string'
        ? value
        : typeof value === 'object'
            ? ''
            : String(value);
function Flag({ path, own }) {
    const form = useContext(InForm);
    const value = useValue(path);
    return (_jsx("input", { type: "checkbox", ...own, checked: value === true, onChange: (event) => change(form, path, event.currentTarget.checked) }));
}
function Chosen({ path, own, choices, list, isNumber = false }) {
    const form = useContext(InForm);
    const value = shownText(useValue(path));
    const all = value === '' || choices.some((each) => each.value === value) ? choices : [{ value, label: null }, ...choices];
    const choose = (chosen) => change(form, path, isNumber && chosen !== '' ? Number(chosen) : chosen);
    return (_jsxs("select", { ...own, value: value, onChange: (event) => choose(event.currentTarget.value), children: [_jsx("option", { value: "", children: e('none_chosen') }), all.map(({ value: each, label }) => (_jsx("option", { value: each, children: label ?? (list === undefined ? each : listLabel(list, each)) }, each)))] }));
}
