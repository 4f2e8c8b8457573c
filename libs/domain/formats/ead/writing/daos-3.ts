// Digital objects of a record as `dao` and `daoset` of EAD3 (contract, exports 3).
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { resolvedOf } from '../../writing/context.ts';
import { audience, dateText, plain } from '../../writing/finding-aid.ts';
import { actuateOf, showOf } from '../../xml/xlink.ts';
import { anyUri } from '../../writing/identifiers.ts';

/** The digital objects of a record's instances: one `dao` for each file version, in a set where there are several. */
export function writeDaos(writer: XmlWriter, record: JsonObject): void {
  for (const instance of objectsOf(record, 'instances')) {
    const object = resolvedOf(objectOf(instance, 'digital_object'));
    if (object === undefined) continue;
    const versions = objectsOf(object, 'file_versions');
    const isRepresentative = instance['is_representative'] === true;
    const type = textOf(object, 'digital_object_type');
    const title = plain(textOf(object, 'title'));
    const write = (version: JsonObject | undefined, isAlone: boolean): void => {
      const role = [textOf(version, 'use_statement'), ...(isRepresentative ? ['representative'] : [])]
        .filter((word) => word !== undefined)
        .join(' ');
      const caption = textOf(version, 'caption');
      writer.open('dao', {
        daotype: type === undefined ? 'unknown' : 'otherdaotype',
        otherdaotype: type,
        href: anyUri(textOf(version, 'file_uri') ?? textOf(object, 'digital_object_id') ?? ''),
        linkrole: role,
        linktitle: isAlone || caption === undefined ? title : plain(caption),
        show: showOf(textOf(version, 'xlink_show_attribute')) ?? 'new',
        actuate: (actuateOf(textOf(version, 'xlink_actuate_attribute')) ?? 'onrequest').toLowerCase(),
        audience: audience(object) ?? audience(version),
      });
      if (isAlone) writeDescription(writer, object, title);
      writer.close();
    };
    if (versions.length < 2) {
      write(versions[0], true);
      continue;
    }
    writer.open('daoset', { label: title, audience: audience(object) });
    for (const version of versions) write(version, false);
    writeDescription(writer, object, title);
    writer.close();
  }
}

function writeDescription(writer: XmlWriter, object: JsonObject, title: string): void {
  const date = objectsOf(object, 'dates')[0];
  writer
    .open('descriptivenote')
    .element('p', {}, date === undefined ? title : `${title}: ${plain(dateText(date))}`)
    .close();
}
