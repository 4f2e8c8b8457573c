import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useLayoutEffect, useState } from 'preact/hooks';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { go, query, withQuery } from '../address.js';
import { Fault, Instead, Waiting, useAsked } from '../asking.js';
import { chosenRepository, readRepositories, repositories } from '../repositories.js';
import { NoRepository } from '../no-repository.js';
import { RepositoryChoice } from '../repository-choice.js';
import { may } from '../session.js';
import { useTitle } from '../title.js';
import { useTyped } from '../typed.js';
import { number, t } from '../words.js';
import { Facets, facetFields, filtersOf } from './facets.js';
import { NewRecord } from './new-record.js';
import { Results } from './results.js';
import { SearchField } from './search-field.js';
const pageSize = 20;
const fields = 'id uri title primary_type level identifier four_part_id component_id dates publish suppressed repository'.split(' ');
const orders = ['title_sort asc', 'title_sort desc', 'user_mtime desc', 'create_time desc'];
const orderWords = ['sort_title', 'sort_title_down', 'sort_changed', 'sort_made'];
export function SearchView() {
    const [fault, setFault] = useState(null);
    const start = () => {
        setFault(null);
        readRepositories().catch(setFault);
    };
    useLayoutEffect(start, []);
    if (fault !== null || repositories.value === undefined)
        return _jsx(Instead, { title: t('nav_find'), fault: fault, again: start });
    if (repositories.value.length === 0 && !may('view_all_records', null))
        return (_jsxs(_Fragment, { children: [_jsx("h1", { class: "hidden", children: t('nav_find') }), _jsx(NoRepository, {})] }));
    return _jsx(Search, { repository: chosenRepository(false) });
}
function Search({ repository }) {
    const asked = query.value;
    const [typed, type] = useTyped('q');
    useTitle(typed === '' ? t('nav_find') : typed);
    const place = repository === null ? '/search' : `${repository}/search`;
    const whole = useAsked(place, toQuery(asked, asked.get('q') ?? ''));
    const begun = wordBegun(asked.get('q') ?? '');
    const isBegun = begun !== null && !whole.isWaiting && totalOf(whole.value) === 0;
    const more = useAsked(isBegun ? place : null, toQuery(asked, begun ?? ''));
    const found = isBegun && totalOf(more.value) > 0 ? more : whole;
    const page = isObject(found.value) ? found.value : undefined;
    const total = Number(page?.['total_hits'] ?? 0);
    return (_jsxs(_Fragment, { children: [_jsx("h1", { class: "hidden", children: t('nav_find') }), _jsxs("search", { class: "find", children: [_jsx(SearchField, { typed: typed, onType: type, repository: repository }), _jsx(RepositoryChoice, { chosen: repository, all: may('view_all_records', null) }), _jsx(Order, {}), _jsx(NewRecord, { repository: repository })] }), _jsx("p", { class: "count", role: "status", children: page === undefined ? '' : total === 1 ? t('found_one') : t('found', { count: total }) }), found.fault !== null && _jsx(Fault, { fault: found.fault, again: found.again }), isObject(whole.value) && _jsx(Hints, { page: whole.value }), page === undefined && found.isWaiting && _jsx(Waiting, {}), page !== undefined && (_jsxs("div", { class: found.isWaiting ? 'found is-waiting' : 'found', children: [_jsx(Facets, { counts: objectOf(objectOf(page, 'facets'), 'facet_fields') ?? {}, isAll: repository === null }), _jsxs("section", { "aria-label": t('results'), children: [total === 0 && !found.isWaiting && (_jsx("p", { class: "empty", children: t(asked.get('q') === null ? 'nothing_yet' : 'nothing_found') })), _jsx(Results, { rows: objectsOf(page, 'results'), isAll: repository === null }), _jsx(Pages, { page: page })] })] }))] }));
}
const totalOf = (value) => (isObject(value) ? Number(value['total_hits'] ?? 0) : -1);
const wordBegun = (q) => /^[\p{L}\p{N}\p{M}\s]*[\p{L}\p{N}\p{M}]{2}$/u.test(q) ? `${q}*` : null;
function toQuery(asked, q) {
    return {
        q: q === '' ? '*' : q,
        page: Math.max(1, Number(asked.get('page')) || 1),
        page_size: pageSize,
        fields,
        facet: facetFields,
        facet_mincount: 1,
        filter_term: filtersOf(asked).map(({ field, value }) => JSON.stringify({ [field]: value })),
        paths: true,
        did_you_mean: true,
        ...(asked.get('sort') === null ? {} : { sort: asked.get('sort') ?? '' }),
    };
}
function Order() {
    return (_jsxs("label", { class: "choice", children: [_jsx("span", { children: t('sort') }), _jsxs("select", { value: query.value.get('sort') ?? '', onChange: (event) => go(withQuery({ sort: event.currentTarget.value }), true), children: [_jsx("option", { value: "", children: t('sort_score') }), orders.map((order, index) => (_jsx("option", { value: order, children: t(orderWords[index] ?? 'sort_title') }, order)))] })] }));
}
function Hints({ page }) {
    const spellings = objectsOf(page, 'did_you_mean').filter((each) => textOf(each, 'query') !== undefined);
    const warnings = objectsOf(page, 'warnings');
    return (_jsxs(_Fragment, { children: [spellings.length > 0 && (_jsxs("p", { class: "hint", children: [t('did_you_mean'), ' ', spellings.map((each) => (_jsxs("a", { href: withQuery({ q: textOf(each, 'query') ?? '' }), children: [_jsx("bdi", { children: textOf(each, 'query') }), " (", countOf(each['total_hits']), ")"] }, textOf(each, 'query'))))] })), warnings.map((each) => (_jsxs("p", { class: "hint", children: [typeof each['column'] === 'number' ? t('query_broken', { column: each['column'] }) : '', ' ', textOf(each, 'message')] }, textOf(each, 'message'))))] }));
}
const countOf = (value) => number(Number(value ?? 0));
function Pages({ page }) {
    const [here, last] = [Number(page['this_page'] ?? 1), Number(page['last_page'] ?? 1)];
    if (last <= 1)
        return null;
    const to = (n) => {
        const address = withQuery({});
        return `${address}${address.includes('?') ? '&' : '?'}page=${n}`;
    };
    return (_jsxs("nav", { class: "pages", "aria-label": t('pages'), children: [here > 1 && (_jsx("a", { rel: "prev", href: to(here - 1), children: t('previous') })), _jsx("span", { children: t('page_of', { page: here, last }) }), here < last && (_jsx("a", { rel: "next", href: to(here + 1), children: t('next') }))] }));
}
