// A MARC 21 record as its MARCXML element holds it: leader, control fields, data fields with subfields.
import { withoutTail } from '../../../text/without-tail.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';

/** A subfield: its code and its text, trimmed. */
type Subfield = { readonly code: string; readonly text: string };

/** A data field; blank indicators are ' '. */
export type MarcField = {
  readonly tag: string;
  readonly ind1: string;
  readonly ind2: string;
  readonly subfields: readonly Subfield[];
  readonly line: number;
};

/** A record; `controls` are the control fields 001 to 009 by tag, blanks kept, as positions count. */
export type MarcRecord = {
  readonly leader: string;
  readonly controls: ReadonlyMap<string, string>;
  readonly fields: readonly MarcField[];
  readonly line: number;
};

const parts: ReadonlySet<string> = new Set(['leader', 'controlfield', 'datafield']);

/** What stands in a `record` beside its parts, as the holdings that some systems put there, and in its fields beside subfields with a code. */
export const strangeParts = (node: XmlNode): readonly XmlNode[] =>
  elementsOf(node).flatMap((child) =>
    !parts.has(child.name)
      ? [child]
      : child.name === 'datafield'
        ? elementsOf(child).filter((inner) => inner.name !== 'subfield' || codeOf(inner) === undefined)
        : [],
  );

/** The code of a subfield; undefined where it has none, of one character as codes are: it would be taken for any. */
function codeOf(node: XmlNode): string | undefined {
  const code = attributeOf(node, 'code')?.trim() ?? '';
  return code.length === 1 ? code : undefined;
}

/** Reads a `record` element. Namespaces are gone at this point; of unknown elements nothing is read. */
export function parseMarcRecord(node: XmlNode): MarcRecord {
  const controls = new Map<string, string>();
  const fields: MarcField[] = [];
  let leader = '';
  for (const child of elementsOf(node)) {
    const tag = attributeOf(child, 'tag') ?? '';
    if (child.name === 'leader') leader = rawTextOf(child);
    else if (child.name === 'controlfield') controls.set(tag, rawTextOf(child));
    else if (child.name === 'datafield') {
      const subfields = elementsOf(child, 'subfield').flatMap((subfield) => {
        const code = codeOf(subfield);
        // Markup is none of MARC, but what stands in it is part of the text.
        return code === undefined ? [] : [{ code, text: textContent(subfield) }];
      });
      fields.push({
        tag,
        ind1: indicator(child, 'ind1'),
        ind2: indicator(child, 'ind2'),
        subfields: subfields.filter(({ text }) => text !== ''),
        line: child.line,
      });
    }
  }
  return { leader, controls, fields, line: node.line };
}

/** The texts of the subfields with any of these codes, in the order of the field; '' codes means all but control subfields. */
export function textsOfField(field: MarcField, codes: string): readonly string[] {
  const isWanted = (code: string): boolean => (codes === '' ? !controlCodes.includes(code) : codes.includes(code));
  return field.subfields.filter(({ code }) => isWanted(code)).map(({ text }) => text);
}

/** The first subfield of a code. */
export function firstOf(field: MarcField, code: string): string | undefined {
  return field.subfields.find((subfield) => subfield.code === code)?.text;
}

/** Subfields that steer a field and are no text of it (MARC 21, appendix A). */
export const controlCodes = '0123456789w';

/** A text without the punctuation that ISBD puts between subfields; a full stop goes only after a word that is no abbreviation. */
export function withoutPunctuation(text: string): string {
  const trimmed = withoutTail(text, ',;:/');
  return /(?:\p{Ll}{4}|\)|\d{4})\.$/u.test(trimmed) && !/\b[A-Z]\.$/.test(trimmed) ? trimmed.slice(0, -1) : trimmed;
}

// Positions count in leader and control fields: their blanks are kept, so the tree is read with `keepsSpace`.
function rawTextOf(node: XmlNode): string {
  return node.children.filter((child) => !isElement(child)).join('');
}

function indicator(node: XmlNode, name: string): string {
  const value = node.attributes.find((attribute) => attribute.name === name)?.value ?? ' ';
  return value === '' || value === '#' ? ' ' : value.charAt(0);
}
