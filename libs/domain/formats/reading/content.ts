// Mixed content of EAD as the contract keeps it: the inner XML as text, `p` and `lb` turned into blank lines
// (behaviour-imports.md section 3). Fields of one line get a blank where a note gets a blank line.
import { escapeAttribute, escapeText } from '../xml/escape.ts';
import { isElement, textContent } from '../xml/tree.ts';
import type { XmlChild } from '../xml/tree.ts';

/** Longest text of a note or field (schemas.json, maxLength). */
const maxTextLength = 65_000;

/** The inner XML of some content for a note: paragraphs parted by blank lines, other markup kept, text escaped. '' when blank. */
export function mixedText(children: readonly XmlChild[]): string {
  return serialise(children, '\n\n')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/[ \t]?\n[ \t]?/g, '\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
}

/** The inner XML of some content for a field of one line (a title, a heading): `p` and `lb` count as a blank. '' when blank. */
export function mixedLine(children: readonly XmlChild[]): string {
  return serialise(children, ' ').replace(/ {2,}/g, ' ').trim();
}

/** A text in pieces of at most 65,000 characters, cut between paragraphs, and longer ones between words that stand outside of markup. What has no such place stays whole. */
export function splitLongText(text: string): readonly string[] {
  if (text.length <= maxTextLength) return [text];
  const pieces: string[] = [];
  let piece = '';
  for (const paragraph of text.split('\n\n').flatMap(cutParagraph)) {
    if (piece !== '' && piece.length + paragraph.length + 2 > maxTextLength) {
      pieces.push(piece);
      piece = '';
    }
    piece = piece === '' ? paragraph : `${piece}\n\n${paragraph}`;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

function cutParagraph(text: string): readonly string[] {
  if (text.length <= maxTextLength) return [text];
  const pieces: string[] = [];
  let start = 0;
  let blank = 0;
  let depth = 0;
  const cutBefore = (end: number): void => {
    if (end - start <= maxTextLength || blank <= start) return;
    pieces.push(text.slice(start, blank));
    start = blank + 1;
  };
  for (const { 1: closes, 2: isEmpty, 0: found, index } of text.matchAll(/<(\/?)[^<>]*?(\/?)>|\s/g)) {
    if (found.startsWith('<')) depth += closes === '/' ? -1 : isEmpty === '/' ? 0 : 1;
    else if (depth === 0) {
      cutBefore(index);
      blank = index;
    }
  }
  cutBefore(text.length);
  return [...pieces, text.slice(start)];
}

/** Whether some content holds any text. */
export function hasText(children: readonly XmlChild[]): boolean {
  return textContent(children) !== '';
}

function serialise(children: readonly XmlChild[], breakText: string): string {
  let text = '';
  for (const child of children) {
    if (!isElement(child)) {
      text += escapeText(child);
    } else if (child.name === 'p') {
      text += breakText + serialise(child.children, breakText) + breakText;
    } else if (child.name === 'lb') {
      // Empty by the standard; what stands in one all the same is text like any other.
      text += breakText + serialise(child.children, breakText);
    } else {
      const attributes = child.attributes
        .map((attribute) => ` ${attribute.name}="${escapeAttribute(attribute.value)}"`)
        .join('');
      const inner = serialise(child.children, breakText);
      text += inner === '' ? `<${child.name}${attributes}/>` : `<${child.name}${attributes}>${inner}</${child.name}>`;
    }
  }
  return text;
}

/** A label without the colon that sets it off from what it is the label of. It looks back at most one character for each blank, however many there are. */
export const withoutColon = (label: string): string => label.replace(/(?<!\s)\s*:$/, '');
