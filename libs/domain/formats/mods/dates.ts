// Dates as MODS originInfo. MODS knows dates only there; the reference writes them beside it, which no schema allows.
import type { JsonObject } from '../../json.ts';
import { objectsOf, textOf } from '../../json.ts';
import { plainText } from '../writing/context.ts';
import type { Attributes, XmlWriter } from '../xml/writer.ts';

const elements: { readonly [label: string]: string } = {
  creation: 'dateCreated',
  digitized: 'dateCaptured',
  copyright: 'copyrightDate',
  modified: 'dateModified',
  broadcast: 'dateIssued',
  issued: 'dateIssued',
  publication: 'dateIssued',
};
const qualifiers: ReadonlySet<string> = new Set(['approximate', 'inferred', 'questionable']);

/** Writes one `originInfo` with the dates of a record in order; nothing where it has none. */
export function writeDates(xml: XmlWriter, record: JsonObject): void {
  const dates = objectsOf(record, 'dates').filter((date) =>
    ['expression', 'begin', 'end'].some((property) => textOf(date, property) !== undefined),
  );
  if (dates.length === 0) return;
  xml.open('originInfo');
  // MODS 3.4 guidelines: one date alone is the key date.
  dates.forEach((date, index) => writeDate(xml, date, index === 0));
  xml.close();
}

function writeDate(xml: XmlWriter, date: JsonObject, isKey: boolean): void {
  const element = elements[textOf(date, 'label') ?? ''] ?? 'dateOther';
  const certainty = textOf(date, 'certainty');
  const [expression, begin, end] = [textOf(date, 'expression'), textOf(date, 'begin'), textOf(date, 'end')];
  const shared: Attributes = {
    qualifier: certainty !== undefined && qualifiers.has(certainty) ? certainty : undefined,
  };
  if (expression !== undefined) {
    xml.element(element, shared, plainText(expression));
    return;
  }
  if (begin !== undefined)
    xml.element(element, { encoding: 'w3cdtf', keyDate: isKey ? 'yes' : undefined, point: 'start', ...shared }, begin);
  if (end !== undefined) xml.element(element, { encoding: 'w3cdtf', point: 'end', ...shared }, end);
}
