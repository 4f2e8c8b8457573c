// What of a MARC record is in none of the records made from it: whole fields, and subfields of fields that are read.
import type { ReadingContext } from '../../reading/context.ts';
import { controlCodes } from './record.ts';
import type { MarcField, MarcRecord } from './record.ts';

/** Notes the subfields of a field whose codes are not among `used`. */
export function reportUnused(context: ReadingContext, field: MarcField, used: string): void {
  for (const { code, text } of field.subfields) {
    if (!used.includes(code))
      context.report.dropText(field.line, `datafield ${field.tag}`, text, `subfield ${code} is not imported`);
  }
}

/** Notes the repeats of subfields of which a record has one: all but the first of each code. */
export function reportFurther(context: ReadingContext, field: MarcField, codes: string): void {
  for (const code of codes) {
    for (const { text } of field.subfields.filter((subfield) => subfield.code === code).slice(1))
      context.report.dropText(
        field.line,
        `datafield ${field.tag}`,
        text,
        `only the first subfield ${code} is imported`,
      );
  }
}

/** Notes what steers a field that is read as one text ($0, $5, $8 and their like), which is no part of it; $3 is. */
export function reportSteering(context: ReadingContext, field: MarcField): void {
  for (const { code, text } of field.subfields)
    if (code !== '3' && controlCodes.includes(code))
      context.report.dropText(field.line, `datafield ${field.tag}`, text, `subfield ${code} is not imported`);
}

/** Notes the number that a record has in the system it comes from. */
export function reportNumber(context: ReadingContext, record: MarcRecord): void {
  const number = ['003', '001'].flatMap((tag) => record.controls.get(tag)?.trim() ?? []).join(' ');
  context.report.dropText(record.line, 'controlfield 001', number, 'the number of the record is not imported');
}

/** Notes a whole field. */
export function reportField(context: ReadingContext, field: MarcField, reason = 'the field is not imported'): void {
  context.report.dropText(
    field.line,
    `datafield ${field.tag}`,
    field.subfields.map(({ code, text }) => `$${code} ${text}`).join(' '),
    reason,
  );
}
