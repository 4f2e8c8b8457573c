// A MARC 21 authority record among bibliographic ones: the agent or subject that its heading stands for (behaviour-imports.md section 4).
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import { readExistence } from './existence.ts';
import { authoritySource, emitSubject } from './headings.ts';
import { readName } from './names.ts';
import { noteText } from './notes.ts';
import { textsOfField } from './record.ts';
import type { MarcRecord } from './record.ts';
import { reportField, reportFurther, reportSteering, reportUnused } from './report.ts';

const agentHeading = /^1(?:00|10|11)$/;

/** Emits the agent of 100, 110 or 111, or the subject of another 1XX; 001 is its number, 046 are its dates of existence, 678 its history, 680 its scope note. */
export function emitAuthority(context: ReadingContext, record: MarcRecord): void {
  const source = authoritySource(record.controls.get('008')?.charAt(11));
  const number = record.controls.get('001')?.trim() ?? '';
  const authority: JsonObject = number === '' ? {} : { authority_id: number };
  const histories = record.fields.filter((field) => field.tag === '678');
  const scope = record.fields
    .filter((field) => field.tag === '680')
    .map((field) => textsOfField(field, '').join(' '))
    .join('\n\n');
  // An agent has dates, a history and no scope note, a subject a scope note and neither of those.
  const isAgent = record.fields.some((field) => agentHeading.test(field.tag));
  const dates = record.fields
    .filter((field) => isAgent && field.tag === '046')
    .map((field) => readExistence(context, field))
    .filter((date) => date !== undefined);
  for (const field of record.fields) {
    if (agentHeading.test(field.tag)) {
      const read = readName(field, context.controlled('name_source', source === 'not_specified' ? 'ingest' : source));
      if (read === undefined) {
        reportField(context, field, 'a heading without a name');
        continue;
      }
      const notes = histories.map((history) => ({
        jsonmodel_type: 'note_bioghist',
        subnotes: textSubnotes(noteText(history), true),
      }));
      const body = {
        publish: true,
        names: [{ ...read.name, ...authority, authorized: true, is_display_name: true }],
        ...(dates.length === 0 ? {} : { dates_of_existence: dates }),
        ...(notes.length === 0 ? {} : { notes }),
      };
      context.emitOnce(read.kind, JSON.stringify(body), body);
      reportUnused(context, field, read.codes);
      reportFurther(context, field, 'a');
    } else if (
      /^1\d\d$/.test(field.tag) &&
      emitSubject(context, field, source, { ...authority, ...(scope === '' ? {} : { scope_note: scope }) })
    ) {
      continue;
    } else if (field.tag === (isAgent ? '678' : '680')) {
      reportSteering(context, field);
    } else if (!isAgent || field.tag !== '046') {
      reportField(context, field, field.tag.startsWith('4') ? 'variants of a heading are not imported' : undefined);
    }
  }
}
