// EAD 2002 `container` to instances, top containers and sub-containers.
import type { JsonObject } from '../../../json.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import type { Draft } from './draft.ts';

/** An instance being read: `path` is its container and those inside, and `sub` grows from type_2 to type_3 with it. */
type OpenInstance = {
  readonly instance: JsonObject;
  readonly sub: Record<string, string | JsonObject>;
  readonly path: XmlNode[];
};

/** The instances, each by the containers of its path; of several with a container in their paths, the last. */
type Opened = Map<XmlNode, OpenInstance>;

// So far are parents followed that come later: more than three levels mean nothing.
const mostSteps = 16;

/** A container, and the one that it stands in. */
type Place = { readonly node: XmlNode; readonly enclosing: Place | undefined };

/**
 * Adds the instances of the `container` elements of one did, in document order. A container inside another one, with a
 * @parent, or without an @id after another container goes one level down; a fourth level is reported. Several of one type that
 * stand in the same container, or name the same parent, are an instance each. A parent may come later. Top containers are
 * shared by barcode, and inside a resource by type and indicator where there is no barcode.
 */
export function readContainers(context: EadContext, draft: Draft, nodes: readonly XmlNode[]): void {
  const opened: Opened = new Map();
  const places = nodes.flatMap((node) => placesOf(node, undefined));
  const placeById = new Map(places.toReversed().map((place) => [attributeOf(place.node, 'id'), place]));
  // Where what is below a container goes: to itself, or to the one above where it is left out.
  const reached = new Map<Place, XmlNode | undefined>();
  const byId = new Map<string, XmlNode>();
  let last: XmlNode | undefined;
  const parentNamed = (id: string, steps: number): XmlNode | undefined => {
    const later = byId.has(id) || steps > mostSteps ? undefined : placeById.get(id);
    if (later !== undefined) read(later, steps);
    return byId.get(id);
  };
  const read = (place: Place, steps: number): void => {
    if (reached.has(place)) return;
    const { node, enclosing } = place;
    reached.set(place, undefined);
    if (enclosing !== undefined) read(enclosing, steps);
    const [id, parentId] = [attributeOf(node, 'id'), attributeOf(node, 'parent')];
    const named = parentId === undefined ? undefined : (parentNamed(parentId, steps + 1) ?? last);
    const outer = enclosing === undefined ? undefined : reached.get(enclosing);
    const parent = outer ?? named ?? (id === undefined ? last : undefined);
    const current =
      parent === undefined ? openInstance(context, draft, opened, node) : goDown(context, draft, opened, parent, node);
    reached.set(place, current);
    if (current === undefined) return;
    last = current;
    if (id !== undefined) byId.set(id, current);
  };
  for (const place of places) read(place, 0);
}

function placesOf(node: XmlNode, enclosing: Place | undefined): readonly Place[] {
  const place = { node, enclosing };
  return [place, ...elementsOf(node, 'container').flatMap((inner) => placesOf(inner, place))];
}

function openInstance(context: EadContext, draft: Draft, opened: Opened, node: XmlNode): XmlNode | undefined {
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
  if (barcode !== undefined && !context.claim('indicator', barcode, top.indicator))
    context.report.dropTextOnce(node.line, node.name, text, `the barcode ${barcode} is of another container`);
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
  opened.set(node, { instance, sub, path: [node] });
  return node;
}

/** The resource of a draft: box 1 of one collection is not that of another in the same envelope. */
const homeOf = (draft: Draft): string =>
  JSON.stringify(draft.kind === 'resource' ? { ref: draft.uri } : (draft.fields['resource'] ?? null));

function goDown(context: EadContext, draft: Draft, opened: Opened, parent: XmlNode, node: XmlNode): XmlNode {
  const text = indicatorOf(node);
  const found = opened.get(parent);
  if (text === '' || found === undefined) {
    context.report.drop(node, 'container without an indicator', true);
    return parent;
  }
  const sibling = found.path[found.path.indexOf(parent) + 1];
  const type = innerType(context, node);
  const isBeside = sibling !== undefined && innerType(context, sibling) === type;
  const open = isBeside ? openBeside(draft, opened, found, parent) : found;
  const { sub, path } = open;
  if (path.length >= 3) {
    context.report.drop(node, 'a fourth level of container');
    return path.at(-1) ?? parent;
  }
  path.push(node);
  opened.set(node, open);
  sub[`type_${path.length}`] = type;
  sub[`indicator_${path.length}`] = text;
  const { barcode } = readLabel(node);
  if (barcode !== undefined && path.length === 2) sub['barcode_2'] = barcode;
  else if (barcode !== undefined)
    context.report.dropText(node.line, node.name, barcode, 'barcode of a third container');
  return node;
}

/** A further instance in the same containers down to `parent`. */
function openBeside(
  draft: Draft,
  opened: Opened,
  { instance, sub, path }: OpenInstance,
  parent: XmlNode,
): OpenInstance {
  const shared = path.slice(0, path.indexOf(parent) + 1);
  const inner = shared.length === 1 ? /_[23]$/ : /_3$/;
  const ownSub = Object.fromEntries(Object.entries(sub).filter(([name]) => !inner.test(name)));
  const beside = { instance: { ...instance, sub_container: ownSub }, sub: ownSub, path: shared };
  draft.instances.push(beside.instance);
  for (const container of shared) opened.set(container, beside);
  return beside;
}

const innerType = (context: EadContext, node: XmlNode): string =>
  context.controlled('container_type', attributeOf(node, 'type') ?? readLabel(node).label ?? 'container');

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
