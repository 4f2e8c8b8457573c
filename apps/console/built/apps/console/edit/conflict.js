import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useRef, useState } from 'preact/hooks';
import { textOf } from '../../../libs/domain/json.js';
import { Value } from '../record/properties.js';
import { time } from '../words.js';
import { bare, changedBetween, isSame, put } from './values.js';
import { e, fieldName } from './words.js';
export function Conflict({ base, theirs, mine, names, onResolved }) {
    const [chosen, setChosen] = useState({});
    const [isEarly, setEarly] = useState(false);
    const head = useRef(null);
    useEffect(() => head.current?.focus(), []);
    const byThem = changedBetween(names, base, theirs);
    const byMe = changedBetween(names, base, mine);
    const both = byThem.filter((name) => byMe.includes(name) && !isSame(theirs[name], mine[name]));
    const others = byThem.filter((name) => !byMe.includes(name));
    const resolve = () => {
        if (both.some((name) => chosen[name] === undefined)) {
            setEarly(true);
            return;
        }
        const taken = byMe.filter((name) => !both.includes(name) || chosen[name] === 'mine');
        onResolved(taken.reduce((value, name) => put(value, name, mine[name]), theirs));
    };
    return (_jsxs("section", { class: "conflict", "aria-labelledby": "conflict", children: [_jsx("h2", { id: "conflict", tabIndex: -1, ref: head, children: e('conflict_title') }), _jsx("p", { children: e('conflict_by', { who: textOf(theirs, 'last_modified_by') ?? '–', when: time(textOf(theirs, 'user_mtime')) }) }), both.length === 0 && _jsx("p", { children: e('conflict_none') }), both.map((name) => (_jsxs("fieldset", { class: "versions", children: [_jsx("legend", { children: fieldName(name) }), _jsxs("div", { class: "version", children: [_jsx("p", { class: "soft", children: e('was') }), _jsx(Shown, { name: name, value: base[name] })] }), ['theirs', 'mine'].map((which) => (_jsxs("div", { class: chosen[name] === which ? 'version chosen' : 'version', children: [_jsxs("label", { children: [_jsx("input", { type: "radio", name: `conflict-${name}`, checked: chosen[name] === which, onChange: () => setChosen({ ...chosen, [name]: which }) }), ' ', e(which === 'mine' ? 'yours' : 'theirs'), _jsxs("span", { class: "hidden", children: [" ", fieldName(name)] })] }), _jsx(Shown, { name: name, value: (which === 'mine' ? mine : theirs)[name] })] }, which)))] }, name))), others.length > 0 && (_jsx("div", { class: "wide", children: _jsxs("table", { children: [_jsx("caption", { children: e('conflict_theirs') }), _jsx("thead", { children: _jsxs("tr", { children: [_jsx("th", { scope: "col", children: e('field') }), _jsx("th", { scope: "col", children: e('was') }), _jsx("th", { scope: "col", children: e('theirs') })] }) }), _jsx("tbody", { children: others.map((name) => (_jsxs("tr", { children: [_jsx("th", { scope: "row", children: fieldName(name) }), _jsx("td", { children: _jsx(Shown, { name: name, value: base[name] }) }), _jsx("td", { children: _jsx(Shown, { name: name, value: theirs[name] }) })] }, name))) })] }) })), isEarly && (_jsx("p", { class: "fault", role: "alert", children: e('conflict_left') })), _jsx("div", { class: "buttons", children: _jsx("button", { type: "button", class: "main", onClick: resolve, children: e('conflict_save') }) })] }));
}
function Shown({ name, value }) {
    const said = withTitles(value);
    return said === null || said === '' || (Array.isArray(said) && said.length === 0) ? (_jsx("p", { class: "soft", children: e('nothing') })) : (_jsx("div", { class: "said", children: _jsx(Value, { name: name, value: said }) }));
}
const withTitles = (value) => (isSame(value, null) ? null : (value ?? bare(value)));
