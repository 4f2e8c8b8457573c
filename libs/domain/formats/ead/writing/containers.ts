// The containers of a record as chains of `container`, in both versions of EAD: the versions differ in the attributes.
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import { resolvedOf } from '../../writing/context.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { plain } from '../../writing/finding-aid.ts';
import type { EadWriting } from '../../writing/finding-aid.ts';

type Attributes = { readonly [name: string]: string | undefined };

/** A version's attributes: of a top container, given the words for the instance, and of the levels inside it. */
export type ContainerAttributes = {
  readonly top: (container: JsonObject, words: string) => Attributes;
  readonly inner: (type: string) => Attributes;
};

/** Writes a chain for each instance whose container was resolved. */
export function writeContainers(
  writer: XmlWriter,
  writing: EadWriting,
  record: JsonObject,
  { top: ofTop, inner }: ContainerAttributes,
): void {
  const instances = objectsOf(record, 'instances');
  const base = instances.length === 0 ? '' : (textOf(record, 'uri') ?? '').split('/').slice(-2).join('_');
  let index = 0;
  for (const instance of instances) {
    index += 1;
    const sub = objectOf(instance, 'sub_container');
    const top = resolvedOf(objectOf(sub, 'top_container'));
    if (sub === undefined || top === undefined) continue;
    const profile = resolvedOf(objectOf(top, 'container_profile'));
    // Ids follow from the record and the place, so that two exports of the same record have the same.
    const idAt = (level: number): string | undefined => writing.ids.claim(`${base}_${index}_${level}`);
    let parent = idAt(1);
    writer.element(
      'container',
      {
        id: parent,
        ...ofTop(top, writing.label('instance_instance_type', textOf(instance, 'instance_type') ?? '')),
        altrender: profile === undefined ? undefined : (textOf(profile, 'url') ?? textOf(profile, 'name')),
      },
      plain(textOf(top, 'indicator')),
    );
    for (const level of [2, 3]) {
      const [type, indicator] = [textOf(sub, `type_${level}`), textOf(sub, `indicator_${level}`)];
      if (type === undefined || indicator === undefined) continue;
      const id = idAt(level);
      writer.element('container', { id, parent, ...inner(type) }, plain(indicator));
      parent = id;
    }
  }
}
