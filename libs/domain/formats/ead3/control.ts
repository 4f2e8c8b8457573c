// EAD3 `control` as EAD 2002 `eadheader`: identifier, statements of the file, language, rules and history.
import { attributeOf, elementOf, elementsOf, textContent, type XmlNode } from '../xml/tree.ts';
import type { ReportBuilder } from '../ead/report.ts';

/** The header that stands for a `control`. What EAD 2002 has no place for (agency, other ids, sources) is reported. */
export function readControl(control: XmlNode, report: ReportBuilder): XmlNode {
  const status = elementsOf(control, 'localcontrol').filter((node) => attributeOf(node, 'type') === 'findaidstatus').map(textContent).find((text) => text !== '');
  const rules = conventions(control, report);
  const children = elementsOf(control).flatMap((node): readonly XmlNode[] => {
    if (node.name === 'recordid') return [{ ...node, name: 'eadid', attributes: node.attributes.map((attribute) => (attribute.name === 'instanceurl' ? named('url', attribute.value) : attribute)) }];
    if (node.name === 'filedesc') return [node];
    if (node.name === 'languagedeclaration') return [element('profiledesc', node, [langusage(node)])];
    if (node.name === 'maintenancehistory') return [element('revisiondesc', node, elementsOf(node, 'maintenanceevent').map(change))];
    if (node.name === 'conventiondeclaration') return node === rules?.node ? [element('descrules', node, [rules.text])] : [];
    if (node.name !== 'localcontrol' || attributeOf(node, 'type') !== 'findaidstatus') report.drop(node, 'not imported from control', node.name === 'representation');
    return [];
  });
  return { name: 'eadheader', attributes: status === undefined ? control.attributes : [...control.attributes, named('findaidstatus', status)], children, line: control.line };
}

const named = (name: string, value: string): XmlNode['attributes'][number] => ({ name, local: name, value });
const element = (name: string, at: XmlNode, children: XmlNode['children']): XmlNode => ({ name, attributes: at.attributes.filter((attribute) => attribute.name === 'audience' || attribute.name === 'id'), children, line: at.line });

/** The first convention counts, by its abbreviation where it has one; a record names one set of rules. */
function conventions(control: XmlNode, report: ReportBuilder): { readonly node: XmlNode; readonly text: string } | undefined {
  const [first, ...others] = elementsOf(control, 'conventiondeclaration');
  for (const node of others) report.drop(node, 'only the first conventiondeclaration is imported');
  if (first === undefined) return undefined;
  const abbreviation = elementOf(first, 'abbr');
  const kept = abbreviation !== undefined && textContent(abbreviation) !== '' ? abbreviation : elementOf(first, 'citation');
  for (const node of elementsOf(first)) if (node !== kept) report.drop(node, 'not imported from conventiondeclaration');
  return { node: first, text: kept === undefined ? '' : textContent(kept) };
}

/** Language and script as one coded element; their words and the descriptive note are the text. */
function langusage(node: XmlNode): XmlNode {
  const script = elementsOf(node, 'script').map((child) => attributeOf(child, 'scriptcode')).find((code) => code !== undefined);
  const children = elementsOf(node).flatMap((child, index): XmlNode['children'] => {
    const space = index === 0 ? [] : [' '];
    if (child.name === 'language') return [...space, { ...child, attributes: script === undefined ? child.attributes : [...child.attributes, named('scriptcode', script)] }];
    const text = child.name === 'descriptivenote' ? child.children : [textContent(child)];
    return textContent(child) === '' ? [] : [...space, ...text];
  });
  // Codes alone are no note: the empty elements would be written into it as markup.
  return element('langusage', node, children);
}

/** An event of the history: when, and what was done by whom. */
function change(event: XmlNode): XmlNode {
  const texts = (name: string): string => elementsOf(event, name).map((node) => textContent(node) || (attributeOf(node, 'value') ?? '')).filter((text) => text !== '').join('; ');
  const date = elementsOf(event, 'eventdatetime').map((node) => textContent(node) || (attributeOf(node, 'standarddatetime') ?? '')).join('; ');
  const what = [texts('eventtype'), texts('agent') === '' ? '' : `by ${texts('agent')}`].filter((text) => text !== '').join(' ');
  const description = [what, texts('eventdescription')].filter((text) => text !== '').join(': ');
  return element('change', event, [
    { name: 'date', attributes: [], children: [date], line: event.line },
    { name: 'item', attributes: [], children: [description], line: event.line },
  ]);
}
