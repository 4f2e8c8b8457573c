// EAD 2002 `unitdate` to date sub-records.
import type { JsonObject } from '../../../json.ts';
import { attributeOf, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import { importFailure } from '../../reading/context.ts';
import type { Draft } from './draft.ts';
import { pushOnce } from '../../reading/record-parts.ts';
import { isIsoDate } from '../../reading/structured-dates.ts';

/** The types of date an EAD document may name, in the order the contract's message lists them. */
const dateTypes: readonly string[] = ['bulk', 'inclusive', 'single'];

/**
 * Adds the date of a `unitdate` to a record; one equal to an earlier date is not added. An unknown @type ends the reading
 * with `import_failed`, as the contract says. A @normal that is no ISO date or range is reported and left out.
 */
export function readUnitDate(context: EadContext, draft: Draft, node: XmlNode): void {
  const expression = textContent(node);
  const { begin, end } = readNormal(context, node);
  if (expression === '' && begin === undefined && end === undefined) return;
  const type = attributeOf(node, 'type');
  if (type !== undefined && !dateTypes.includes(type)) {
    const list = dateTypes.map((value) => `"${value}"`).join(', ');
    throw importFailure(`Invalid date type provided: ${type}; must be one of: [${list}].`, {
      line: node.line,
      column: 0,
      element: 'unitdate',
    });
  }
  // Own exports write `begin/begin` for a single date, and always a datechar; elsewhere a range of one day is a range.
  const isSingleDay =
    type === undefined && begin !== undefined && begin === end && attributeOf(node, 'datechar') !== undefined;
  const lastDay = isSingleDay ? undefined : end;
  const date: Record<string, string> = {
    date_type: type ?? (lastDay === undefined ? 'single' : 'inclusive'),
    label: 'creation',
  };
  if (expression !== '') date['expression'] = expression;
  if (begin !== undefined) date['begin'] = begin;
  if (lastDay !== undefined) date['end'] = lastDay;
  pushOnce(draft.dates, { jsonmodel_type: 'date', ...date, ...readQualifiers(context, node) }, draft.seen);
}

/** A record's title for people: the title, then its dates (behaviour-records.md 3.4). */
export function displayString(title: string | undefined, dates: readonly JsonObject[]): string {
  const texts = dates.map((date) => {
    const { expression, begin, end } = date;
    const text =
      expression ?? (begin === undefined || end === undefined ? (begin ?? end) : `${String(begin)} - ${String(end)}`);
    return date['date_type'] === 'bulk' ? `bulk: ${String(text)}` : String(text);
  });
  return [title, ...texts].filter((text) => text !== undefined && text !== '').join(', ');
}

function readNormal(context: EadContext, node: XmlNode): { readonly begin?: string; readonly end?: string } {
  const normal = attributeOf(node, 'normal');
  if (normal === undefined) return {};
  const [first = '', second, third] = normal
    .split('/')
    .map((part) => part.trim().replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
  const begin = isIsoDate(first) ? first : undefined;
  const end =
    second !== undefined && isIsoDate(second) && !(begin !== undefined && isBefore(second, begin)) ? second : undefined;
  const isEndAlone = first === '' && end !== undefined;
  if ((begin === undefined && !isEndAlone) || (second !== undefined && end === undefined) || third !== undefined) {
    context.report.dropText(node.line, node.name, normal, 'normal is not an ISO date or range in order');
  }
  return { ...(begin === undefined ? {} : { begin }), ...(end === undefined ? {} : { end }) };
}

/** An end that is a prefix of the begin counts as equal (schemas.json, rules of date). */
function isBefore(end: string, begin: string): boolean {
  if (begin.startsWith(end)) return false;
  if (begin.startsWith('-') !== end.startsWith('-')) return end.startsWith('-');
  return begin.startsWith('-') ? end.slice(1, 5) > begin.slice(1, 5) : end < begin;
}

function readQualifiers(context: EadContext, node: XmlNode): JsonObject {
  const qualifiers: Record<string, string> = {};
  const calendar = attributeOf(node, 'calendar');
  const era = attributeOf(node, 'era');
  const certainty = attributeOf(node, 'certainty');
  if (calendar !== undefined) qualifiers['calendar'] = context.controlled('date_calendar', calendar);
  if (era !== undefined) qualifiers['era'] = context.controlled('date_era', era);
  const known =
    certainty === undefined
      ? undefined
      : context.fixed(
          'date_certainty',
          /^(?:circa|ca?\.?|approx(?:imately|\.)?)$/i.test(certainty) ? 'approximate' : certainty,
        );
  if (known !== undefined) qualifiers['certainty'] = known;
  else if (certainty !== undefined)
    context.report.dropText(node.line, node.name, certainty, 'certainty is not in the list date_certainty');
  return qualifiers;
}
