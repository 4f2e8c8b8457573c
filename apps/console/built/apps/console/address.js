import { computed, signal } from '@preact/signals';
const current = () => new URL(location.href);
const url = signal(current());
export const path = computed(() => decodeURIComponent(url.value.pathname)
    .replace(/^\/console/, '')
    .replace(/\/$/, ''));
export const query = computed(() => url.value.searchParams);
let mayLeave = null;
export function askBeforeLeaving(ask) {
    mayLeave = ask;
}
export function go(to, replace = false) {
    if (to === location.pathname + location.search)
        return;
    if (mayLeave !== null && !mayLeave(to))
        return;
    if (replace)
        history.replaceState(null, '', to);
    else
        history.pushState(null, '', to);
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
    addEventListener('popstate', () => {
        const { href } = url.value;
        const next = current();
        if (mayLeave !== null && next.pathname !== url.value.pathname && !mayLeave(next.pathname + next.search))
            history.pushState(null, '', href);
        else
            url.value = next;
    });
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
