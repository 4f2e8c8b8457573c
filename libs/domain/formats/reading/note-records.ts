// The note bodies the EAD reader makes: single-part and multi-part notes with their text sub-notes.
import type { JsonObject } from '../../json.ts';
import { attributeOf } from '../xml/tree.ts';
import type { XmlNode } from '../xml/tree.ts';
import { splitLongText } from './content.ts';
import { isPublic } from '../xml/audience.ts';

/** A note_singlepart; `node` gives publish, persistent_id and label, without it `publish` does. */
export function singlepartNote(type: string, text: string, node: XmlNode | undefined, publish = true): JsonObject {
  return {
    jsonmodel_type: 'note_singlepart',
    type,
    ...(node === undefined ? {} : labelOf(node)),
    content: splitLongText(text),
    ...(node === undefined ? { publish } : noteAttributes(node)),
  };
}

/** A note_multipart with the text as its sub-notes. */
export function multipartNote(type: string, text: string, node: XmlNode): JsonObject {
  return {
    jsonmodel_type: 'note_multipart',
    type,
    subnotes: textSubnotes(text, isPublic(node)),
    ...noteAttributes(node),
  };
}

/** The note_text sub-notes of a text: one, or several where it is longer than one may be. */
export function textSubnotes(text: string, publish: boolean): readonly JsonObject[] {
  return splitLongText(text).map((content) => ({ jsonmodel_type: 'note_text', content, publish }));
}

/** publish and persistent_id of a note from its element. */
export function noteAttributes(node: XmlNode): JsonObject {
  const id = attributeOf(node, 'id');
  return { publish: isPublic(node), ...(id === undefined ? {} : { persistent_id: id }) };
}

/** The label of a note from the attribute that parts of `did` have in place of a head. */
export function labelOf(node: XmlNode): JsonObject {
  const label = attributeOf(node, 'label');
  return label === undefined ? {} : { label };
}
