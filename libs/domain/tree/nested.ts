// What whole trees show of a record (contract, behaviour-records 4.1 for the nested tree, trees 6.6 for the small one). Pure.
import type { Json, JsonObject } from '../json.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import { identifierParts } from '../identifiers/four-parts.ts';
import type { Surroundings } from './shown.ts';
import { containerRef, levelOf, withoutUnset } from './shown.ts';

/** A record of a tree: where it is, its flags and body; `label` is its display string. */
export type TreeRecord = {
  readonly id: number;
  readonly uri: string;
  readonly kind: string;
  readonly label: string;
  readonly publish: boolean | null;
  readonly suppressed: boolean;
  readonly body: JsonObject;
};

/** A node of the nested tree, without `has_children` and `children`. */
export function nestedNode(record: TreeRecord, around: Surroundings): JsonObject {
  const { body } = record;
  const common = {
    title: record.label,
    id: record.id,
    node_type: record.kind,
    publish: record.publish === true,
    suppressed: record.suppressed,
    record_uri: record.uri,
  };
  return withoutUnset({
    ...common,
    ...(ownOf[record.kind]?.(body, around) ?? { identifier: textOf(body, 'identifier') }),
  });
}

/** The root of the nested tree: as a node, with the name of the tree's form. */
export function nestedRoot(record: TreeRecord, around: Surroundings): JsonObject {
  return {
    jsonmodel_type: `${record.kind}_tree`,
    ...nestedNode({ ...record, label: textOf(record.body, 'title') ?? record.label }, around),
  };
}

const described = (body: JsonObject, around: Surroundings): JsonObject => ({
  level: levelOf(body) ?? undefined,
  instance_types: objectsOf(body, 'instances').flatMap((instance) => textOf(instance, 'instance_type') ?? []),
  containers: objectsOf(body, 'instances').flatMap((instance) => nestedContainer(instance, around)),
});
const digital = (body: JsonObject): JsonObject => ({
  level: textOf(body, 'level'),
  digital_object_type: textOf(body, 'digital_object_type'),
  file_versions: objectsOf(body, 'file_versions'),
});

const ownOf: { readonly [kind: string]: (body: JsonObject, around: Surroundings) => JsonObject } = {
  resource: (body, around) => ({
    finding_aid_filing_title: textOf(body, 'finding_aid_filing_title'),
    ...described(body, around),
  }),
  archival_object: (body, around) => ({
    ...described(body, around),
    component_id: given(textOf(body, 'component_id')),
  }),
  digital_object: digital,
  digital_object_component: (body) => ({ ...digital(body), component_id: given(textOf(body, 'component_id')) }),
};

/** One object per instance in a container, all seven keys, null where unset. */
function nestedContainer(instance: JsonObject, around: Surroundings): readonly JsonObject[] {
  const sub = objectOf(instance, 'sub_container');
  const top = around.containers.get(containerRef(instance) ?? '');
  if (sub === undefined) return [];
  const barcode = textOf(top, 'barcode');
  const keys = ['type_2', 'indicator_2', 'barcode_2', 'type_3', 'indicator_3'] as const;
  return [
    {
      type_1: textOf(top, 'type') ?? 'Container',
      indicator_1:
        top === undefined ? null : `${textOf(top, 'indicator') ?? ''}${barcode === undefined ? '' : ` [${barcode}]`}`,
      ...Object.fromEntries(keys.map((key): [string, Json] => [key, textOf(sub, key) ?? null])),
    },
  ];
}

/** The root of the small tree, without `children`. */
export function smallRoot(record: TreeRecord): JsonObject {
  return {
    title: textOf(record.body, 'title') ?? record.label,
    identifier: identifierParts(record.body)
      .filter((part) => part !== null && part !== '')
      .join('--'),
    uri: record.uri,
  };
}

/** A node of the small tree, without `has_children` and `children`; what is unset is left out. */
export function smallNode(record: TreeRecord, around: Surroundings): JsonObject {
  const { body } = record;
  return withoutUnset({
    title: record.label,
    uri: record.uri,
    ref_id: textOf(body, 'ref_id'),
    component_id: given(textOf(body, 'component_id')),
    container: objectsOf(body, 'instances')
      .flatMap((instance) => containerText(instance, around))
      .at(-1),
  });
}

function containerText(instance: JsonObject, around: Surroundings): readonly string[] {
  const sub = objectOf(instance, 'sub_container');
  if (sub === undefined) return [];
  const top = around.containers.get(containerRef(instance) ?? '');
  const barcode = textOf(top, 'barcode');
  const levels = [
    [textOf(top, 'type'), textOf(top, 'indicator'), barcode === undefined ? undefined : `[${barcode}]`],
    [textOf(sub, 'type_2'), textOf(sub, 'indicator_2')],
    [textOf(sub, 'type_3'), textOf(sub, 'indicator_3')],
  ];
  return [
    levels
      .map((parts) => parts.filter((part) => part !== undefined).join(': '))
      .filter((text) => text !== '')
      .join(', '),
  ];
}

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
