// EAD3 `unitdatestructured` as EAD 2002 `unitdate`: the text as the expression, the standard form as @normal.
import { attributeOf, elementOf, elementsOf, isElement, textContent } from '../../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../../xml/tree.ts';
import type { ReportBuilder } from '../../../reading/report.ts';
import { dropOthers } from '../../../reading/report.ts';
import { isIsoDate } from '../../../reading/structured-dates.ts';

/** Tells what a structured date has beside its dates, which nothing is made of. */
export function reportOthersIn(node: XmlNode, report: ReportBuilder): void {
  dropOthers(report, node, ['datesingle', 'daterange', 'dateset']);
  for (const set of elementsOf(node, 'dateset')) dropOthers(report, set, ['datesingle', 'daterange']);
  for (const range of [node, ...elementsOf(node, 'dateset')].flatMap((each) => elementsOf(each, 'daterange')))
    dropOthers(report, range, ['fromdate', 'todate']);
}

/** One `unitdate` for each single date or range, those in a `dateset` too. */
export function readStructuredDate(node: XmlNode): readonly XmlNode[] {
  return elementsOf(node)
    .flatMap((child) => (child.name === 'dateset' ? elementsOf(child) : [child]))
    .flatMap((child) => {
      const read = child.name === 'datesingle' ? single(child) : child.name === 'daterange' ? range(child) : undefined;
      return read === undefined || (read.text === '' && read.normal === undefined) ? [] : [unitdate(node, child, read)];
    });
}

/**
 * The content of a `did` without the dates it gives twice: many files write the same date as text (`unitdate`) and structured right
 * after it, own exports right before it.
 * The text is kept as the expression and takes the standard form of the structured date.
 */
export function withoutRepeatedDates(did: XmlNode, report: ReportBuilder): readonly XmlChild[] {
  const children: XmlChild[] = [];
  for (const child of did.children) {
    const at = children.findLastIndex(isElement);
    const before = children[at];
    if (before !== undefined && isElement(before) && isElement(child)) {
      const [plain, structuredNode] = before.name === 'unitdatestructured' ? [child, before] : [before, child];
      const [structured] =
        repeats(plain, structuredNode) || isOwnPair(before, child) ? readStructuredDate(structuredNode) : [];
      if (structured !== undefined) {
        reportOthersIn(structuredNode, report);
        // The text of the plain date stays, all else is of the structured one.
        children[at] = {
          ...plain,
          attributes: [
            ...plain.attributes,
            ...structured.attributes.filter(
              (attribute) => !plain.attributes.some((own) => own.name === attribute.name),
            ),
          ],
        };
        continue;
      }
    }
    children.push(child);
  }
  return children;
}

/** Whether a structured date says in standard form what the plain one before it says in words: its years are all in the text, and neither says to be of another sort. */
function repeats(plain: XmlNode, structured: XmlNode): boolean {
  if (
    plain.name !== 'unitdate' ||
    structured.name !== 'unitdatestructured' ||
    attributeOf(plain, 'normal') !== undefined ||
    ['unitdatetype', 'datechar'].some((name) => isOther(attributeOf(plain, name), attributeOf(structured, name)))
  )
    return false;
  const dates = readStructuredDate(structured);
  const [date] = dates;
  if (dates.length !== 1 || date === undefined) return false;
  const text = textContent(plain);
  const parts = elementsOf(structured)
    .flatMap((child) => (child.name === 'daterange' ? elementsOf(child) : [child]))
    .map(textContent);
  return parts.every((part) => text.includes(part));
}

const isOther = (value: string | undefined, other: string | undefined): boolean =>
  value !== undefined && other !== undefined && value !== other;

/** Own exports write a range with an expression as a structured date and, with the same attributes, a plain one right after it. */
function isOwnPair(before: XmlNode, after: XmlNode): boolean {
  if (
    before.name !== 'unitdatestructured' ||
    after.name !== 'unitdate' ||
    attributeOf(before, 'datechar') === undefined ||
    elementOf(before, 'daterange') === undefined
  )
    return false;
  const attributesOf = (node: XmlNode): string =>
    JSON.stringify(node.attributes.map(({ name, value }) => [name, value]).toSorted());
  // The words of a date of its own, which has no years.
  return attributesOf(before) === attributesOf(after) && !/^(?:undated|n\.?\s?d\.?|unknown)$/i.test(textContent(after));
}

type Read = { readonly text: string; readonly normal: string | undefined };

function unitdate(node: XmlNode, date: XmlNode, read: Read): XmlNode {
  const known = node.attributes.filter((attribute) =>
    ['calendar', 'era', 'certainty', 'audience', 'datechar'].includes(attribute.name),
  );
  const type = attributeOf(node, 'unitdatetype');
  const attributes = [
    ...known,
    ...(type === undefined ? [] : [{ name: 'type', local: 'type', value: type }]),
    ...(read.normal === undefined ? [] : [{ name: 'normal', local: 'normal', value: read.normal }]),
  ];
  return { name: 'unitdate', attributes, children: read.text === '' ? [] : [read.text], line: date.line };
}

function single(node: XmlNode): Read {
  const standard = standardOf(node);
  const from = attributeOf(node, 'notbefore');
  const to = attributeOf(node, 'notafter');
  // An uncertain day is a range of days; @notbefore and @notafter are its ends.
  return {
    text: textContent(node),
    normal: standard ?? (from !== undefined && to !== undefined ? `${from}/${to}` : (from ?? to)),
  };
}

function range(node: XmlNode): Read {
  const from = elementOf(node, 'fromdate');
  const to = elementOf(node, 'todate');
  const [begin, end] = [from, to].map((each) =>
    each === undefined
      ? undefined
      : (standardOf(each) ?? attributeOf(each, each.name === 'fromdate' ? 'notbefore' : 'notafter')),
  );
  return {
    text: wordsOf([from, to]),
    normal: end === undefined ? begin : `${begin ?? ''}/${end}`,
  };
}

/** The words of a range, or of the end that is there alone; none where they are no more than the standard forms of its ends. */
function wordsOf(ends: readonly (XmlNode | undefined)[]): string {
  const texts = ends.map((end) => (end === undefined ? '' : textContent(end)));
  const standards = ends.map((end) => (end === undefined ? undefined : standardOf(end)));
  if (texts.every((text, index) => text === '' || text === standards[index])) return '';
  const [first = '', last = ''] = texts.map((text, index) => (text === '' ? (standards[index] ?? '') : text));
  return first === '' ? last : `${first}-${last}`;
}

/** @standarddate, or the text where it is in that form itself. */
function standardOf(node: XmlNode): string | undefined {
  const text = textContent(node);
  return attributeOf(node, 'standarddate') ?? (isIsoDate(text) ? text : undefined);
}
