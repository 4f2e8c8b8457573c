import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useComputed } from '@preact/signals';
import { useContext, useState } from 'preact/hooks';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { said } from '../saying.js';
import { InForm, below, change, idOf } from './form.js';
import { FaultsAt, Input } from './inputs.js';
import { Linked } from './link.js';
import { emptyPart, fieldsOf, isPlain } from './schema.js';
import { at, moved } from './values.js';
import { e, fieldName, partName } from './words.js';
export function Fields({ path, fields }) {
    const form = useContext(InForm);
    const plain = inOrder(fields.filter(({ shape }) => isPlain(shape)));
    const composed = fields.filter(({ shape }) => !isPlain(shape));
    const filled = useComputed(() => composed
        .filter(({ name, isRequired }) => isRequired || isThere(at(form.value.value, below(path, name))))
        .map(({ name }) => name)
        .join(' ')).value.split(' ');
    const empty = composed.filter(({ name }) => !filled.includes(name));
    return (_jsxs(_Fragment, { children: [plain.length > 0 && (_jsx("div", { class: "grid", children: plain.map(({ name, shape, isRequired }) => (_jsx(Input, { path: below(path, name), shape: shape, label: fieldName(name), isRequired: isRequired }, name))) })), composed
                .filter(({ name }) => filled.includes(name))
                .map((field) => (_jsx(Composed, { path: below(path, field.name), field: field }, field.name))), empty.length > 0 && (_jsx("div", { class: "buttons more", role: "group", "aria-label": e('more_fields'), children: empty.map(({ name, shape }) => (_jsxs("span", { id: idOf(below(path, name)), class: "adding", tabIndex: -1, children: [_jsx(Add, { path: below(path, name), shape: shape, label: fieldName(name) }), _jsx(FaultsAt, { path: below(path, name) })] }, name))) }))] }));
}
const late = new Set('slug is_slug_auto external_ark_url import_current_ark persistent_id ingest_problem ref_id sort_name_auto_generate'.split(' '));
const inOrder = (fields) => {
    const rank = ({ name, shape }) => (late.has(name) ? 2 : 0) + (shape.is === 'flag' ? 1 : 0);
    return fields.toSorted((a, b) => rank(a) - rank(b));
};
const isThere = (value) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
function Composed({ path, field: { name, shape, isRequired } }) {
    const form = useContext(InForm);
    const title = fieldName(name);
    if (shape.is === 'many')
        return _jsx(Many, { path: path, of: shape.of, title: title, isRequired: isRequired });
    return (_jsxs(Group, { path: path, title: title, isRequired: isRequired, children: [!isRequired && (_jsx("div", { class: "tools", children: _jsxs("button", { type: "button", onClick: () => takeAway(form, path, title), children: [e('take_away'), _jsxs("span", { class: "hidden", children: [" ", title] })] }) })), _jsx(Entry, { path: path, shape: shape, title: title })] }));
}
function Group({ path, title, isRequired = false, kind = 'many', children }) {
    return (_jsxs("fieldset", { class: kind, id: idOf(path), tabIndex: -1, children: [_jsx("legend", { class: isRequired ? 'needed' : undefined, children: title }), _jsx(FaultsAt, { path: path }), children] }));
}
function Many({ path, of, title, isRequired }) {
    const form = useContext(InForm);
    const count = useComputed(() => listAt(form, path).length).value;
    return (_jsxs(Group, { path: path, title: title, isRequired: isRequired, children: [Array.from({ length: count }, (_, index) => (_jsx(One, { path: below(path, index), index: index, count: count, of: of, title: title }, index))), _jsx(Add, { path: path, shape: { is: 'many', of }, label: count === 0 ? title : e('another', { what: title }) })] }));
}
const listAt = (form, path) => {
    const list = at(form.value.value, path);
    return Array.isArray(list) ? list : [];
};
function One({ path, index, count, of, title }) {
    const form = useContext(InForm);
    const type = useType(path);
    const list = path.slice(0, path.lastIndexOf('/'));
    const name = of.is === 'part' && type !== undefined ? partName(type) : title;
    const called = `${name} ${index + 1}`;
    const move = (to) => {
        change(form, list, moved(listAt(form, list), index, to));
        said.value = e('moved_to', { what: called, place: to + 1 });
        const [up, down] = [`${idOf(below(list, to))}-up`, `${idOf(below(list, to))}-down`];
        focusSoon(to < index ? [up, down] : [down, up]);
    };
    const remove = () => {
        change(form, list, listAt(form, list).filter((_, each) => each !== index));
        said.value = e('taken_away', { what: called });
        focusSoon([`${idOf(list)}-add`, idOf(list)]);
    };
    const tools = (_jsxs("div", { class: "tools", children: [count > 1 && (_jsxs(_Fragment, { children: [_jsxs("button", { type: "button", id: `${idOf(path)}-up`, disabled: index === 0, onClick: () => move(index - 1), children: [_jsx("span", { "aria-hidden": "true", children: "\u2191" }), _jsx("span", { class: "hidden", children: e('move_up', { what: called }) })] }), _jsxs("button", { type: "button", id: `${idOf(path)}-down`, disabled: index === count - 1, onClick: () => move(index + 1), children: [_jsx("span", { "aria-hidden": "true", children: "\u2193" }), _jsx("span", { class: "hidden", children: e('move_down', { what: called }) })] })] })), _jsxs("button", { type: "button", onClick: remove, children: [_jsx("span", { "aria-hidden": "true", children: "\u2715" }), _jsx("span", { class: "hidden", children: e('remove_this', { what: called }) })] })] }));
    if (isPlain(of) || (of.is === 'part' && type === undefined))
        return (_jsxs("div", { class: "plain-entry", children: [_jsx(Input, { path: path, shape: isPlain(of) ? of : { is: 'text', isLong: true }, label: called, isRequired: false }), tools] }));
    return (_jsxs(Group, { path: path, title: called, kind: "entry", children: [tools, _jsx(Entry, { path: path, shape: of, title: name })] }));
}
function Entry({ path, shape, title }) {
    const form = useContext(InForm);
    const type = useType(path);
    if (shape.is === 'link')
        return (_jsxs(_Fragment, { children: [_jsx(Linked, { path: path, to: shape.to, label: title }), shape.own.length > 0 && _jsx(Fields, { path: path, fields: shape.own })] }));
    if (shape.is === 'inline')
        return _jsx(Fields, { path: path, fields: shape.fields });
    if (shape.is !== 'part')
        return null;
    return _jsx(Fields, { path: path, fields: fieldsOf(form.schemas, type ?? shape.names[0] ?? '') });
}
function useType(path) {
    const form = useContext(InForm);
    return useComputed(() => {
        const value = at(form.value.value, path);
        return isObject(value) ? textOf(value, 'jsonmodel_type') : undefined;
    }).value;
}
function Add({ path, shape, label }) {
    const form = useContext(InForm);
    const of = shape.is === 'many' ? shape.of : shape;
    const names = of.is === 'part' ? of.names : [];
    const [name, setName] = useState(names.length === 1 ? (names[0] ?? '') : '');
    const add = (type) => {
        const value = newValue(form.schemas, of, type);
        if (shape.is !== 'many')
            change(form, path, value);
        else
            change(form, path, [...listAt(form, path), value]);
        const place = shape.is === 'many' ? below(path, listAt(form, path).length - 1) : path;
        if (names.length > 1)
            setName('');
        said.value = e('added', { what: label });
        focusSoon([idOf(place)], true);
    };
    if (names.length <= 1)
        return (_jsxs("button", { type: "button", id: `${idOf(path)}-add`, onClick: () => add(name), children: ["+ ", label] }));
    return (_jsxs(_Fragment, { children: [_jsxs("select", { id: `${idOf(path)}-add`, "aria-label": e('add_which', { what: label }), value: name, onChange: (event) => setName(event.currentTarget.value), children: [_jsxs("option", { value: "", children: [label, " \u2026"] }), names.map((each) => (_jsx("option", { value: each, children: partName(each) }, each))), of.is === 'part' && of.orText && _jsx("option", { value: textType, children: e('text') })] }), ' ', _jsxs("button", { type: "button", disabled: name === '', onClick: () => add(name), children: ["+ ", e('add'), _jsxs("span", { class: "hidden", children: [" ", label] })] })] }));
}
const textType = ' text';
function newValue(schemas, of, type) {
    if (of.is === 'part')
        return type === textType ? '' : emptyPart(schemas, type);
    if (of.is === 'flag')
        return false;
    return isPlain(of) ? '' : {};
}
function takeAway(form, path, title) {
    change(form, path, undefined);
    said.value = e('taken_away', { what: title });
    focusSoon([`${idOf(path)}-add`]);
}
function focusSoon(ids, inside = false) {
    requestAnimationFrame(() => {
        for (const id of ids) {
            const element = document.getElementById(id);
            const found = inside ? (element?.querySelector('input, select, textarea') ?? element) : element;
            if (found === null || found === undefined || (found instanceof HTMLButtonElement && found.disabled))
                continue;
            found.focus();
            return;
        }
    });
}
