// Digital objects of a record as `dao` and `daogrp` of EAD 2002 (contract, exports 2 "Sub-record mappings").
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { resolvedOf } from '../../writing/context.ts';
import { audience, dateText, plain } from '../../writing/finding-aid.ts';
import { actuateOf, showOf } from '../../xml/xlink.ts';
import { anyUri } from '../../writing/identifiers.ts';
import { noteTexts } from '../../writing/note-content.ts';

/** The digital objects of a record's instances. */
export function writeDaos(writer: XmlWriter, record: JsonObject): void {
  for (const instance of objectsOf(record, 'instances')) {
    const object = resolvedOf(objectOf(instance, 'digital_object'));
    if (object !== undefined) writeDao(writer, object, instance['is_representative'] === true);
  }
}

function writeDao(writer: XmlWriter, object: JsonObject, isRepresentative: boolean): void {
  const versions = objectsOf(object, 'file_versions');
  const title = plain(textOf(object, 'title'));
  const [only] = versions;
  const role = (version: JsonObject | undefined): string | undefined => {
    const words = [textOf(version, 'use_statement'), ...(isRepresentative ? ['representative'] : [])].filter(
      (word) => word !== undefined,
    );
    return words.length === 0 ? undefined : words.join(' ');
  };
  if (versions.length > 1) {
    writer.open('daogrp', { 'xlink:type': 'extended', 'xlink:title': title, audience: audience(object) });
    writeDescription(writer, object, title);
    for (const version of versions) {
      const caption = textOf(version, 'caption');
      writer.element('daoloc', {
        'xlink:type': 'locator',
        'xlink:href': anyUri(textOf(version, 'file_uri') ?? ''),
        'xlink:role': role(version),
        'xlink:title': caption === undefined ? undefined : plain(caption),
        audience: audience(version),
      });
    }
    writer.close();
    return;
  }
  writer.open('dao', {
    'xlink:type': 'simple',
    'xlink:href': anyUri(textOf(only, 'file_uri') ?? textOf(object, 'digital_object_id') ?? ''),
    'xlink:role': role(only),
    'xlink:title': title,
    'xlink:show': showOf(textOf(only, 'xlink_show_attribute')) ?? 'new',
    'xlink:actuate': actuateOf(textOf(only, 'xlink_actuate_attribute')) ?? 'onRequest',
    audience: audience(object) ?? audience(only),
  });
  writeDescription(writer, object, title);
  writer.close();
}

/** Title and date of the object; where an import made a note of just that (it has no other place for the date), the note. */
function writeDescription(writer: XmlWriter, object: JsonObject, title: string): void {
  const date = objectsOf(object, 'dates')[0];
  const note = objectsOf(object, 'notes')
    .flatMap(noteTexts)
    .map(plain)
    .find((text) => text.startsWith(`${title}: `));
  const text = date === undefined ? (note ?? title) : `${title}: ${plain(dateText(date))}`;
  if (text !== '') writer.open('daodesc').element('p', {}, text).close();
}
