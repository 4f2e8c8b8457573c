// A title with markup as the HTML that trees show: `parsed_title` (contract, trees 1.7).
// Whatever a title holds, what comes out is well-formed and has no element or attribute that is not named here.

import { knownEntities } from '../formats/xml/entities.ts';
import { SectionEnds } from './section-ends.ts';

// The basic elements that text may have, with the attributes each keeps.
const allowed: ReadonlyMap<string, readonly string[]> = new Map([
  ...'b br cite code dd dl dt em i li ol p pre small span strike strong sub sup u ul'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, []]),
  ['a', ['href']],
  ['blockquote', ['cite']],
  ['q', ['cite']],
]);
const rendered = new Set(['emph', 'title', 'unitdate']);
// The ends of what is dropped whole, the likeliest first: the content of scripts and styles is no text, and `<!--` may begin a declaration, too.
const closings: { readonly [beginning: string]: readonly RegExp[] } = {
  '<!--': [/-->/g, />/g],
  '<!': [/>/g],
  '<?': [/\?>/g],
  '<script': [/<\/script\s*>/gi],
  '<style': [/<\/style\s*>/gi],
};
const tagEnd = />/g;
// Behind the name of an element comes a blank or the end of the tag; what else stands in such brackets (`<ann@example.org>`) is text.
const tag = /<(\/?)([A-Za-z][A-Za-z0-9:._-]*)(?=\s|\/?>)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;
// A name is looked for where one begins, and not at each letter of a word that is none: that would take the square of its length.
const attribute = /(?<![A-Za-z0-9:_-])([A-Za-z][A-Za-z0-9:_-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const references = knownEntities();

/** The HTML of a title: null for null, '' for a blank one. `emph`, `title` and `unitdate` become a span with their `render` as class. */
export function parsedTitle(title: string | null): string | null {
  if (title === null) return null;
  const text = withoutDropped(title.trim());
  if (!text.includes('<') && !text.includes('&') && !text.includes('>')) return text;
  const open: { readonly name: string; readonly html: string }[] = [];
  let out = '';
  let at = 0;
  for (const found of text.matchAll(tag)) {
    out += escape(decode(text.slice(at, found.index)));
    at = found.index + found[0].length;
    const name = (found[2] ?? '').toLowerCase();
    const element = name === 'lb' || name === 'br' ? 'br' : name;
    if (element === 'br') out += found[1] === '' ? '<br />' : '';
    else if (found[1] === '/') out += close(open, name);
    else out += opened(open, name, found[3] ?? '', found[4] === '/');
  }
  out += escape(decode(text.slice(at)));
  return (
    out +
    open
      .reverse()
      .map((element) => `</${element.html}>`)
      .join('')
  );
}

function withoutDropped(text: string): string {
  const beginning = /<!--|<[!?]|<(?:script|style)\b/gi;
  const ends = new SectionEnds(text);
  let kept = '';
  let from = 0;
  for (let found = beginning.exec(text); found !== null; found = beginning.exec(text)) {
    const opening = found[0].toLowerCase();
    // A script or a style begins behind its start tag.
    const start = opening.startsWith('<s') ? ends.after(tagEnd, beginning.lastIndex) : beginning.lastIndex;
    if (start === null) continue;
    const end = (closings[opening] ?? []).map((closing) => ends.after(closing, start)).find((each) => each !== null);
    if (end == null) continue;
    kept += text.slice(from, found.index);
    from = beginning.lastIndex = end;
  }
  return kept + text.slice(from);
}

function opened(
  open: { readonly name: string; readonly html: string }[],
  name: string,
  attributeText: string,
  isEmpty: boolean,
): string {
  const html = startTag(name, attributeText);
  if (html === null) return '';
  const element = html.startsWith('code ') ? 'code' : html.startsWith('span ') ? 'span' : name;
  if (isEmpty) return `<${html}></${element}>`;
  open.push({ name, html: element });
  return `<${html}>`;
}

// The inside of the start tag, or null where the element is not allowed and only its content stays.
function startTag(name: string, attributeText: string): string | null {
  const attributes = new Map(
    [...attributeText.matchAll(attribute)].map((found) => [
      (found[1] ?? '').toLowerCase(),
      decode(found[2] ?? found[3] ?? found[4] ?? ''),
    ]),
  );
  if (rendered.has(name)) {
    const render = attributes.get('render') ?? '';
    const kind = render === '' ? 'none' : render;
    return `${kind === 'nonproport' ? 'code' : 'span'} class="emph render-${escapeValue(kind)}"`;
  }
  const kept = allowed.get(name);
  if (kept === undefined) return null;
  const shown = kept.flatMap((key) => {
    const value = attributes.get(key)?.trim();
    return value !== undefined && /^(?:https?|ftp|mailto):/i.test(value) ? [` ${key}="${escapeValue(value)}"`] : [];
  });
  return `${name}${shown.join('')}${name === 'a' ? ' rel="nofollow"' : ''}`;
}

// Closes the element with all that was opened inside it; an end tag without a start is passed over.
function close(open: { readonly name: string; readonly html: string }[], name: string): string {
  const from = open.findLastIndex((element) => element.name === name);
  if (from === -1) return '';
  return open
    .splice(from)
    .reverse()
    .map((element) => `</${element.html}>`)
    .join('');
}

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return references[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
    },
  );
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00a0', '&#xa0;');
const escapeValue = (text: string): string => escape(text).replaceAll('"', '&quot;');
