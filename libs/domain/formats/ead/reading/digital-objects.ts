// EAD 2002 `dao` and `daogrp` to digital objects and the instances that link them.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../json.ts';
import { attributeOf, elementOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import { displayString } from './dates.ts';
import type { Draft } from './draft.ts';
import { mixedLine, mixedText, splitLongText } from '../../reading/content.ts';
import { isPublic } from '../../xml/audience.ts';

/** The spellings of the EAD 2002 DTD for the XLink values that are a closed list here. */
const xlinkValues: ReadonlyMap<string, string> = new Map([
  ['onload', 'onLoad'],
  ['onrequest', 'onRequest'],
  ['actuateother', 'other'],
  ['actuatenone', 'none'],
  ['showother', 'other'],
  ['shownone', 'none'],
]);

/** Own exports write `<use statement> representative` for the instance that represents its record. */
const representativeMark = / representative$/;

/** Emits one digital object per dao or daogrp of a record and links each by an instance. Needs the record's title and dates. */
export function readDigitalObjects(context: EadContext, draft: Draft): void {
  let hasRepresentative = false;
  for (const node of draft.daos) {
    if (saysNothing(node)) {
      context.report.drop(node, 'digital object without an address', true);
      continue;
    }
    const isGroup = node.name === 'daogrp';
    const located = isGroup
      ? elementsOf(node).filter((child) => child.name === 'daoloc' || child.name === 'dao')
      : [node];
    const arcs = new Map(elementsOf(node, 'arc').map((arc) => [attributeOf(arc, 'to') ?? '', arc]));
    const versions = located.flatMap((location) =>
      fileVersion(context, location, arcs.get(attributeOf(location, 'label') ?? ' '), isPublic(node)),
    );
    reportOthers(context, node, isGroup);
    const isRepresentative: boolean =
      !hasRepresentative && located.some((location) => representativeMark.test(attributeOf(location, 'role') ?? ''));
    hasRepresentative ||= isRepresentative;
    const ref = emitDigitalObject(context, draft, node, { versions, ...typeOf(context, [node, ...located]) });
    draft.instances.push({
      jsonmodel_type: 'instance',
      instance_type: 'digital_object',
      digital_object: { ref },
      ...(isRepresentative ? { is_representative: true } : {}),
    });
  }
}

/** What templates leave behind where there is no digital object (contract: empty elements without attributes are ignored). The audience may be that of what is around it. */
const saysNothing = ({ attributes, children }: XmlNode): boolean =>
  children.length === 0 && attributes.every(({ name }) => name === 'audience');

function emitDigitalObject(
  context: EadContext,
  draft: Draft,
  node: XmlNode,
  { versions, ...type }: { readonly versions: readonly JsonObject[]; readonly digital_object_type?: string },
): string {
  const uri = context.nextUri('digital_object');
  const title = draft.fields['title'];
  const ownTitle = displayString(typeof title === 'string' ? title : undefined, draft.dates);
  const notes = descriptions(node);
  context.emit({
    jsonmodel_type: 'digital_object',
    uri,
    digital_object_id: toUuid(`${context.options.importId} ${context.sequence()}`),
    title: attributeOf(node, 'title') ?? `${ownTitle} Digital Object`.trim(),
    publish: isPublic(node),
    ...type,
    ...(versions.length === 0 ? {} : { file_versions: versions }),
    ...(notes.length === 0 ? {} : { notes }),
  });
  return uri;
}

/** The type of an object, which exports of EAD3 write as the other type of its files; words that the list does not have are told. */
function typeOf(context: EadContext, nodes: readonly XmlNode[]): { readonly digital_object_type?: string } {
  const list = 'digital_object_digital_object_type';
  const node = nodes.find((each) => attributeOf(each, 'otherdaotype') !== undefined);
  const words = node === undefined ? undefined : attributeOf(node, 'otherdaotype');
  if (node === undefined || words === undefined) return {};
  const type = context.fixed(list, words);
  if (type !== undefined) return { digital_object_type: type };
  context.report.dropTextOnce(node.line, node.name, words, `otherdaotype is not in the list ${list}`);
  return {};
}

/** A file version per location; one without an address has nothing to store and is reported. `arc` may add show and actuate. */
function fileVersion(
  context: EadContext,
  node: XmlNode,
  arc: XmlNode | undefined,
  publish: boolean,
): readonly JsonObject[] {
  const href = attributeOf(node, 'href');
  if (href === undefined) {
    context.report.drop(node, 'digital object without an address', true);
    return [];
  }
  const role = attributeOf(node, 'role')?.replace(representativeMark, '');
  // Of several files each may be described; the notes of the object do not say which is whose.
  const described = textContent(elementsOf(node, 'daodesc').flatMap(({ children }) => children));
  const caption =
    node.name === 'daoloc' ? (attributeOf(node, 'title') ?? (described === '' ? undefined : described)) : undefined;
  return [
    {
      jsonmodel_type: 'file_version',
      file_uri: href,
      publish: publish && isPublic(node),
      ...(role === undefined || role === 'representative'
        ? {}
        : { use_statement: context.controlled('file_version_use_statement', role) }),
      ...xlinkProperty(context, node, arc, 'actuate'),
      ...xlinkProperty(context, node, arc, 'show'),
      ...(caption === undefined ? {} : { caption }),
    },
  ];
}

function xlinkProperty(
  context: EadContext,
  node: XmlNode,
  arc: XmlNode | undefined,
  name: 'actuate' | 'show',
): JsonObject {
  const text = attributeOf(node, name) ?? (arc === undefined ? undefined : attributeOf(arc, name));
  if (text === undefined) return {};
  const property = `xlink_${name}_attribute`;
  const value = context.fixed(`file_version_${property}`, xlinkValues.get(text.toLowerCase()) ?? text);
  if (value !== undefined) return { [property]: value };
  context.report.dropText(node.line, node.name, text, `${name} is not in the list file_version_${property}`);
  return {};
}

/** Each `daodesc`, of the group or of one location, is a note; its head is the label. */
function descriptions(node: XmlNode): readonly JsonObject[] {
  const nodes = [node, ...elementsOf(node).filter((child) => child.name === 'daoloc' || child.name === 'dao')];
  return nodes
    .flatMap((owner) => elementsOf(owner, 'daodesc'))
    .flatMap((description) => {
      const head = elementOf(description, 'head');
      const text = mixedText(description.children.filter((child) => child !== head));
      const label = head === undefined ? '' : mixedLine(head.children);
      if (text === '' && label === '') return [];
      return [
        {
          jsonmodel_type: 'note_digital_object',
          type: 'note',
          ...(text === '' || label === '' ? {} : { label }),
          content: splitLongText(text === '' ? label : text),
          publish: isPublic(description),
        },
      ];
    });
}

/** What leads elsewhere without being a file of the object. */
const pointers: ReadonlySet<string> = new Set([
  'ptr',
  'ptrloc',
  'extptr',
  'extptrloc',
  'ref',
  'refloc',
  'extref',
  'extrefloc',
]);

function reportOthers(context: EadContext, node: XmlNode, isGroup: boolean): void {
  const known = isGroup ? ['daoloc', 'dao', 'daodesc', 'arc', 'resource', 'ptr'] : ['daodesc'];
  for (const child of node.children) {
    if (!isElement(child))
      context.report.dropText(node.line, node.name, child, `text of ${node.name} outside a daodesc`);
    else if (!known.includes(child.name) || child.name === 'resource')
      context.report.drop(child, `not imported inside ${node.name}`);
    if (isElement(child) && pointers.has(child.name))
      context.report.dropText(child.line, child.name, attributeOf(child, 'href') ?? '', `address inside ${node.name}`);
    if (isElement(child) && (child.name === 'daoloc' || child.name === 'dao')) reportOthers(context, child, false);
  }
}

/** A UUID that is the same for the same seed: a job that runs again makes the same identifiers (RFC 9562, version 8). */
function toUuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
