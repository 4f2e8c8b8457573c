import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { withQuery } from '../address.js';
import { Table } from '../table.js';
import { number, t } from '../words.js';
import { goToDifferences } from './differences.js';
import { sorts } from './report.js';
import { say } from './words.js';
export function verdictOn({ verdict, total }) {
    if (verdict?.same === true)
        return say('same');
    return total === 1 ? say('one_difference') : say('differences', { count: total });
}
export function Summary({ report }) {
    const { verdict, kept, total, broken, brokenTotal } = report;
    return (_jsxs(_Fragment, { children: [_jsx("p", { class: verdict?.same === true ? 'verdict fine' : 'verdict', children: _jsx("strong", { children: verdictOn(report) }) }), verdict === null ? (_jsx("p", { class: "notice", children: say('no_verdict') })) : (_jsx("dl", { class: "properties", children: [say('source'), say('here')].map((name, index) => (_jsxs("div", { children: [_jsx("dt", { children: name }), _jsx("dd", { children: _jsx("bdi", { children: index === 0 ? verdict.source : verdict.here }) })] }, name))) })), verdict?.isSampled === false && _jsx("p", { class: "hint", children: say('not_sampled') }), kept.length < total && _jsx("p", { class: "notice", children: say('not_all', { kept: kept.length, total }) }), brokenTotal > 0 && (_jsxs("div", { class: "fault-box", children: [_jsx("p", { children: say('broken', { count: brokenTotal }) }), _jsx("ul", { children: broken.map(({ line, why }) => (_jsxs("li", { children: [t('at_line', { line }), ": ", say(`broken_${why}`)] }, line))) }), brokenTotal > broken.length && _jsx("p", { children: t('more', { count: brokenTotal - broken.length }) })] })), _jsx(Lists, { report: report }), verdict !== null && verdict.allowed.size > 0 && (_jsxs("details", { children: [_jsx("summary", { children: say('allowed') }), _jsx("p", { class: "hint", children: say('allowed_more') }), _jsx(Table, { title: say('allowed'), columns: [say('records'), say('reason')], rows: [...verdict.allowed].map(([reason, count]) => [number(count), reason]) })] }))] }));
}
function Lists({ report: { verdict, counts } }) {
    const known = new Map((verdict?.lists ?? []).map((each) => [each.list, each]));
    const names = [...new Set([...known.keys(), ...counts.keys()])];
    const differing = names.filter((list) => counts.has(list) || (known.get(list)?.differing ?? 0) > 0);
    const same = names.filter((list) => !differing.includes(list));
    const shown = sorts.filter((sort) => [...counts.values()].some((ofList) => ofList.has(sort)));
    const records = verdict === null ? [] : [say('in_source'), say('in_here'), say('records_differing')];
    return (_jsxs(_Fragment, { children: [differing.length > 0 && (_jsx(Table, { title: say('lists'), columns: [say('list'), ...records, ...shown.map((sort) => say(sort))], isNamed: true, rows: differing.map((list) => [
                    _jsx("bdi", { children: list }, "list"),
                    ...(verdict === null ? [] : figuresOf(known.get(list))),
                    ...shown.map((sort) => _jsx(Count, { list: list, sort: sort, count: counts.get(list)?.get(sort) }, sort)),
                ]) })), same.length > 0 && (_jsxs("details", { children: [_jsx("summary", { children: say('lists_same', { count: same.length }) }), _jsx(Table, { title: say('lists_same', { count: same.length }), columns: [say('list'), say('in_source'), say('in_here')], isNamed: true, rows: same.map((list) => [_jsx("bdi", { children: list }, "list"), ...figuresOf(known.get(list)).slice(0, 2)]) })] }))] }));
}
const figuresOf = (counted) => [counted?.source, counted?.here, counted?.differing].map((value) => (value === undefined ? '' : number(value)));
function Count({ list, sort, count }) {
    if (count === undefined)
        return _jsx(_Fragment, {});
    const to = withQuery({ list, sort, property: null, text: null });
    return (_jsx("a", { href: to, "aria-label": say('show_these', { count, sort: say(sort), list }), onClick: (event) => {
            event.preventDefault();
            goToDifferences(to);
        }, children: number(count) }));
}
