// The page /docs: its contents come first, an area's section when the area or one of its operations is opened.
import { button, disclosure, element, found } from './elements.mjs';
import { operationView } from './operation.mjs';
import { startSession } from './session.mjs';
/** @import { Area, Contents, Entry, Section } from './document.ts' */

/** @typedef {{ readonly entry: Entry, readonly words: string, readonly row: HTMLDetailsElement }} Row */
/** @typedef {{ readonly area: Area, readonly details: HTMLDetailsElement, readonly rows: readonly Row[] }} Shown */

/** @type {Map<string, Promise<Section>>} */
const sections = new Map();

/**
 * The section of an area, asked for once. What failed is asked for again.
 * @param {Area} area
 */
function sectionOf({ slug }) {
  const known = sections.get(slug);
  if (known !== undefined) return known;
  const asked = readJson(`/openapi/${slug}.json`);
  sections.set(slug, asked);
  asked.catch(() => sections.delete(slug));
  return asked;
}

/** @param {string} path */
async function readJson(path) {
  const reply = await fetch(path);
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.json();
}

/**
 * The row of an operation; its content is made when it is opened.
 * @param {Area} area
 * @param {Entry} entry
 * @returns {Row}
 */
function makeRow(area, entry) {
  const { id, method, path, summary, deprecated } = entry;
  const content = element('div', { class: 'content' });
  const row = disclosure(
    { id, class: 'operation', 'data-method': method },
    [
      element('span', { class: 'method' }, method),
      element('code', { class: deprecated ? 'path deprecated' : 'path' }, ...breakable(path)),
      element('span', { class: 'summary' }, deprecated ? `${summary} (deprecated)` : summary),
    ],
    () => {
      const fill = async () => {
        content.replaceChildren(element('p', { role: 'status' }, 'Loading…'));
        try {
          content.replaceChildren(...operationView(entry, await sectionOf(area)));
        } catch (error) {
          const again = button('Try again', fill);
          content.replaceChildren(element('p', { role: 'alert', class: 'fault' }, `${String(error)} `, again));
        }
      };
      void fill();
      return [content];
    },
  );
  row.addEventListener('toggle', () => {
    if (row.open) history.replaceState(null, '', `#${id}`);
  });
  return { entry, words: `${method} ${path} ${summary} ${id} ${area.name}`.toLowerCase(), row };
}

/**
 * A path that may be broken at its slashes.
 * @param {string} path
 */
const breakable = (path) => path.split(/(?<=.)(?=\/)/).flatMap((part) => [element('wbr'), part]);

/**
 * @param {Area} area
 * @returns {Shown}
 */
function makeArea(area) {
  const rows = area.operations.map((entry) => makeRow(area, entry));
  const details = element(
    'details',
    { class: 'area', id: `area/${area.slug}` },
    element(
      'summary',
      {},
      element('h2', {}, area.name),
      element('span', { class: 'text' }, area.text),
      element('span', { class: 'count' }, String(rows.length)),
    ),
    ...rows.map(({ row }) => row),
  );
  details.querySelector('summary')?.addEventListener('click', () => {
    // Opened by hand, not by the filter: what it holds will be wanted.
    if (!details.open) void sectionOf(area).catch(() => undefined);
  });
  return { area, details, rows };
}

/**
 * Shows the operations that have all words of the filter, with their areas open; all areas closed where there is none.
 * @param {readonly Shown[]} all
 * @param {string} text
 */
function filter(all, text) {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  let count = 0;
  for (const { details, rows } of all) {
    let inArea = 0;
    for (const { row, words: own } of rows) {
      row.hidden = !words.every((word) => own.includes(word));
      if (!row.hidden) inArea += 1;
    }
    details.hidden = inArea === 0;
    details.open = words.length > 0 && inArea > 0;
    count += inArea;
  }
  found('page-found').textContent = words.length === 0 ? '' : `${count} ${count === 1 ? 'operation' : 'operations'}`;
}

/**
 * What the address names; nothing where it is cut off within a character.
 * @param {string} text
 */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/**
 * Opens what the address names after '#': an operation or an area.
 * @param {readonly Shown[]} all
 */
function openNamed(all) {
  const name = decoded(location.hash.slice(1));
  const named = all.find(
    ({ area, rows }) => name === `area/${area.slug}` || rows.some(({ entry }) => entry.id === name),
  );
  if (named === undefined) return;
  named.details.hidden = false;
  named.details.open = true;
  const target = named.rows.find(({ entry }) => entry.id === name)?.row ?? named.details;
  target.hidden = false;
  target.open = true;
  target.querySelector('summary')?.focus({ preventScroll: true });
  target.scrollIntoView();
}

/** @param {readonly Shown[]} all */
function listen(all) {
  const field = found('page-filter');
  if (!(field instanceof HTMLInputElement)) return;
  field.addEventListener('input', () => filter(all, field.value));
  addEventListener('hashchange', () => openNamed(all));
  // As on other pages of this kind, a slash goes to the filter, wherever no text is being typed.
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  if (field.value !== '') filter(all, field.value);
}

async function start() {
  const areas = found('page-areas');
  try {
    /** @type {Contents} */
    const contents = await readJson('/docs/contents.json');
    found('page-version').textContent = contents.version;
    startSession(contents.header);
    const all = contents.areas.map(makeArea);
    areas.replaceChildren(...all.map(({ details }) => details));
    listen(all);
    openNamed(all);
  } catch (error) {
    areas.replaceChildren(
      element('p', { role: 'alert', class: 'fault' }, `The contents cannot be read: ${String(error)}`),
    );
  }
}

await start();
