// Values as EAC-CPF 2010 allows them: name tokens, addresses, standard dates, xlink attributes.
import type { JsonObject } from '../../../json.ts';
import { objectOf, textOf } from '../../../json.ts';
import { plainText } from '../../writing/context.ts';
import { addressOf } from '../../xml/any-uri.ts';
import { actuateOf, showOf } from '../../xml/xlink.ts';
import type { Attributes, XmlWriter } from '../../xml/writer.ts';

/** Text as an NMTOKEN: other characters become an underscore. Undefined where nothing is left of it. */
export function toNameToken(text: string | undefined): string | undefined {
  const token = (text ?? '').trim().replace(/[^\p{L}\p{N}._:-]+/gu, '_');
  return /[\p{L}\p{N}]/u.test(token) ? token : undefined;
}

/** A date the schema takes as standard: YYYY, YYYY-MM or YYYY-MM-DD up to 2099; undefined for others. */
export function standardDate(text: string | undefined): string | undefined {
  return text !== undefined &&
    /^(?!0000)(?:1\d|20|0\d)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/.test(text)
    ? text
    : undefined;
}

/** A time the schemas take as standard: a year, month or day, or a time of one, up to 2099; undefined for others. */
export function standardTime(text: string | undefined): string | undefined {
  const [, day] =
    /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:(?<=-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/.exec(text ?? '') ??
    [];
  return standardDate(day) === undefined ? undefined : text;
}

/** A four-letter script code, or undefined. */
export const scriptCode = (code: string | undefined): string | undefined =>
  code !== undefined && /^[A-Z][a-z]{3}$/.test(code) ? code : undefined;

/** A three-letter code of a language, or undefined for what else an installation may have added to its list. */
export const knownLanguage = (code: string | undefined): string | undefined =>
  code !== undefined && /^[a-z]{3}$/.test(code) ? code : undefined;

/** The same where the schema wants a code: `und` for others. */
export const languageCode = (code: string | undefined): string => knownLanguage(code) ?? 'und';

/** The xlink attributes of a part that has `file_uri`, none where it has no address; and when it was last tried. */
export function linkOf(part: JsonObject): Attributes {
  const href = addressOf(textOf(part, 'file_uri'));
  const lastDateTimeVerified = standardTime(textOf(part, 'last_verified_date'));
  if (href === undefined) return { lastDateTimeVerified };
  return {
    lastDateTimeVerified,
    'xlink:type': 'simple',
    'xlink:href': href,
    'xlink:role': addressOf(textOf(part, 'xlink_role_attribute')),
    'xlink:arcrole': addressOf(textOf(part, 'xlink_arcrole_attribute')),
    'xlink:title': textOf(part, 'xlink_title_attribute'),
    'xlink:show': showOf(textOf(part, 'file_version_xlink_show_attribute')),
    'xlink:actuate': actuateOf(textOf(part, 'file_version_xlink_actuate_attribute')),
  };
}

/** The link of a citation under the names that parts have for theirs. */
export const linkedPart = (citation: JsonObject): JsonObject => {
  const link = objectOf(citation, 'xlink');
  return {
    file_uri: link?.['href'],
    xlink_title_attribute: link?.['title'],
    xlink_role_attribute: link?.['role'],
    xlink_arcrole_attribute: link?.['arcrole'],
    file_version_xlink_show_attribute: link?.['show'],
    file_version_xlink_actuate_attribute: link?.['actuate'],
  };
};

/** Writes a `p` for each paragraph: texts are parted at blank lines. */
export function writeParagraphs(xml: XmlWriter, texts: readonly string[]): void {
  for (const text of texts)
    for (const paragraph of text.split(/\n\s*\n/))
      if (plainText(paragraph) !== '') xml.element('p', {}, plainText(paragraph));
}

/** Writes a descriptiveNote; nothing where all texts are blank. */
export function writeDescriptiveNote(xml: XmlWriter, ...texts: readonly (string | undefined)[]): void {
  const present = texts.filter((text) => text !== undefined).filter((text) => plainText(text) !== '');
  if (present.length === 0) return;
  xml.open('descriptiveNote');
  writeParagraphs(xml, present);
  xml.close();
}
