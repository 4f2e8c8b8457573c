// The address of the view: everything one can come back to stands in it. Links are plain links; here they are followed without a reload.
import { computed, signal } from '@preact/signals';

const current = (): URL => new URL(location.href);
const url = signal(current());

/** The path below /console, without a slash at its end: '' is the search. */
export const path = computed(() =>
  decoded(url.value.pathname)
    .replace(/^\/console/, '')
    .replace(/\/$/, ''),
);

/** The path of an address; of one that is cut off within a character that of no view, so that it is said that nothing is there. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return '/console/%';
  }
}

/** What the view is asked for. */
export const query = computed(() => url.value.searchParams);

let mayLeave: ((leave: () => void) => boolean) | null = null;

/** Has every way out of the view asked for first: `ask` says whether it may be gone at once, and has what goes it later. Null: nothing is asked any more. */
export function askBeforeLeaving(ask: ((leave: () => void) => boolean) | null): void {
  mayLeave = ask;
}

// Each address that was gone to has its place in the history, which tells how far Back or Forward went.
let place = placeIn(history.state) ?? 0;
// Whether the browser is on its way back to the view that it was to leave.
let isReturning = false;

function placeIn(state: unknown): number | undefined {
  const found: unknown = state !== null && typeof state === 'object' ? Reflect.get(state, 'place') : undefined;
  return typeof found === 'number' ? found : undefined;
}

/** Goes to an address of the console; `replace` leaves no way back to the present one. */
export function go(to: string, replace = false): void {
  if (to === location.pathname + location.search) return;
  if (mayLeave !== null && !mayLeave(() => go(to, true))) return;
  if (replace) history.replaceState({ place }, '', to);
  else history.pushState({ place: (place += 1) }, '', to);
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
  history.replaceState({ place }, '');
  addEventListener('popstate', followHistory);
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

function followHistory(): void {
  const next = current();
  const known = placeIn(history.state);
  // One without a place is new, as that of the skip link.
  const there = known ?? place + 1;
  if (known === undefined) history.replaceState({ place: there }, '');
  const steps = there - place;
  if (isReturning && steps === 0) {
    isReturning = false;
    return;
  }
  // The browser has gone already: where that has to be asked first, it goes back to the view, and on again by as many steps once that may be left.
  const isElsewhere = next.pathname !== url.value.pathname || next.search !== url.value.search;
  if (mayLeave !== null && isElsewhere && !mayLeave(() => history.go(steps))) {
    isReturning = true;
    history.go(-steps);
    return;
  }
  place = there;
  url.value = next;
}
