// EAC-CPF `date`, `dateRange` and `dateSet` to structured dates.
import type { JsonObject } from '../../json.ts';
import { dateRange, singleDate, type DateEnd } from '../agents/structured-dates.ts';
import { attributeOf, elementOf, elementsOf, textContent, type XmlNode } from '../xml/tree.ts';

const dateElements: ReadonlySet<string> = new Set(['date', 'dateRange', 'dateSet']);

/** Whether an element is a date. */
export const isDateElement = (node: XmlNode): boolean => dateElements.has(node.name);

/** The dates that stand directly in an element, those of a set one by one. */
export function readDates(node: XmlNode, label: string): readonly JsonObject[] {
  return elementsOf(node).filter(isDateElement).flatMap((child) => {
    if (child.name === 'dateSet') return readDates(child, label);
    const date = child.name === 'date' ? singleDate(label, dateEnd(child)) : rangeOf(child, label);
    return date === undefined ? [] : [date];
  });
}

/** The words of a date of any form. */
export function dateText(node: XmlNode): string {
  if (node.name === 'dateRange') return elementsOf(node).map(dateText).filter((text) => text !== '').join('-');
  return node.name === 'dateSet' ? elementsOf(node).map(dateText).join(', ') : textContent(node) || (attributeOf(node, 'standardDate') ?? '');
}

function rangeOf(node: XmlNode, label: string): JsonObject | undefined {
  const ends = ['fromDate', 'toDate'].map((name) => elementOf(node, name)).map((end) => (end === undefined ? {} : dateEnd(end)));
  return dateRange(label, ends[0] ?? {}, ends[1] ?? {});
}

/** @standardDate is the date itself, @notBefore and @notAfter one of its bounds. (Peers put the bound where its kind belongs.) */
function dateEnd(node: XmlNode): DateEnd {
  const text = textContent(node);
  const bounds = [['standard', 'standardDate'], ['not_before', 'notBefore'], ['not_after', 'notAfter']] as const;
  const found = bounds.map(([type, name]) => ({ type, standard: attributeOf(node, name) })).find(({ standard }) => standard !== undefined);
  return { ...(text === '' ? {} : { expression: text }), ...(found?.standard === undefined ? {} : { standard: found.standard, type: found.type }) };
}
