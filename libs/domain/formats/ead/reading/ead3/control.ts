// EAD3 `control` as EAD 2002 `eadheader`: identifier, statements of the file, language, rules and history.
import { attributeOf, elementOf, elementsOf, textContent } from '../../../xml/tree.ts';
import type { XmlNode } from '../../../xml/tree.ts';
import type { ReportBuilder } from '../../../reading/report.ts';

/** Whether a text is no more than the label of a code of a list. */
export type IsLabel = (list: string, code: string, text: string) => boolean;

/** The header that stands for a `control`. What EAD 2002 has no place for (agency, other ids, sources) is reported. */
export function readControl(control: XmlNode, report: ReportBuilder, isLabel: IsLabel): XmlNode {
  const status = elementsOf(control, 'localcontrol')
    .filter((node) => attributeOf(node, 'type') === 'findaidstatus')
    .map(textContent)
    .find((text) => text !== '');
  const rules = conventions(control, report);
  const children = elementsOf(control).flatMap((node): readonly XmlNode[] => {
    if (node.name === 'recordid')
      return [
        {
          ...node,
          name: 'eadid',
          attributes: node.attributes.map((attribute) =>
            attribute.name === 'instanceurl' ? named('url', attribute.value) : attribute,
          ),
        },
      ];
    if (node.name === 'filedesc') return [node];
    if (node.name === 'languagedeclaration') return [element('profiledesc', node, [langusage(node, isLabel)])];
    if (node.name === 'maintenancehistory')
      return [element('revisiondesc', node, revisionsOf(node, report).map(change))];
    if (node.name === 'conventiondeclaration')
      return node === rules?.node ? [element('descrules', node, [rules.text])] : [];
    if (node.name !== 'localcontrol' || attributeOf(node, 'type') !== 'findaidstatus')
      report.drop(node, 'not imported from control', node.name === 'representation');
    return [];
  });
  return {
    name: 'eadheader',
    attributes: status === undefined ? control.attributes : [...control.attributes, named('findaidstatus', status)],
    children,
    line: control.line,
  };
}

const named = (name: string, value: string): XmlNode['attributes'][number] => ({ name, local: name, value });
const element = (name: string, at: XmlNode, children: XmlNode['children']): XmlNode => ({
  name,
  attributes: at.attributes.filter((attribute) => attribute.name === 'audience' || attribute.name === 'id'),
  children,
  line: at.line,
});

/** The first convention counts, by its abbreviation where it has one; a record names one set of rules. */
function conventions(
  control: XmlNode,
  report: ReportBuilder,
): { readonly node: XmlNode; readonly text: string } | undefined {
  const [first, ...others] = elementsOf(control, 'conventiondeclaration');
  for (const node of others) report.drop(node, 'only the first conventiondeclaration is imported');
  if (first === undefined) return undefined;
  const abbreviation = elementOf(first, 'abbr');
  const kept =
    abbreviation !== undefined && textContent(abbreviation) !== '' ? abbreviation : elementOf(first, 'citation');
  for (const node of elementsOf(first)) if (node !== kept) report.drop(node, 'not imported from conventiondeclaration');
  return { node: first, text: kept === undefined ? '' : textContent(kept) };
}

/** Language and script as one coded element; the descriptive note is the text, with their words where these are more than labels. */
function langusage(node: XmlNode, isLabel: IsLabel): XmlNode {
  const script = elementsOf(node, 'script')
    .map((child) => attributeOf(child, 'scriptcode'))
    .find((code) => code !== undefined);
  const children = elementsOf(node).flatMap((child, index): XmlNode['children'] => {
    const space = index === 0 ? [] : [' '];
    const [list, code] =
      child.name === 'language'
        ? ['language_iso639_2', attributeOf(child, 'langcode')]
        : ['script_iso15924', child.name === 'script' ? attributeOf(child, 'scriptcode') : undefined];
    const words = code !== undefined && isLabel(list, code, textContent(child)) ? [] : child.children;
    if (child.name === 'language')
      return [
        ...space,
        {
          ...child,
          children: words,
          attributes: script === undefined ? child.attributes : [...child.attributes, named('scriptcode', script)],
        },
      ];
    const text = child.name === 'descriptivenote' ? child.children : [textContent(words)];
    return textContent(words) === '' ? [] : [...space, ...text];
  });
  // Codes alone are no note: the empty elements would be written into it as markup.
  return element('langusage', node, children);
}

/** The events that changed the finding aid. That a machine derived the document from its records is said anew by every export. */
function revisionsOf(history: XmlNode, report: ReportBuilder): readonly XmlNode[] {
  const valueOf = (event: XmlNode, name: string): string =>
    elementsOf(event, name)
      .map((node) => attributeOf(node, 'value') ?? textContent(node))
      .join(' ');
  const isExport = (event: XmlNode): boolean =>
    valueOf(event, 'eventtype') === 'derived' && valueOf(event, 'agenttype') === 'machine';
  for (const event of elementsOf(history, 'maintenanceevent').filter(isExport))
    report.drop(event, 'how the document was derived is not kept');
  return elementsOf(history, 'maintenanceevent').filter((event) => !isExport(event));
}

/** An event of the history: when, and what was done by whom. That something was revised goes without saying where it is said what. */
function change(event: XmlNode): XmlNode {
  const texts = (name: string): string =>
    elementsOf(event, name)
      .map((node) => textContent(node) || (attributeOf(node, 'value') ?? ''))
      .filter((text) => text !== '')
      .join('; ');
  const date = elementsOf(event, 'eventdatetime')
    .map((node) => textContent(node) || (attributeOf(node, 'standarddatetime') ?? ''))
    .join('; ');
  const [type, told] = [texts('eventtype'), texts('eventdescription')];
  const what = [
    type === 'revised' && texts('agent') === '' && told !== '' ? '' : type,
    texts('agent') === '' ? '' : `by ${texts('agent')}`,
  ]
    .filter((text) => text !== '')
    .join(' ');
  const description = [what, told].filter((text) => text !== '').join(': ');
  return element('change', event, [
    { name: 'date', attributes: [], children: [date], line: event.line },
    { name: 'item', attributes: [], children: [description], line: event.line },
  ]);
}
