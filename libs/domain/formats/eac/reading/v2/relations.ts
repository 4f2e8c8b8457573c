// `relation` of EAC-CPF 2.0, one element for all kinds of targets, as cpfRelation or resourceRelation of 2010.
import type { ReportBuilder } from '../../../reading/report.ts';
import { attributeOf, elementsOf, isElement, textContent, type XmlChild, type XmlNode } from '../../../xml/tree.ts';
import { isDateElement } from '../dates.ts';
import { relationships } from '../relations.ts';
import { attributes, renamed } from './elements.ts';

const agents: ReadonlySet<string> = new Set(['person', 'corporateBody', 'family', 'agent']);

/** The relation as 2010 has it. One to a function, or without a target, keeps its name, and the reader reports it. */
export function rewriteRelation(node: XmlNode, report: ReportBuilder): XmlNode {
  const [target] = elementsOf(node, 'targetEntity');
  const targetType = target === undefined ? undefined : attributeOf(target, 'targetType');
  if (target === undefined || targetType === undefined || (targetType !== 'resource' && !agents.has(targetType)))
    return node;
  const [type, ...otherTypes] = elementsOf(node, 'relationType');
  const [role, ...otherRoles] = elementsOf(node, 'targetRole');
  for (const other of [...otherTypes, ...otherRoles]) report.drop(other, `only the first ${other.name} is imported`);
  const words = type === undefined ? '' : textContent(type);
  const children = node.children.flatMap((child) => rewriteChild(child, node, report));
  const href = attributeOf(target, 'valueURI');
  if (targetType === 'resource') {
    if (role !== undefined) report.drop(role, 'a resource has no role');
    if (type !== undefined && !/^(?:creator|subject|source)Of$/.test(words))
      report.drop(type, 'no such relation to a resource: source is taken');
    return {
      ...node,
      name: 'resourceRelation',
      attributes: attributes({ resourceRelationType: words, href }),
      children,
    };
  }
  const told = words.toLowerCase();
  const familyRole =
    told === 'family' && role !== undefined
      ? /^(?:parent|child)$/.exec(textContent(role).toLowerCase())?.[0]
      : undefined;
  if (role !== undefined && familyRole === undefined)
    report.drop(role, 'a role other than parent or child of a family');
  if (type !== undefined && told !== 'associative' && !relationships.has(told))
    report.drop(type, 'no such type of relation: associative is taken');
  const cpfRelationType = familyRole === undefined ? told : `family-${familyRole}`;
  const arcrole = type === undefined ? undefined : attributeOf(type, 'valueURI');
  return {
    ...node,
    name: 'cpfRelation',
    attributes: attributes({ cpfRelationType, role: targetType, href, arcrole }),
    children,
  };
}

function rewriteChild(child: XmlChild, relation: XmlNode, report: ReportBuilder): readonly XmlChild[] {
  if (!isElement(child)) return [child];
  if (child.name === 'targetEntity') return [{ ...renamed(child, 'relationEntry'), attributes: [] }];
  if (child.name === 'relationType' || child.name === 'targetRole') return [];
  if (child.name !== 'place') return [child];
  // Of a place in a relation there is room for its name.
  for (const part of elementsOf(child))
    if (part.name !== 'placeName')
      report.drop(
        isDateElement(part) ? { ...part, name: 'date' } : part,
        `not imported from a place of ${relation.name}`,
      );
  return elementsOf(child, 'placeName').map((name) => ({
    ...renamed(name, 'placeEntry'),
    attributes: attributes({
      vocabularySource: attributeOf(name, 'vocabularySource') ?? attributeOf(child, 'vocabularySource'),
    }),
  }));
}
