// Identifiers, title, dates, extents and languages of a MARC 21 bibliographic record (behaviour-imports.md section 4).
import type { Json, JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { firstOf, textsOfField, withoutPunctuation } from './record.ts';
import type { MarcField, MarcRecord } from './record.ts';
import { reportField, reportFurther, reportUnused } from './report.ts';
import { splitLongText } from '../../reading/content.ts';
import { leadingNumber } from '../../reading/leading-number.ts';
import { escapeText } from '../../xml/escape.ts';
import { extentStandIn } from '../../reading/record-parts.ts';

/** Call numbers in the order in which they count. */
const callNumbers = ['099', '090', '092', '096', '098', '050', '082'] as const;

const fieldsOf = (record: MarcRecord, tag: string): readonly MarcField[] =>
  record.fields.filter((field) => field.tag === tag);

/** The identifier: shelving numbers of 852, else a call number, else one made of the import. The first field that gives one counts. */
export function readIdentifier(context: ReadingContext, record: MarcRecord): string {
  const candidates = [
    ...fieldsOf(record, '852').map((field) => ({ field, codes: 'khijm' })),
    ...callNumbers.flatMap((tag) => fieldsOf(record, tag).map((field) => ({ field, codes: '' }))),
  ];
  let found: string | undefined;
  for (const { field, codes } of candidates) {
    // The contract's order of 852 is k h i j m, whatever the order in the field.
    const texts = codes === '' ? textsOfField(field, '') : [...codes].flatMap((code) => textsOfField(field, code));
    if (texts.length === 0 || found !== undefined) {
      reportField(
        context,
        field,
        texts.length === 0 ? 'no shelving number in it' : 'the identifier comes from another field',
      );
      continue;
    }
    found = texts.join('_');
    reportUnused(context, field, codes === '' ? 'abcdefghijklmnopqrstuvxyz' : codes);
  }
  return found ?? `imported-${context.options.importId}-${context.sequence()}`;
}

/** The title of 245, else of 240, 222 or 210; undefined where there is none. */
export function readTitle(context: ReadingContext, record: MarcRecord): string | undefined {
  const [field, ...others] = fieldsOf(record, '245');
  for (const other of others) reportField(context, other, 'only the first title is imported');
  if (field === undefined) {
    const other = ['240', '222', '210']
      .flatMap((tag) => fieldsOf(record, tag))
      .find((candidate) => textsOfField(candidate, '').length > 0);
    return other === undefined ? undefined : textsOfField(other, '').join(' ');
  }
  reportUnused(context, field, 'abchknpsfg');
  const before: Readonly<Record<string, string>> = { b: ' : ', h: ' ', k: ' ', n: ', ', p: ', ', s: ', ', c: ' / ' };
  let title = '';
  for (const code of 'abhknpsc') {
    for (const text of textsOfField(field, code)) {
      const clean = withoutPunctuation(text);
      title += title === '' ? clean : `${before[code] ?? ' '}${clean}`;
    }
  }
  return title === '' ? undefined : title;
}

/** Dates: of 008, with the words of 245 $f; 245 $g as bulk date; else the year of publication. */
export function readDates(record: MarcRecord): readonly JsonObject[] {
  const dates: Record<string, string>[] = [];
  const coded = codedDate(record);
  if (coded !== undefined) dates.push(coded);
  const [title] = fieldsOf(record, '245');
  const expression = title === undefined ? '' : textsOfField(title, 'f').map(withoutPunctuation).join(', ');
  const bulk = title === undefined ? '' : textsOfField(title, 'g').map(withoutPunctuation).join(', ');
  const [first] = dates;
  // Where the coded date is that of the bulk, the words about all of the material are another date.
  if (coded?.['date_type'] === 'bulk') {
    if (bulk !== '')
      coded['expression'] = coded['expression'] === undefined ? bulk : `${bulk} (${coded['expression']})`;
    return [
      ...(expression === '' ? [] : [{ jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', expression }]),
      { jsonmodel_type: 'date', ...coded },
    ];
  }
  if (expression !== '' && first !== undefined)
    first['expression'] = first['expression'] === undefined ? expression : `${expression} (${first['expression']})`;
  else if (expression !== '') dates.push({ date_type: 'inclusive', label: 'creation', expression });
  if (bulk !== '') dates.push({ date_type: 'bulk', label: 'creation', expression: bulk });
  const published = [...fieldsOf(record, '260'), ...fieldsOf(record, '264')]
    .flatMap((field) => textsOfField(field, 'c'))
    .map(withoutPunctuation);
  const [year] = published;
  if (dates.length === 0 && year !== undefined)
    dates.push({ date_type: 'single', label: 'publication', expression: year });
  return dates.map((date) => ({ jsonmodel_type: 'date', ...date }));
}

/** Positions 6 to 14 of 008: only inclusive, bulk and single dates are of the material. */
function codedDate(record: MarcRecord): Record<string, string> | undefined {
  const fixed = record.controls.get('008') ?? '';
  const type = { i: 'inclusive', k: 'bulk', s: 'single' }[fixed.charAt(6)];
  const begin = fixed.slice(7, 11).trim();
  const end = fixed.slice(11, 15).trim();
  if (type === undefined || !/\d/.test(begin)) return undefined;
  if (!/^\d{4}$/.test(begin)) return { date_type: type, label: 'creation', expression: begin };
  const hasEnd = type !== 'single' && /^\d{4}$/.test(end) && end !== '9999' && end >= begin;
  // A bulk date that begins and does not end is a single year to the rules of dates; it stays what the record says it is.
  return { date_type: type, label: 'creation', begin, ...(hasEnd ? { end } : {}) };
}

/** A field 300 that counts nothing, and its words. */
type Uncounted = { readonly field: MarcField; readonly text: string };

/**
 * Extents of 300: a number and a unit, with all words of the field as container summary. A field that counts nothing does not stop
 * the import, as it does at peers (contract section 9): its words are for a note, and where no field counts, `1 collection` stands in.
 */
export function readExtents(
  context: ReadingContext,
  record: MarcRecord,
): { readonly extents: readonly JsonObject[]; readonly uncounted: readonly Uncounted[] } {
  const extents: JsonObject[] = [];
  const uncounted: Uncounted[] = [];
  for (const field of fieldsOf(record, '300')) {
    const words = textsOfField(field, '').join(' ');
    const text = [...textsOfField(field, '3'), ...(words === '' ? [] : [words])].join(' ');
    const counted = countedExtent(context, field);
    if (counted === undefined && text !== '') uncounted.push({ field, text });
    if (counted !== undefined)
      extents.push({ jsonmodel_type: 'extent', portion: 'whole', ...counted, ...ownSummary(field, text) });
    reportUnused(context, field, 'abcdefghijklmnopqrstuvxyz3');
  }
  if (extents.length > 0) return { extents, uncounted };
  context.report.dropText(
    record.line,
    'record',
    'no extent',
    'no field 300 counts anything; "1 collection" stands in for it',
  );
  return { extents: [extentStandIn(context)], uncounted };
}

/** The whole text is the summary; own exports have a number in $a, and in $f its unit, with a summary in brackets where there is one. */
function ownSummary(field: MarcField, text: string): { readonly container_summary?: string } {
  const isOwn = field.subfields.map(({ code }) => code).join('') === 'af' && /^[\d.]+$/.test(firstOf(field, 'a') ?? '');
  const [, summary] = isOwn
    ? (/^[^()]+(?: \((.*)\))?$/s.exec(firstOf(field, 'f') ?? '') ?? [undefined, text])
    : [undefined, text];
  return summary === undefined ? {} : { container_summary: summary };
}

function countedExtent(context: ReadingContext, field: MarcField): JsonObject | undefined {
  const text = firstOf(field, 'a') ?? '';
  const { number, rest = '' } = leadingNumber(text.replace(/^(?:ca?\.|approximately|about)\s*/i, '')) ?? {};
  // What measures a sheet (`5 x 7 cm`) counts nothing.
  if (number === undefined || /^\s*[x×]\s*\d/i.test(rest)) return undefined;
  // `27.5 linear feet (in 29 boxes), 29 reels`: the unit ends where the next statement begins.
  const unit =
    withoutPunctuation((/^[^(),;:+&]*/.exec(rest)?.[0] ?? '').trim()).replace(/\.$/, '') ||
    withoutPunctuation(/^[^(]*/.exec(firstOf(field, 'f') ?? '')?.[0].trim() ?? '');
  if (unit === '' || !/^\p{L}/u.test(unit)) return undefined;
  return { number, extent_type: context.controlled('extent_extent_type', unit) };
}

/** Languages: of 008, then those of 041 $a that it does not name, else undetermined; 546 as notes. */
export function readLanguages(context: ReadingContext, record: MarcRecord): readonly JsonObject[] {
  const fixed = (record.controls.get('008') ?? '').slice(35, 38).trim();
  const codes =
    fixed === '' || fixed.includes('|') ? [] : [{ code: fixed, place: 'controlfield 008', line: record.line }];
  for (const field of fieldsOf(record, '041')) {
    for (const text of textsOfField(field, 'a')) {
      // Codes of several languages stood in one subfield until 2001.
      const parts = /^(?:[a-z]{3}){2,}$/i.test(text) ? (text.match(/.{3}/g) ?? []) : [text];
      if (parts.length > 1)
        context.report.dropText(
          field.line,
          'datafield 041',
          text,
          'several codes in one subfield; each is imported by itself',
        );
      for (const code of parts) codes.push({ code, place: 'datafield 041', line: field.line });
    }
    reportUnused(context, field, 'a2');
  }
  const languages = new Set<string>();
  for (const { code, place, line } of codes) {
    const language = context.fixed('language_iso639_2', code);
    if (language === undefined)
      context.report.dropText(line, place, code, 'the language is not in the list language_iso639_2');
    else languages.add(language);
  }
  // Several languages, which 041 names one by one.
  if (languages.size > 2) languages.delete('mul');
  const coded = [...(languages.size === 0 ? ['und'] : languages)].map((language): JsonObject => ({
    jsonmodel_type: 'lang_material',
    language_and_script: { jsonmodel_type: 'language_and_script', language },
  }));
  const notes = fieldsOf(record, '546').flatMap((field): readonly JsonObject[] => {
    reportUnused(context, field, 'abcdefghijklmnopqrstuvxyz');
    const text = textsOfField(field, '').join(' ');
    if (text === '') return [];
    const note = {
      jsonmodel_type: 'note_langmaterial',
      type: 'langmaterial',
      content: splitLongText(escapeText(text)),
    };
    return [{ jsonmodel_type: 'lang_material', notes: [note] }];
  });
  return [...coded, ...notes];
}

/** The finding aid's own properties: rules and language of 040, sponsor of 536. */
export function readFindingAid(context: ReadingContext, record: MarcRecord): Readonly<Record<string, Json>> {
  const fields: Record<string, Json> = { finding_aid_language: 'und', finding_aid_script: 'Zyyy' };
  for (const field of fieldsOf(record, '040')) {
    for (const rules of textsOfField(field, 'e')) {
      if (fields['finding_aid_description_rules'] === undefined)
        fields['finding_aid_description_rules'] = context.controlled('resource_finding_aid_description_rules', rules);
      else context.report.dropText(field.line, 'datafield 040', rules, 'a finding aid follows one set of rules');
    }
    const language = context.fixed('language_iso639_2', firstOf(field, 'b') ?? '');
    if (language !== undefined) fields['finding_aid_language'] = language;
    reportUnused(context, field, language === undefined ? 'e' : 'be');
    if (language !== undefined) reportFurther(context, field, 'b');
  }
  for (const field of fieldsOf(record, '536')) reportUnused(context, field, 'abcdefghijklmnopqrstuvxyz');
  const sponsor = fieldsOf(record, '536')
    .map((field) => textsOfField(field, '').join(' '))
    .join('; ');
  return sponsor === '' ? fields : { ...fields, finding_aid_sponsor: sponsor };
}
