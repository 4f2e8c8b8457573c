// EAD3 `physdescstructured` as EAD 2002 `physdesc`: quantity and unit as one extent, the note as a further one.
import { attributeOf, elementsOf, isElement, textContent } from '../../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../../xml/tree.ts';
import type { ReportBuilder } from '../../../reading/report.ts';

/** The parts of a `did` with the container summaries of own exports, which stand after their extents, in them. */
export function withSummaries(children: readonly XmlChild[]): readonly XmlChild[] {
  const parts: XmlChild[] = [];
  for (const child of children) {
    const at = parts.findLastIndex(isElement);
    const before = parts[at];
    const isSummary =
      isElement(child) && child.name === 'physdesc' && attributeOf(child, 'localtype') === 'container_summary';
    if (isSummary && before !== undefined && isElement(before) && before.name === 'physdescstructured')
      parts[at] = { ...before, children: [...before.children, { ...child, name: 'descriptivenote' }] };
    else parts.push(child);
  }
  return parts;
}

/** A `physdesc` whose first extent is `quantity unittype`; a descriptive note becomes its container summary, as a further extent does. */
export function readPhysdescStructured(node: XmlNode, report: ReportBuilder): XmlNode {
  const text = ['quantity', 'unittype']
    .flatMap((name) => elementsOf(node, name))
    .map(textContent)
    .filter((part) => part !== '')
    .join(' ');
  for (const quantity of elementsOf(node, 'quantity'))
    if (attributeOf(quantity, 'approximate') === 'true')
      report.dropText(
        quantity.line,
        quantity.name,
        textContent(quantity),
        'extents do not say that a number is approximate',
      );
  const first: XmlNode = { name: 'extent', attributes: [], children: [text], line: node.line };
  const rest = node.children.flatMap((child): readonly XmlChild[] => {
    if (!isElement(child)) {
      report.dropText(node.line, node.name, child, 'text between the parts of physdescstructured');
      return [];
    }
    if (child.name === 'quantity' || child.name === 'unittype') return [];
    return [child.name === 'descriptivenote' ? { ...child, name: 'extent' } : child];
  });
  const coverage = attributeOf(node, 'coverage') === 'part' ? 'part' : 'whole';
  return {
    name: 'physdesc',
    attributes: [
      ...node.attributes.filter((attribute) => attribute.name !== 'altrender'),
      { name: 'altrender', local: 'altrender', value: coverage },
    ],
    children: text === '' ? rest : [first, ...rest],
    line: node.line,
  };
}
