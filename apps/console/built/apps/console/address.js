import { computed, signal } from '@preact/signals';
const current = () => new URL(location.href);
const url = signal(current());
export const path = computed(() => decoded(url.value.pathname)
    .replace(/^\/console/, '')
    .replace(/\/$/, ''));
function decoded(pathname) {
    try {
        return decodeURIComponent(pathname);
    }
    catch {
        return '/console/%';
    }
}
export const query = computed(() => url.value.searchParams);
let mayLeave = null;
export function askBeforeLeaving(ask) {
    mayLeave = ask;
}
let place = placeIn(history.state) ?? 0;
let isReturning = false;
function placeIn(state) {
    const found = state !== null && typeof state === 'object' ? Reflect.get(state, 'place') : undefined;
    return typeof found === 'number' ? found : undefined;
}
export function go(to, replace = false) {
    if (to === location.pathname + location.search)
        return;
    if (mayLeave !== null && !mayLeave(() => go(to, true)))
        return;
    if (replace)
        history.replaceState({ place }, '', to);
    else
        history.pushState({ place: (place += 1) }, '', to);
    url.value = current();
    if (!replace)
        scrollTo(0, 0);
}
export function withQuery(changes) {
    const next = new URLSearchParams(query.value);
    next.delete('page');
    for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '')
            next.delete(name);
        else
            next.set(name, value);
    }
    const text = next.toString();
    return location.pathname + (text === '' ? '' : `?${text}`);
}
export const recordAddress = (uri) => `/console/${/\/jobs\/\d+$/.test(uri) ? 'job' : 'record'}${uri}`;
export function followLinks() {
    history.replaceState({ place }, '');
    addEventListener('popstate', followHistory);
    document.addEventListener('click', (event) => {
        if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
            return;
        const link = event.target instanceof Element ? event.target.closest('a') : null;
        if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
            return;
        if (!/^\/console(\/|$)/.test(link.pathname) || link.pathname.startsWith('/console/files/') || link.hash !== '')
            return;
        event.preventDefault();
        go(link.pathname + link.search);
    });
}
function followHistory() {
    const next = current();
    const known = placeIn(history.state);
    const there = known ?? place + 1;
    if (known === undefined)
        history.replaceState({ place: there }, '');
    const steps = there - place;
    if (isReturning && steps === 0) {
        isReturning = false;
        return;
    }
    const isElsewhere = next.pathname !== url.value.pathname || next.search !== url.value.search;
    if (mayLeave !== null && isElsewhere && !mayLeave(() => history.go(steps))) {
        isReturning = true;
        history.go(-steps);
        return;
    }
    place = there;
    url.value = next;
}
