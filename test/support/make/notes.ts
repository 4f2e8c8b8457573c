// Notes of descriptions, published or not, for bodies that tests send.
import type { JsonObject } from '#domain/json.ts';

/** A text within a note. */
export const text = (content: string, publish = true): JsonObject => ({
  jsonmodel_type: 'note_text',
  content,
  publish,
});

/** A note of one text, which is published whatever the note is. */
export const note = (type: string, content: string, publish = true): JsonObject => ({
  jsonmodel_type: 'note_multipart',
  type,
  publish,
  subnotes: [text(content)],
});

/** An abstract, which has no texts within. */
export const abstract = (content: string, publish = true): JsonObject => ({
  jsonmodel_type: 'note_singlepart',
  type: 'abstract',
  publish,
  content: [content],
});
