// EAC-CPF `date`, `dateRange` and `dateSet` to structured dates. What EAC-CPF 2.0 adds (certainty, era, calendar, status) is read here too.
import type { JsonObject } from '../../../json.ts';
import { objectOf } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { dateRange, singleDate, standardForm } from '../../reading/structured-dates.ts';
import type { DateEnd } from '../../reading/structured-dates.ts';
import { attributeOf, elementOf, elementsOf, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import { dropOthers } from '../../reading/report.ts';

/** The elements that are dates. */
export const dateElements: readonly string[] = ['date', 'dateRange', 'dateSet'];

/** Whether an element is a date. */
export const isDateElement = (node: XmlNode): boolean => dateElements.includes(node.name);

/** The dates that stand directly in an element, those of a set one by one. Their label is @localType where the list of labels has it and `label` is not of existence, else `label`. */
export function readDates(context: ReadingContext, node: XmlNode, label: string): readonly JsonObject[] {
  return elementsOf(node)
    .filter(isDateElement)
    .flatMap((child) => {
      if (child.name === 'dateSet') {
        dropOthers(context.report, child, dateElements);
        return readDates(context, child, label);
      }
      // Dates of existence may have no other label.
      const localType = label === 'existence' ? undefined : attributeOf(child, 'localType');
      const own = (localType === undefined ? undefined : context.fixed('date_label', localType)) ?? label;
      const date = child.name === 'date' ? singleDate(own, dateEnd(context, child)) : rangeOf(context, child, own);
      return date === undefined ? [] : [{ ...date, ...qualities(context, child) }];
    });
}

/** Certainty, era and calendar: of the date, or of the first end of a range that says them. */
function qualities(context: ReadingContext, node: XmlNode): JsonObject {
  const nodes = [node, ...elementsOf(node)];
  const found: Record<string, string> = {};
  for (const name of ['certainty', 'era', 'calendar'] as const) {
    const holder = nodes.find((each) => attributeOf(each, name) !== undefined);
    const words = holder === undefined ? undefined : attributeOf(holder, name);
    if (holder === undefined || words === undefined) continue;
    const value = context.fixed(`date_${name}`, words);
    if (value === undefined)
      context.report.dropText(holder.line, holder.name, words, `no value of the list date_${name}`);
    else found[`date_${name}`] = value;
  }
  return found;
}

/** The words of a date of any form. */
export function dateText(node: XmlNode): string {
  if (node.name === 'dateRange')
    return elementsOf(node)
      .map(dateText)
      .filter((text) => text !== '')
      .join('-');
  return node.name === 'dateSet'
    ? elementsOf(node).map(dateText).join(', ')
    : textContent(node) || (attributeOf(node, 'standardDate') ?? '');
}

function rangeOf(context: ReadingContext, node: XmlNode, label: string): JsonObject | undefined {
  const ends = ['fromDate', 'toDate'];
  dropOthers(context.report, node, ends);
  const [begin = {}, end = {}] = ends
    .map((name) => elementOf(node, name))
    .map((child) => (child === undefined ? {} : dateEnd(context, child)));
  const date = dateRange(label, begin, end);
  const range = objectOf(date, 'structured_date_range');
  if (range !== undefined && end.standard !== undefined && !Object.values(range).includes(end.standard))
    context.report.dropText(node.line, 'toDate', end.standard, 'a standard form before that of the begin');
  return date;
}

/** @standardDate is the date itself, @notBefore and @notAfter one of its bounds. (Peers put the bound where its kind belongs.) What is no year, month or day is told, or is the words where there are no others. */
function dateEnd(context: ReadingContext, node: XmlNode): DateEnd {
  const bounds = [
    ['standard', 'standardDate'],
    ['not_before', 'notBefore'],
    ['not_after', 'notAfter'],
  ] as const;
  const forms = bounds.flatMap(([type, name]) => {
    const standard = attributeOf(node, name);
    return standard === undefined ? [] : [{ type, standard }];
  });
  const [found, ...others] = forms.filter(({ standard }) => standardForm(standard) !== undefined);
  const unreadable = forms.map(({ standard }) => standard).filter((standard) => standardForm(standard) === undefined);
  // An end that has not come yet has a status in place of words (EAC-CPF 2.0).
  const status = attributeOf(node, 'status') === 'ongoing' ? 'ongoing' : '';
  const text = textContent(node) || status || (found === undefined ? (unreadable[0] ?? '') : '');
  for (const other of others)
    context.report.dropText(node.line, node.name, other.standard, 'a date has one standard form');
  for (const standard of unreadable)
    if (standard !== text)
      context.report.dropText(node.line, node.name, standard, 'a standard form that is no year, month or day');
  return {
    ...(text === '' ? {} : { expression: text }),
    ...(found === undefined ? {} : { standard: found.standard, type: found.type }),
  };
}
