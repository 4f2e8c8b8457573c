// The address of the view: everything one can come back to stands in it. Links are plain links; here they are followed without a reload.
import { computed, signal } from '@preact/signals';

const current = (): URL => new URL(location.href);
const url = signal(current());

/** The path below /console, without a slash at its end: '' is the search. */
export const path = computed(() =>
  decodeURIComponent(url.value.pathname)
    .replace(/^\/console/, '')
    .replace(/\/$/, ''),
);

/** What the view is asked for. */
export const query = computed(() => url.value.searchParams);

let mayLeave: ((to: string) => boolean) | null = null;

/** Has every way out of the view asked for first: `ask` says whether it may be gone to an address at once. Null: nothing is asked any more. */
export function askBeforeLeaving(ask: ((to: string) => boolean) | null): void {
  mayLeave = ask;
}

/** Goes to an address of the console; `replace` leaves no way back to the present one. */
export function go(to: string, replace = false): void {
  if (to === location.pathname + location.search) return;
  if (mayLeave !== null && !mayLeave(to)) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  url.value = current();
  if (!replace) scrollTo(0, 0);
}

/** The present address with other values of the query; null takes one away, and the page of results begins anew. */
export function withQuery(changes: { readonly [name: string]: string | null }): string {
  const next = new URLSearchParams(query.value);
  next.delete('page');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return location.pathname + (text === '' ? '' : `?${text}`);
}

/** Where a record is shown, or a job. */
export const recordAddress = (uri: string): string => `/console/${/\/jobs\/\d+$/.test(uri) ? 'job' : 'record'}${uri}`;

/** Begins to follow links and the buttons of the browser. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    const { href } = url.value;
    const next = current();
    // The browser has gone back already: where that has to be asked first, the address is that of the view again.
    if (mayLeave !== null && next.pathname !== url.value.pathname && !mayLeave(next.pathname + next.search))
      history.pushState(null, '', href);
    else url.value = next;
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return;
    if (!/^\/console(\/|$)/.test(link.pathname) || link.pathname.startsWith('/console/files/') || link.hash !== '')
      return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
