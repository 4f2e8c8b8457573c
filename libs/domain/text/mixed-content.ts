// Takes the markup out of mixed content: titles and notes may hold EAD or HTML elements and character entities.
// For search and sort keys only; what a record shows keeps its markup.
import { SectionEnds } from './section-ends.ts';

// Elements inside a word or beside it without a blank: `<emph>W</emph>ords` is one word.
const inlineTags = new Set(
  'emph ref ptr b i u em strong sup sub small span a abbr expan title persname corpname famname geogname name subject date num foreign'.split(
    ' ',
  ),
);

const entities: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  eacute: 'é',
  egrave: 'è',
  uuml: 'ü',
  ouml: 'ö',
  auml: 'ä',
  szlig: 'ß',
  ccedil: 'ç',
};

/**
 * The text without markup: inline elements vanish, other elements, comments and processing instructions become a blank,
 * entities and character references are decoded (unknown ones stay). A `<` that opens no element stays. Never throws.
 */
export function withoutMarkup(text: string): string {
  const bare = withoutTags(text);
  return bare.includes('&') ? bare.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g, decode) : bare;
}

// The ends of comments and processing instructions by their beginnings.
const closings: { readonly [beginning: string]: RegExp } = { '<!--': /-->/g, '<?': /\?>/g };

/** A tag of an element, with its name. What else stands in such brackets (`<ann@example.org>`) is text. */
export const elementTag = /<\/?([A-Za-z][\w:.-]*)(?:\s[^<>]*)?\/?>/g;

const markup = new RegExp(`<!--|<\\?|${elementTag.source}`, 'g');

/** The text without its tags, comments and instructions alone: entities stay as they are. */
export function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  markup.lastIndex = 0;
  const ends = new SectionEnds(text);
  let bare = '';
  let from = 0;
  for (let found = markup.exec(text); found !== null; found = markup.exec(text)) {
    const [opening, name] = found;
    const closing = closings[opening];
    const end = closing === undefined ? markup.lastIndex : ends.after(closing, markup.lastIndex);
    if (end === null) continue;
    bare += text.slice(from, found.index);
    if (name === undefined || !inlineTags.has(name.toLowerCase())) bare += ' ';
    from = markup.lastIndex = end;
  }
  return bare + text.slice(from);
}

function decode(
  entity: string,
  decimal: string | undefined,
  hex: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) {
    return Object.hasOwn(entities, name) ? (entities[name] ?? entity) : entity;
  }
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : entity;
}
