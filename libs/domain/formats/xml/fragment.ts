// Mixed content as records hold it (the inner XML of a note, a title) to nodes: what exports look at before they write it into a document.
import { SectionEnds } from '../../text/section-ends.ts';
import { knownEntities } from './entities.ts';
import type { XmlAttribute } from './reader.ts';
import type { XmlChild, XmlNode } from './tree.ts';

const entities = knownEntities();
// The beginning of a comment, of CDATA, of an instruction, or a tag; anything else is text, a lone `<` too.
const token =
  /<!--|<!\[CDATA\[|<\?|<(\/?)([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g;
const closings: { readonly [beginning: string]: RegExp } = { '<!--': /-->/g, '<![CDATA[': /\]\]>/g, '<?': /\?>/g };
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const emptyInHtml: ReadonlySet<string> = new Set(['br', 'hr', 'img']);
const mostDeep = 100;

type OpenNode = {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: XmlChild[];
  readonly line: number;
};

/**
 * The nodes of a piece of mixed content; entities of XML and HTML are decoded, a lone `&` or `<` stands for itself, comments and
 * instructions are left out, prefixes of names are cut. Null where its tags do not match, or nest a hundred deep: such a text has no
 * markup that could be kept.
 */
export function parseFragment(text: string): readonly XmlChild[] | null {
  if (!text.includes('<')) return [decodeEntities(text)];
  const top: XmlChild[] = [];
  const open: OpenNode[] = [];
  let at = 0;
  const into = (): XmlChild[] => open.at(-1)?.children ?? top;
  const ends = new SectionEnds(text);
  const tokens = new RegExp(token);
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [opening, slash, prefixed, attributes = '', selfClosed] = found;
    const closing = closings[opening];
    const behind = tokens.lastIndex;
    const end = closing === undefined ? behind : ends.after(closing, behind);
    if (end === null) continue;
    if (found.index > at) into().push(decodeEntities(text.slice(at, found.index)));
    at = tokens.lastIndex = end;
    if (prefixed === undefined) {
      if (opening === '<![CDATA[') into().push(text.slice(behind, end - 3));
      continue;
    }
    const name = localOf(prefixed);
    if (slash === '/') {
      if (emptyInHtml.has(name)) continue;
      if (open.pop()?.name !== name) return null;
      continue;
    }
    const node: OpenNode = { name, attributes: parseAttributes(attributes), children: [], line: 0 };
    into().push(node satisfies XmlNode);
    if (selfClosed !== '/' && !emptyInHtml.has(name)) open.push(node);
    if (open.length > mostDeep) return null;
  }
  if (open.length > 0) return null;
  if (at < text.length) top.push(decodeEntities(text.slice(at)));
  return top;
}

/** A text with its entities and character references decoded; unknown ones, and what no document can hold, stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
    },
  );
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

function parseAttributes(text: string): readonly XmlAttribute[] {
  if (text === '') return [];
  return [...text.matchAll(attribute)].map(([, name = '', double, single]) => ({
    name,
    local: localOf(name),
    value: decodeEntities(double ?? single ?? ''),
  }));
}
