// EAD 2002 `container` to instances, top containers and sub-containers.
import type { JsonObject } from '../../../json.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import type { Draft } from './draft.ts';

/** An instance being read: `sub` grows from type_2 to type_3 as containers inside the first one follow. */
type OpenInstance = { readonly instance: JsonObject; readonly sub: Record<string, string | JsonObject>; depth: number };

/**
 * Adds the instances of the `container` elements of one did, in document order. A container inside another one, with a
 * @parent, or without an @id after another container goes one level down; a fourth level is reported. Top containers are
 * shared by barcode, and inside a resource by type and indicator where there is no barcode.
 */
export function readContainers(context: EadContext, draft: Draft, nodes: readonly XmlNode[]): void {
  const byId = new Map<string, OpenInstance>();
  let last: OpenInstance | undefined;
  const read = (node: XmlNode, enclosing: OpenInstance | undefined): void => {
    const id = attributeOf(node, 'id');
    const parentId = attributeOf(node, 'parent');
    const named = parentId === undefined ? undefined : (byId.get(parentId) ?? last);
    const parent = enclosing ?? named ?? (id === undefined ? last : undefined);
    const current = parent === undefined ? openInstance(context, draft, node) : goDown(context, parent, node);
    if (current !== undefined) {
      last = current;
      if (id !== undefined) byId.set(id, current);
    }
    for (const inner of elementsOf(node, 'container')) read(inner, current);
  };
  for (const node of nodes) read(node, undefined);
}

function openInstance(context: EadContext, draft: Draft, node: XmlNode): OpenInstance | undefined {
  const { label, barcode } = readLabel(node);
  const text = indicatorOf(node);
  if (text === '' && barcode === undefined) {
    context.report.drop(node, 'container without an indicator', true);
    return undefined;
  }
  const type = attributeOf(node, 'type');
  const top = {
    ...(type === undefined ? {} : { type: context.controlled('container_type', type) }),
    indicator: text === '' ? 'unknown' : text,
    ...(barcode === undefined ? {} : { barcode }),
    ...containerProfile(context, node),
  };
  const known = barcode === undefined ? undefined : context.options.topContainerUri?.(barcode);
  const key = barcode === undefined ? `${homeOf(draft)} ${top.type ?? ''}:${top.indicator}` : `barcode ${barcode}`;
  const sub: Record<string, string | JsonObject> = {
    jsonmodel_type: 'sub_container',
    top_container: { ref: known ?? context.emitOnce('top_container', key, top) },
  };
  const instance = {
    jsonmodel_type: 'instance',
    instance_type: instanceType(context, label, type),
    sub_container: sub,
  };
  draft.instances.push(instance);
  return { instance, sub, depth: 1 };
}

/** The resource of a draft: box 1 of one collection is not that of another in the same envelope. */
const homeOf = (draft: Draft): string =>
  JSON.stringify(draft.kind === 'resource' ? { ref: draft.uri } : (draft.fields['resource'] ?? null));

function goDown(context: EadContext, parent: OpenInstance, node: XmlNode): OpenInstance {
  const text = indicatorOf(node);
  if (text === '') {
    context.report.drop(node, 'container without an indicator', true);
  } else if (parent.depth >= 3) {
    context.report.drop(node, 'a fourth level of container');
  } else {
    parent.depth += 1;
    const type = attributeOf(node, 'type') ?? readLabel(node).label ?? 'container';
    parent.sub[`type_${parent.depth}`] = context.controlled('container_type', type);
    parent.sub[`indicator_${parent.depth}`] = text;
    const { barcode } = readLabel(node);
    if (barcode !== undefined && parent.depth === 2) parent.sub['barcode_2'] = barcode;
    else if (barcode !== undefined)
      context.report.dropText(node.line, node.name, barcode, 'barcode of a third container');
  }
  return parent;
}

/** The text of a container without the containers inside it. */
function indicatorOf(node: XmlNode): string {
  return textContent(node.children.filter((child) => !isElement(child) || child.name !== 'container'));
}

/** `Label (barcode)` or `Label [barcode]` taken apart. */
function readLabel(node: XmlNode): { readonly label?: string; readonly barcode?: string } {
  const text = attributeOf(node, 'label');
  if (text === undefined) return {};
  const match = /^(.*?)(?<!\s)\s*(?:\(([^()]+)\)|\[([^[\]]+)\])$/.exec(text);
  const label = (match?.[1] ?? text).trim();
  const barcode = (match?.[2] ?? match?.[3])?.trim();
  return { ...(label === '' ? {} : { label }), ...(barcode === undefined ? {} : { barcode }) };
}

/** The label is the instance type in peers' exports; a label that only repeats the container's type says nothing of it. */
function instanceType(context: EadContext, label: string | undefined, containerType: string | undefined): string {
  if (label === undefined || label.toLowerCase() === containerType?.toLowerCase()) return 'mixed_materials';
  const value = context.controlled('instance_instance_type', label.toLowerCase());
  // A container can never be an instance of the type digital_object (schemas.json, rules of instance).
  return value === 'digital_object' ? 'mixed_materials' : value;
}

function containerProfile(context: EadContext, node: XmlNode): JsonObject {
  const name = attributeOf(node, 'altrender');
  if (name === undefined) return {};
  const uri = context.options.containerProfileUri?.(name);
  if (uri === undefined)
    context.report.dropTextOnce(node.line, 'container', name, 'no container profile has the name that altrender gives');
  return uri === undefined ? {} : { container_profile: { ref: uri } };
}
