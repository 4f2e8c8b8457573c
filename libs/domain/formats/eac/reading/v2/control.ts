// `control` of EAC-CPF 2.0 as that of 2010: statuses become elements, references citations and entries, codes abbreviations.
import type { ReportBuilder } from '../../../reading/report.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../../xml/tree.ts';
import { noteTextOf } from '../links.ts';
import { elementAt, joinedTexts, linkAttributes, renamed } from './elements.ts';

/** The section as 2010 has it. Elements without a place there (localControl, localTypeDeclaration, representation) stay for the reader to report. */
export function rewriteControl(control: XmlNode, report: ReportBuilder): XmlNode {
  const [status, publication] = [attributeOf(control, 'maintenanceStatus'), attributeOf(control, 'publicationStatus')];
  const statuses = [
    // 2010 cannot say that a record was merged; the list of statuses can.
    ...(status === undefined
      ? []
      : [elementAt(control, 'maintenanceStatus', {}, [status === 'deletedMerged' ? 'deleted_merged' : status])]),
    ...(publication === undefined ? [] : [elementAt(control, 'publicationStatus', {}, [publication])]),
  ];
  return {
    ...control,
    attributes: [],
    children: [
      ...statuses,
      ...control.children.map((child) => (isElement(child) ? rewritePart(child, report) : child)),
    ],
  };
}

function rewritePart(node: XmlNode, report: ReportBuilder): XmlNode {
  switch (node.name) {
    case 'maintenanceAgency':
      return agency(node, report);
    case 'maintenanceHistory':
      return {
        ...node,
        children: node.children.map((child) =>
          isElement(child) && child.name === 'maintenanceEvent' ? event(child, report) : child,
        ),
      };
    case 'sources':
      return {
        ...node,
        children: node.children.map((child) => (isElement(child) && child.name === 'source' ? source(child) : child)),
      };
    case 'conventionDeclaration':
    case 'rightsDeclaration':
      return declaration(node);
    case 'languageDeclaration':
      return {
        ...node,
        children: [
          elementAt(node, 'language', { languageCode: attributeOf(node, 'languageCode') }),
          elementAt(node, 'script', { scriptCode: attributeOf(node, 'scriptCode') }),
          ...node.children,
        ],
      };
    default:
      return node;
  }
}

/** One name: translations of it are reported. */
function agency(node: XmlNode, report: ReportBuilder): XmlNode {
  const [, ...others] = elementsOf(node, 'agencyName');
  for (const other of others) report.drop(other, 'only the first agencyName is imported');
  return { ...node, children: node.children.filter((child) => !isElement(child) || !others.includes(child)) };
}

function event(node: XmlNode, report: ReportBuilder): XmlNode {
  const type = attributeOf(node, 'maintenanceEventType');
  const [agent] = elementsOf(node, 'agent');
  const agentType = agent === undefined ? undefined : attributeOf(agent, 'agentType');
  if (type === 'unknown') report.dropText(node.line, node.name, type, 'an event has a type: updated is taken');
  if (agentType === 'unknown')
    report.dropText(node.line, 'agent', agentType, 'an agent is human or a machine: human is taken');
  const rest = node.children.filter((child) => !isElement(child) || child.name !== 'eventDescription');
  const description = joinedTexts(node, 'eventDescription', '; ');
  return {
    ...node,
    children: [
      ...(type === undefined ? [] : [elementAt(node, 'eventType', {}, [type === 'unknown' ? 'updated' : type])]),
      ...(agentType === undefined
        ? []
        : [elementAt(node, 'agentType', {}, [agentType === 'machine' ? 'machine' : 'human'])]),
      ...rest,
      ...(description === '' ? [] : [elementAt(node, 'eventDescription', {}, [description])]),
    ],
  };
}

/** The references of a source and the ranges that they cite are its entry; the first address is its link. */
function source(node: XmlNode): XmlNode {
  const references = elementsOf(node, 'reference');
  const words = joinedTexts(node, 'reference', '; ');
  // The schema wants words: a source that has none comes with its address or its note in their place.
  const isRepeated =
    words === noteTextOf(node)?.replace(/\s+/g, ' ') ||
    references.some((reference) => attributeOf(reference, 'href') === words);
  const entry = [isRepeated ? '' : words, joinedTexts(node, 'citedRange', ', ')]
    .filter((text) => text !== '')
    .join(', ');
  const others = node.children.filter(
    (child) => !isElement(child) || !['reference', 'citedRange'].includes(child.name),
  );
  return {
    ...node,
    attributes: linkAttributes(node, ...references),
    children: [...(entry === '' ? [] : [elementAt(node, 'sourceEntry', {}, [entry])]), ...others],
  };
}

/** The schema wants words here too: where there is no code, the address or the note stand for none. */
function declaration(node: XmlNode): XmlNode {
  const note = noteTextOf(node)?.replace(/\s+/g, ' ');
  const hasCode = elementsOf(node, 'shortCode').length > 0;
  const children = node.children.map((child): XmlChild => {
    if (!isElement(child)) return child;
    if (child.name === 'shortCode') return renamed(child, 'abbreviation');
    return child.name === 'reference'
      ? {
          ...child,
          name: 'citation',
          attributes: linkAttributes(child),
          children:
            !hasCode && [note, attributeOf(child, 'href')].includes(textContent(child)) ? [] : [textContent(child)],
        }
      : child;
  });
  return { ...node, children };
}
