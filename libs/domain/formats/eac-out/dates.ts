// Structured dates as EAC-CPF date, dateRange or, where there are several, dateSet (contract behaviour-exports 6).
import type { JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import type { Attributes, XmlWriter } from '../xml/writer.ts';
import { standardDate } from './values.ts';

/** Writes dates where the schema has room for one of date, dateRange and dateSet; nothing for none. With `needsEnd` (EAC-CPF 2.0) a range without an end says so. */
export function writeDates(xml: XmlWriter, dates: readonly JsonObject[], needsEnd = false): void {
  if (dates.length > 1) xml.open('dateSet');
  for (const date of dates) writeDate(xml, date, needsEnd);
  if (dates.length > 1) xml.close();
}

function writeDate(xml: XmlWriter, date: JsonObject, needsEnd: boolean): void {
  const localType = textOf(date, 'date_label');
  const range = objectOf(date, 'structured_date_range');
  if (range === undefined) {
    writeOne(xml, 'date', { localType }, objectOf(date, 'structured_date_single') ?? {}, 'date');
    return;
  }
  xml.open('dateRange', { localType });
  writeOne(xml, 'fromDate', {}, range, 'begin_date');
  if (textOf(range, 'end_date_expression') !== undefined || textOf(range, 'end_date_standardized') !== undefined) writeOne(xml, 'toDate', {}, range, 'end_date');
  else if (needsEnd) xml.element('toDate', { status: 'unknown' });
  xml.close();
}

const attributes: { readonly [type: string]: string } = { standard: 'standardDate', not_before: 'notBefore', not_after: 'notAfter' };

function writeOne(xml: XmlWriter, element: string, own: Attributes, date: JsonObject, prefix: string): void {
  const standardized = textOf(date, `${prefix}_standardized`);
  const attribute = attributes[textOf(date, `${prefix}_standardized_type`) ?? 'standard'] ?? 'standardDate';
  xml.element(element, { ...own, [attribute]: standardDate(standardized) }, textOf(date, `${prefix}_expression`) ?? standardized);
}
