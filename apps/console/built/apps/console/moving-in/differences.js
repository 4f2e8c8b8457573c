import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useMemo } from 'preact/hooks';
import { go, query, recordAddress, withQuery } from '../address.js';
import { Pager } from '../pager.js';
import { useTyped } from '../typed.js';
import { number } from '../words.js';
import { differing } from './differing.js';
import { narrowed, narrowingOf, parts, valuesOf } from './narrowing.js';
import { sorts } from './report.js';
import { say } from './words.js';
const pageSize = 50;
const headId = 'differences';
export function goToDifferences(to) {
    go(to);
    document.getElementById(headId)?.focus();
}
const mostValues = 300;
const none = Object.fromEntries(parts.map((part) => [part, null]));
export function Differences({ report: { kept } }) {
    const narrowing = narrowingOf(query.value);
    const found = useMemo(() => narrowed(kept, narrowing), [kept, JSON.stringify(narrowing)]);
    const last = Math.max(1, Math.ceil(found.length / pageSize));
    const page = Math.min(last, Math.max(1, Number(query.value.get('page')) || 1));
    const isNarrowed = parts.some((part) => narrowing[part] !== '');
    return (_jsxs(_Fragment, { children: [_jsx("h3", { id: headId, tabIndex: -1, children: say('each') }), _jsxs("search", { class: "find", children: [_jsx(Choices, { all: kept, narrowing: narrowing }), _jsx(TextField, {})] }), _jsxs("p", { class: "count", role: "status", children: [say('shown', { count: found.length, total: kept.length }), ' ', isNarrowed && (_jsx("button", { type: "button", class: "plain", onClick: () => go(withQuery(none), true), children: say('show_all') }))] }), found.length === 0 && _jsx("p", { class: "empty", children: say('none_so') }), _jsx("ol", { class: "differences", "aria-labelledby": headId, children: found.slice((page - 1) * pageSize, page * pageSize).map((each, index) => (_jsx(Shown, { difference: each }, `${page} ${index}`))) }), _jsx(Pager, { label: say('each'), page: page, last: last, onTurn: (to) => goToDifferences(withQuery({ page: String(to) })) })] }));
}
function Choices({ all, narrowing }) {
    const nameOf = (part, value) => {
        const sort = sorts.find((each) => part === 'sort' && each === value);
        return sort === undefined ? value : say(sort);
    };
    const choices = useMemo(() => ['sort', 'list', 'property'].map((part) => [part, valuesOf(all, part, narrowing)]), [all, JSON.stringify(narrowing)]);
    return (_jsx(_Fragment, { children: choices.map(([part, values]) => (_jsxs("label", { class: "choice", children: [_jsx("span", { children: say(`by_${part}`) }), _jsxs("select", { value: narrowing[part], onChange: (event) => go(withQuery({ [part]: event.currentTarget.value }), true), children: [_jsx("option", { value: "", children: say('any') }), narrowing[part] !== '' && !values.some(([value]) => value === narrowing[part]) && (_jsx("option", { value: narrowing[part], children: nameOf(part, narrowing[part]) })), values.slice(0, mostValues).map(([value, count]) => (_jsxs("option", { value: value, children: [nameOf(part, value), " (", number(count), ")"] }, value)))] })] }, part))) }));
}
function TextField() {
    const [typed, type] = useTyped('text');
    return (_jsxs("label", { class: "choice by-text", children: [_jsx("span", { children: say('by_text') }), _jsx("input", { type: "search", value: typed, onInput: (event) => type(event.currentTarget.value) })] }));
}
const isHere = ({ sort, uri }) => sort !== 'missing' && sort !== 'deleted' && /^\/[a-z_]+[a-z_/\d]*\/\d+$/.test(uri);
function Shown({ difference }) {
    const { sort, uri, property, place, source, here } = difference;
    return (_jsxs("li", { children: [_jsxs("p", { class: "facts", children: [_jsx("span", { class: "badge", children: say(sort) }), isHere(difference) ? (_jsx("a", { href: recordAddress(uri), children: _jsx("bdi", { children: uri }) })) : (_jsx("bdi", { children: uri })), place !== '' && _jsx("code", { children: place }), sort === 'search' && _jsx("span", { children: property })] }), sort === 'unread' ? (_jsxs("p", { class: "reason", children: [say(here === null ? 'unread_source' : 'unread_here'), " ", _jsx("bdi", { children: source ?? here })] })) : source === null && here === null ? null : (_jsx(Pair, { source: source, here: here }))] }));
}
const mostAround = 160;
const mostOfPlace = 2000;
function Pair({ source, here }) {
    const { before, after, ...own } = differing(source ?? '', here ?? '');
    const sides = [
        [say('source'), source, own.source],
        [say('here'), here, own.here],
    ];
    const isCut = Math.max(before.length, after.length) > mostAround || Math.max(own.source.length, own.here.length) > mostOfPlace;
    return (_jsxs(_Fragment, { children: [_jsx("div", { class: "versions pair", children: sides.map(([label, text, part]) => (_jsxs("div", { class: "version", children: [_jsx("p", { class: "soft", children: label }), text === null || text === '' ? (_jsx("p", { class: "soft", children: say(text === null ? 'nothing' : 'empty_text') })) : (_jsxs("p", { class: "value", dir: "auto", children: [before.length > mostAround ? `…${before.slice(-mostAround)}` : before, part !== '' && _jsx("mark", { children: part.length > mostOfPlace ? `${part.slice(0, mostOfPlace)}…` : part }), after.length > mostAround ? `${after.slice(0, mostAround)}…` : after] }))] }, label))) }), isCut && (_jsxs("details", { children: [_jsx("summary", { children: say('whole') }), _jsx("div", { class: "versions pair", children: sides.map(([label, text]) => (_jsxs("div", { class: "version", children: [_jsx("p", { class: "soft", children: label }), _jsx("p", { class: "value", dir: "auto", children: text })] }, label))) })] }))] }));
}
