// The texts of notes as plain text, whatever the form of the note (contract OAI 11, "Common rules").
import type { JsonObject } from '../../json.ts';
import { withoutMarkup } from '../../text/mixed-content.ts';
import { noteTexts } from '../writing/note-text.ts';

/** Text without markup; what marks up words leaves no blank. */
export const plain = (text: string): string =>
  withoutMarkup(text)
    .replace(/[ \t]+/g, ' ')
    .trim();

/** The plain texts of a note, one for each content string or sub-note; blank ones are left out. */
export const plainNoteTexts = (note: JsonObject): readonly string[] =>
  noteTexts(note)
    .map(plain)
    .filter((text) => text !== '');
