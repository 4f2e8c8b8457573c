// Structured dates as EAC-CPF date, dateRange or, where there are several, dateSet (contract behaviour-exports 6).
import type { JsonObject } from '../../../json.ts';
import { objectOf, textOf } from '../../../json.ts';
import type { Attributes, XmlWriter } from '../../xml/writer.ts';
import { standardDate, toNameToken } from './values.ts';

/** Writes dates where the schema has room for one of date, dateRange and dateSet; nothing for none. In EAC-CPF 2.0 a range without an end says so, and dates say their certainty, era and calendar. */
export function writeDates(xml: XmlWriter, dates: readonly JsonObject[], isVersion2 = false): void {
  if (dates.length > 1) xml.open('dateSet');
  for (const date of dates) writeDate(xml, date, isVersion2);
  if (dates.length > 1) xml.close();
}

function writeDate(xml: XmlWriter, date: JsonObject, isVersion2: boolean): void {
  const localType = textOf(date, 'date_label');
  const qualities = isVersion2
    ? {
        calendar: toNameToken(textOf(date, 'date_calendar')),
        certainty: toNameToken(textOf(date, 'date_certainty')),
        era: toNameToken(textOf(date, 'date_era')),
      }
    : {};
  const range = objectOf(date, 'structured_date_range');
  if (range === undefined) {
    writeOne(xml, 'date', { localType, ...qualities }, objectOf(date, 'structured_date_single') ?? {}, 'date');
    return;
  }
  xml.open('dateRange', { localType });
  writeOne(xml, 'fromDate', qualities, range, 'begin_date');
  if (textOf(range, 'end_date_expression') !== undefined || textOf(range, 'end_date_standardized') !== undefined)
    writeOne(xml, 'toDate', {}, range, 'end_date');
  else if (isVersion2) xml.element('toDate', { status: 'unknown' });
  xml.close();
}

const attributes: { readonly [type: string]: string } = {
  standard: 'standardDate',
  not_before: 'notBefore',
  not_after: 'notAfter',
};

function writeOne(xml: XmlWriter, element: string, own: Attributes, date: JsonObject, prefix: string): void {
  const standardized = textOf(date, `${prefix}_standardized`);
  const attribute = attributes[textOf(date, `${prefix}_standardized_type`) ?? 'standard'] ?? 'standardDate';
  xml.element(
    element,
    { ...own, [attribute]: standardDate(standardized) },
    textOf(date, `${prefix}_expression`) ?? standardized,
  );
}
