// `relation` of EAC-CPF 2.0, one element for all kinds of targets, as cpfRelation or resourceRelation of 2010.
import type { ReportBuilder } from '../../../reading/report.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../../xml/tree.ts';
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
  const children = node.children.flatMap((child) => rewriteChild(child, node, report));
  const href = attributeOf(target, 'valueURI');
  return targetType === 'resource'
    ? {
        ...node,
        name: 'resourceRelation',
        attributes: attributes({
          resourceRelationType: resourceTypeOf(type, role, report),
          href,
          lastDateTimeVerified: attributeOf(node, 'lastDateTimeVerified'),
        }),
        children,
      }
    : {
        ...node,
        name: 'cpfRelation',
        attributes: attributes({
          cpfRelationType: agentTypeOf(type, role, report),
          role: targetType,
          href,
          arcrole: type === undefined ? undefined : attributeOf(type, 'valueURI'),
        }),
        children,
      };
}

const wordsOf = (type: XmlNode | undefined): string => (type === undefined ? '' : textContent(type));

/** The type of a relation to a resource; what it cannot be is reported. */
function resourceTypeOf(type: XmlNode | undefined, role: XmlNode | undefined, report: ReportBuilder): string {
  const words = wordsOf(type);
  if (role !== undefined) report.drop(role, 'a resource has no role');
  if (type !== undefined && !/^(?:creator|subject|source)Of$/.test(words))
    report.drop(type, 'no such relation to a resource: source is taken');
  return words;
}

/** The type of a relation to an agent, that of a family with the role in it; what it cannot be is reported. */
function agentTypeOf(type: XmlNode | undefined, role: XmlNode | undefined, report: ReportBuilder): string {
  const told = wordsOf(type).toLowerCase();
  const familyRole =
    told === 'family' && role !== undefined
      ? /^(?:parent|child)$/.exec(textContent(role).toLowerCase())?.[0]
      : undefined;
  if (role !== undefined && familyRole === undefined)
    report.drop(role, 'a role other than parent or child of a family');
  if (type !== undefined && told !== 'associative' && !relationships.has(told))
    report.drop(type, 'no such type of relation: associative is taken');
  return familyRole === undefined ? told : `family-${familyRole}`;
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
