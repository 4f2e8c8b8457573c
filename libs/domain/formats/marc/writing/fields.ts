// A MARC record as fields, and its form in MARC21 slim XML: fields in the order of their tags, empty subfields and fields left out.
import { elementTag } from '../../../text/mixed-content.ts';
import { plainText } from '../../writing/context.ts';
import { XmlWriter } from '../../xml/writer.ts';

/** A subfield: its code and text. Texts that are absent or blank are not written. */
export type Subfield = readonly [code: string, text: string | undefined];

/** A data field: tag, both indicators (' ' for none), subfields in order. */
export type Field = {
  readonly tag: string;
  readonly ind1: string;
  readonly ind2: string;
  readonly subfields: readonly Subfield[];
};

/** A whole record; control fields by tag, in order. */
export type MarcRecord = {
  readonly leader: string;
  readonly control: readonly (readonly [tag: string, text: string | undefined])[];
  readonly fields: readonly Field[];
};

/** Makes a field; `indicators` are two characters. */
export const field = (tag: string, indicators: string, ...subfields: readonly Subfield[]): Field => ({
  tag,
  ind1: indicators[0] ?? ' ',
  ind2: indicators[1] ?? ' ',
  subfields,
});

const namespace = 'http://www.loc.gov/MARC21/slim';

/** The record as a `collection` document (contract behaviour-exports 4 and 5), ended by a newline. Markup inside of values is taken out. */
export function marcXml({ leader, control, fields }: MarcRecord): string {
  const xml = new XmlWriter()
    .declaration()
    .open('collection', {
      xmlns: namespace,
      'xmlns:marc': namespace,
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:schemaLocation': `${namespace} https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd`,
    })
    .open('record')
    .element('leader', {}, leader);
  for (const [tag, text] of control) if (text !== undefined && text !== '') xml.element('controlfield', { tag }, text);
  // Array.prototype.toSorted is stable: fields of a tag stay in the order of the record.
  for (const { tag, ind1, ind2, subfields } of fields.toSorted((a, b) =>
    a.tag < b.tag ? -1 : a.tag > b.tag ? 1 : 0,
  )) {
    const written = subfields
      .map(([code, text]): readonly [string, string] => [code, marcText(text ?? '')])
      .filter(([, text]) => text !== '');
    if (written.length === 0) continue;
    xml.open('datafield', { tag, ind1, ind2 });
    for (const [code, text] of written) xml.element('subfield', { code }, text);
    xml.close();
  }
  return `${xml.close().close().take()}\n`;
}

/** Text as values of MARC have it: each tag a blank, whatever it is (contract behaviour-exports 4), on one line. */
export const marcText = (text: string): string => plainText(text.replace(elementTag, ' '));
