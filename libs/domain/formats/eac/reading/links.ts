// XLink attributes of EAC-CPF as the properties that sources, conventions, sets and resources of an agent have for them.
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { plainText } from '../../writing/context.ts';
import { escapeText } from '../../xml/escape.ts';
import { attributeOf, elementsOf, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';

/** Whether a text is a day or a time of one, as records have them. */
export const isTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text) &&
  !Number.isNaN(Date.parse(text));

/** href, title, role, arcrole, actuate and show, and when the link was last tried. */
export function linkProperties(context: ReadingContext, node: XmlNode): JsonObject {
  const properties: Record<string, string> = {};
  for (const [attribute, property] of [
    ['href', 'file_uri'],
    ['title', 'xlink_title_attribute'],
    ['role', 'xlink_role_attribute'],
    ['arcrole', 'xlink_arcrole_attribute'],
  ] as const) {
    const value = attributeOf(node, attribute);
    if (value !== undefined) properties[property] = value;
  }
  for (const name of ['actuate', 'show'] as const) {
    const list = `file_version_xlink_${name}_attribute`;
    const value = attributeOf(node, name);
    const known = value === undefined ? undefined : context.fixed(list, value);
    if (known !== undefined) properties[list] = known;
  }
  const verified = attributeOf(node, 'lastDateTimeVerified');
  if (verified !== undefined && isTime(verified)) properties['last_verified_date'] = verified;
  else context.report.dropText(node.line, node.name, verified ?? '', 'lastDateTimeVerified is no day that can be read');
  return properties;
}

/** The texts of the `descriptiveNote` elements in an element, as one, paragraphs parted by blank lines; undefined where there is none. */
export function noteTextOf(node: XmlNode): string | undefined {
  const paragraphs = elementsOf(node, 'descriptiveNote').flatMap((note) =>
    elementsOf(note, 'p').length > 1 ? note.children.map(textContent) : [textContent(note)],
  );
  const text = paragraphs
    .filter((part) => part !== '')
    .map(asContent)
    .join('\n\n');
  return text === '' ? undefined : text;
}

/** Text for a field that exports read as mixed content: what would be taken for markup or an entity is escaped, so that it stays what it says. */
const asContent = (text: string): string => (plainText(text) === text ? text : escapeText(text));

/** The text of the first child of a name. */
export function textOf(node: XmlNode, name: string): string | undefined {
  return elementsOf(node, name)
    .map(textContent)
    .find((text) => text !== '');
}

/** A property where there is a value. */
export const given = (property: string, value: string | undefined): JsonObject =>
  value === undefined || value === '' ? {} : { [property]: value };
