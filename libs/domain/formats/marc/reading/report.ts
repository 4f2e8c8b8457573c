// What of a MARC record is in none of the records made from it: whole fields, and subfields of fields that are read.
import type { ReadingContext } from '../../reading/context.ts';
import type { MarcField } from './record.ts';

/** Notes the subfields of a field whose codes are not among `used`. */
export function reportUnused(context: ReadingContext, field: MarcField, used: string): void {
  for (const { code, text } of field.subfields) {
    if (!used.includes(code))
      context.report.dropText(field.line, `datafield ${field.tag}`, text, `subfield ${code} is not imported`);
  }
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
