import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { query } from '../address.js';
import { propertyName, typeName, valueName } from '../labels.js';
import { repositoryName } from '../repositories.js';
import { number, t } from '../words.js';
export const facetFields = ['primary_type', 'repository', 'level', 'subjects', 'agents'];
const mostShown = 8;
const isWide = matchMedia('(min-width: 46rem)').matches;
export const filtersOf = (asked) => asked.getAll('f').flatMap((text) => {
    const at = text.indexOf(':');
    return at > 0 ? [{ field: text.slice(0, at), value: text.slice(at + 1) }] : [];
});
function toggled({ field, value }) {
    const text = `${field}:${value}`;
    const next = new URLSearchParams(query.value);
    const others = next.getAll('f').filter((each) => each !== text);
    const has = others.length !== next.getAll('f').length;
    next.delete('f');
    next.delete('page');
    for (const each of has ? others : [...others, text])
        next.append('f', each);
    return `/console?${next.toString()}`;
}
function shownValue({ field, value }) {
    if (field === 'primary_type')
        return typeName(value);
    if (field === 'repository')
        return value === 'global' ? t('of_all') : repositoryName(value);
    return valueName(field, value);
}
export function Facets({ counts, isAll }) {
    const filters = filtersOf(query.value);
    const isOn = (field, value) => filters.some((each) => each.field === field && each.value === value);
    const fields = facetFields.filter((field) => field !== 'repository' || isAll);
    return (_jsxs("aside", { "aria-label": t('narrow'), children: [filters.length > 0 && (_jsx("ul", { class: "filters", "aria-label": t('filters'), children: filters.map((each) => (_jsx("li", { children: _jsxs("a", { href: toggled(each), title: t('filter_off'), children: [_jsxs("span", { class: "soft", children: [propertyName(each.field), ":"] }), " ", _jsx("bdi", { children: shownValue(each) }), ' ', _jsx("span", { "aria-hidden": "true", children: "\u00D7" }), _jsx("span", { class: "hidden", children: t('filter_off') })] }) }, `${each.field}:${each.value}`))) })), _jsxs("details", { class: "narrow", open: isWide, children: [_jsx("summary", { children: t('narrow') }), fields.map((field) => {
                        const values = pairs(counts[field]).filter(([value]) => !isOn(field, value));
                        return values.length === 0 ? null : _jsx(Facet, { field: field, values: values }, field);
                    })] })] }));
}
function Facet({ field, values, }) {
    const line = ([value, count]) => (_jsxs("li", { children: [_jsx("a", { href: toggled({ field, value }), children: _jsx("bdi", { children: shownValue({ field, value }) }) }), ' ', _jsx("span", { class: "soft", children: number(count) })] }, value));
    return (_jsxs("details", { class: "facet", open: true, children: [_jsx("summary", { children: propertyName(field) }), _jsx("ul", { children: values.slice(0, mostShown).map(line) }), values.length > mostShown && (_jsxs("details", { children: [_jsx("summary", { children: t('more', { count: values.length - mostShown }) }), _jsx("ul", { children: values.slice(mostShown).map(line) })] }))] }));
}
function pairs(list) {
    if (!Array.isArray(list))
        return [];
    const flat = list;
    return flat.flatMap((value, index) => index % 2 === 0 ? [[String(value), Number(flat[index + 1] ?? 0)]] : []);
}
