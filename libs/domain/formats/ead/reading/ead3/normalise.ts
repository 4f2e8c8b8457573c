// EAD3 (tag library 1.1) as EAD 2002: rewrites one collected part of an EAD3 document into the elements and attributes that the EAD 2002
// mapping reads, so that both formats share one mapping. Lines stay those of the document. Elements that both have pass unchanged.
import type { XmlAttribute } from '../../../xml/reader.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../../xml/tree.ts';
import { readControl } from './control.ts';
import type { IsLabel } from './control.ts';
import { readStructuredDate, reportOthersIn, withoutRepeatedDates } from './dates.ts';
import { readPhysdescStructured, withSummaries } from './physdesc.ts';
import type { ReportBuilder } from '../../../reading/report.ts';
import { joinParts } from '../../../reading/record-parts.ts';

/** Headings, whose text stands in `part` elements. */
const headings: ReadonlySet<string> = new Set([
  'corpname',
  'famname',
  'function',
  'genreform',
  'geogname',
  'name',
  'occupation',
  'persname',
  'subject',
  'title',
]);

/** Attributes that EAD3 calls by another name, on any element. */
const attributeNames: ReadonlyMap<string, string> = new Map([
  ['localtype', 'type'],
  ['unitdatetype', 'type'],
  ['relator', 'role'],
  ['linktitle', 'title'],
  ['linkrole', 'role'],
]);

/** The list numerations of EAD3 (CSS names) as EAD 2002 calls them. */
const numerations: ReadonlyMap<string, string> = new Map([
  ['decimal', 'arabic'],
  ['lower-alpha', 'loweralpha'],
  ['upper-alpha', 'upperalpha'],
  ['lower-roman', 'lowerroman'],
  ['upper-roman', 'upperroman'],
]);

/** Rewrites one part of a document. `report` takes what EAD 2002 has no place for, `isLabel` knows the words that only repeat a code. Parts of headings stay apart where they are mapped one by one. */
export function normaliseEad3(node: XmlNode, report: ReportBuilder, isLabel: IsLabel): readonly XmlNode[] {
  return normalise(node, { report, isLabel, keepsParts: node.name === 'controlaccess' });
}

type Scope = { readonly report: ReportBuilder; readonly isLabel: IsLabel; readonly keepsParts: boolean };

function normalise(node: XmlNode, scope: Scope): readonly XmlNode[] {
  switch (node.name) {
    case 'control':
      return [readControl(inside(node, 'eadheader', scope), scope.report, scope.isLabel)];
    case 'did':
      return [
        {
          ...node,
          attributes: renamed(node),
          children: withSummaries(withoutRepeatedDates(node, scope.report)).flatMap((child) => rewrite(child, scope)),
        },
      ];
    case 'unitdatestructured':
      reportOthersIn(node, scope.report);
      return readStructuredDate(node);
    case 'physdescset':
      return outerParts(node, scope);
    case 'physdesc':
      return [physdesc(inside(node, 'physdesc', scope))];
    case 'physdescstructured':
      return [readPhysdescStructured(node, scope.report)];
    case 'origination':
      return [inside(node, 'origination', { ...scope, keepsParts: true })];
    case 'didnote':
    case 'controlnote':
      return [inside(node, 'note', scope)];
    case 'dao':
      return [withDescription(labelled(inside(node, 'dao', scope), scope.report))];
    case 'daoset':
      return [daoGroup(inside(node, 'daogrp', scope))];
    case 'container':
      return [container(inside(node, 'container', scope))];
    case 'chronitem':
      return [chronitem(inside(node, 'chronitem', scope))];
    case 'langmaterial':
      return [langmaterial(inside(node, 'langmaterial', scope), scope.isLabel)];
    case 'list':
      return [list(inside(node, 'list', scope))];
    default:
      return headings.has(node.name) ? [heading(node, scope)] : [inside(node, node.name, scope)];
  }
}

const rewrite = (child: XmlChild, scope: Scope): readonly XmlChild[] =>
  isElement(child) ? normalise(child, scope) : [child];

/** The node under a name, with its attributes as EAD 2002 calls them and its content rewritten. An attribute that is there by that name wins. */
function inside(node: XmlNode, name: string, scope: Scope): XmlNode {
  return {
    ...node,
    name,
    attributes: renamed(node),
    children: node.children.flatMap((child) => rewrite(child, scope)),
  };
}

function renamed(node: XmlNode): readonly XmlAttribute[] {
  const names = new Set(node.attributes.map((attribute) => attribute.name));
  return node.attributes.map((attribute) => {
    const name = attributeNames.get(attribute.name);
    // The type of a date is @unitdatetype alone; its @localtype is a word of the house.
    return name === undefined || names.has(name) || (node.name === 'unitdate' && attribute.name === 'localtype')
      ? attribute
      : { name, local: name, value: attribute.value };
  });
}

const withAttribute = (node: XmlNode, name: string, value: string | undefined): XmlNode =>
  value === undefined
    ? node
    : {
        ...node,
        attributes: [...node.attributes.filter((attribute) => attribute.name !== name), { name, local: name, value }],
      };

/** `physdescset`: statements of one quantity in several ways; each stands for itself. */
function outerParts(node: XmlNode, scope: Scope): readonly XmlNode[] {
  for (const child of node.children)
    if (!isElement(child)) scope.report.dropText(node.line, node.name, child, 'text between the parts of physdescset');
  return elementsOf(node).flatMap((child) => normalise(child, scope));
}

/** Own exports name what EAD 2002 has elements for, and EAD3 has not outside an extent, in @localtype. */
function physdesc(node: XmlNode): XmlNode {
  const name = attributeOf(node, 'type');
  if ((name !== 'dimensions' && name !== 'physfacet') || elementsOf(node).some((child) => child.name === name))
    return node;
  return { ...node, children: [{ ...node, name }] };
}

/** @identifier is the number of the authority file; outside headings that are mapped, parts become plain text. */
function heading(node: XmlNode, scope: Scope): XmlNode {
  const named = withAttribute(inside(node, node.name, scope), 'authfilenumber', attributeOf(node, 'identifier'));
  return scope.keepsParts ? named : { ...named, children: withoutParts(named) };
}

function withoutParts(node: XmlNode): readonly XmlChild[] {
  if (elementsOf(node, 'part').length === 0) return node.children;
  // Words beside the parts, where none should be, are as good as one.
  const isOther = (child: XmlChild): child is XmlNode => isElement(child) && child.name !== 'part';
  const parts = node.children.filter((child) => !isOther(child));
  return [joinParts(parts.map(textContent)), ...node.children.filter(isOther)];
}

/** `descriptivenote` of a digital object is its `daodesc`. */
function withDescription(node: XmlNode): XmlNode {
  return {
    ...node,
    children: node.children.map((child) =>
      isElement(child) && child.name === 'descriptivenote' ? { ...child, name: 'daodesc' } : child,
    ),
  };
}

/** What a digital object is shown as is its title, where it has no other. */
function labelled(node: XmlNode, report: ReportBuilder): XmlNode {
  const [title, label] = [attributeOf(node, 'title'), attributeOf(node, 'label')];
  if (title !== undefined && label !== undefined && label !== title)
    report.dropTextOnce(node.line, node.name, label, 'label of a dao that has a title');
  return title === undefined ? withAttribute(node, 'title', label) : node;
}

function daoGroup(node: XmlNode): XmlNode {
  const group = withDescription(withAttribute(node, 'title', attributeOf(node, 'title') ?? attributeOf(node, 'label')));
  return {
    ...group,
    children: group.children.map((child) =>
      isElement(child) && child.name === 'dao' ? { ...child, name: 'daoloc' } : child,
    ),
  };
}

/** @containerid is what is on the container: its barcode. EAD 2002 files write it in brackets after the label. */
function container(node: XmlNode): XmlNode {
  const barcode = attributeOf(node, 'containerid')?.replaceAll(/[[\]]/g, '');
  return barcode === undefined
    ? node
    : withAttribute(node, 'label', `${attributeOf(node, 'label') ?? ''} [${barcode}]`.trim());
}

/**
 * The date of an event is one text. Where the item has one place, that is an event that names nothing else, which is read as its place; of several,
 * each stands among the events of its `chronitemset`, which belong together.
 */
function chronitem(node: XmlNode): XmlNode {
  const sets = elementsOf(node, 'chronitemset');
  const places = [node, ...sets].flatMap((each) => elementsOf(each, 'geogname'));
  const isPlace = places.length === 1 && sets.length < 2;
  const event = (part: XmlNode): XmlNode =>
    part.name !== 'geogname'
      ? part
      : { ...part, name: 'event', attributes: [], children: isPlace ? [{ ...part, attributes: [] }] : part.children };
  const children = node.children.map((child): XmlChild => {
    if (!isElement(child)) return child;
    if (['datesingle', 'daterange', 'dateset'].includes(child.name))
      return { ...child, name: 'date', attributes: [], children: [dateText(child)] };
    return child.name === 'chronitemset'
      ? { ...child, name: 'eventgrp', children: elementsOf(child).map(event) }
      : event(child);
  });
  return { ...node, children };
}

function dateText(node: XmlNode): string {
  if (node.name === 'daterange')
    return elementsOf(node)
      .map(textContent)
      .filter((text) => text !== '')
      .join('-');
  return node.name === 'dateset' ? elementsOf(node).map(dateText).join(', ') : textContent(node);
}

/**
 * The script of a `languageset` belongs to its languages; a descriptive note is part of the text, words that only repeat a code are not.
 * A language is wanted even where there is but a note: an undetermined one then says nothing.
 */
function langmaterial(node: XmlNode, isLabel: IsLabel): XmlNode {
  const hasNote = [node, ...elementsOf(node, 'languageset')].some((each) =>
    elementsOf(each, 'descriptivenote').some((note) => textContent(note) !== ''),
  );
  const language = (part: XmlNode): readonly XmlNode[] => {
    const code = attributeOf(part, 'langcode');
    if (code === undefined || !isLabel('language_iso639_2', code, textContent(part))) return [part];
    return code === 'und' && hasNote ? [] : [{ ...part, children: [] }];
  };
  const script = (part: XmlNode): readonly XmlChild[] => {
    const code = attributeOf(part, 'scriptcode');
    return code !== undefined && isLabel('script_iso15924', code, textContent(part)) ? [] : [' ', textContent(part)];
  };
  const children = node.children.flatMap((child): readonly XmlChild[] => {
    if (!isElement(child)) return [child];
    if (child.name === 'descriptivenote') return child.children;
    if (child.name === 'language') return language(child);
    if (child.name !== 'languageset') return [child];
    const scriptCode = elementsOf(child, 'script')
      .map((element) => attributeOf(element, 'scriptcode'))
      .find((code) => code !== undefined);
    return child.children.flatMap((part): readonly XmlChild[] => {
      if (!isElement(part)) return [part];
      if (part.name === 'descriptivenote') return part.children;
      return part.name === 'language' ? language(withAttribute(part, 'scriptcode', scriptCode)) : script(part);
    });
  });
  return { ...node, children };
}

function list(node: XmlNode): XmlNode {
  const numeration = attributeOf(node, 'numeration');
  return withAttribute(
    withAttribute(node, 'type', attributeOf(node, 'listtype') ?? attributeOf(node, 'type')),
    'numeration',
    numeration === undefined ? undefined : (numerations.get(numeration) ?? numeration),
  );
}
