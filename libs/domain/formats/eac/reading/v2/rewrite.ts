// EAC-CPF 2.0 (Society of American Archivists, 2022) as 2010: rewrites the sections of a document into the elements that the reader of
// 2010 maps, so that both versions share one mapping and give the same agent. Lines stay those of the document; what has no place in
// either keeps its name, and the reader reports it. Notes are not rewritten: notes.ts reads them.
import type { ReportBuilder } from '../../../reading/report.ts';
import { attributeOf, isElement } from '../../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../../xml/tree.ts';
import { attributes, elementAt, linkAttributes, renamed } from './elements.ts';
import { rewriteRelation } from './relations.ts';

/** The namespace of the version. */
export const eac2Namespace = 'https://archivists.org/ns/eac/v2';

// Elements of 2010 by what the document calls them.
const ownNames: ReadonlyMap<string, string> = new Map([
  ['abbreviation', 'shortCode'],
  ['citation', 'reference'],
  ['cpfRelation', 'relation'],
  ['entityId', 'identityId'],
  ['nameEntryParallel', 'nameEntrySet'],
  ['placeEntry', 'placeName'],
  ['relationEntry', 'targetEntity'],
  ['resourceRelation', 'relation'],
  ['script', 'writingSystem'],
  ['sourceEntry', 'reference'],
]);

/** A report that calls elements what a document of 2.0 calls them. */
export function reportOf2(report: ReportBuilder): ReportBuilder {
  const own = (name: string): string => ownNames.get(name) ?? name;
  return {
    ...report,
    drop: (node, reason, always) => report.drop({ ...node, name: own(node.name) }, reason, always),
    dropText: (line, element, text, reason) => report.dropText(line, own(element), text, reason),
  };
}

/** A `cpfDescription` with identity, description and relations as 2010 has them. */
export function rewriteCpfDescription(node: XmlNode, report: ReportBuilder): XmlNode {
  const children = node.children.map((child): XmlChild => {
    if (!isElement(child)) return child;
    if (child.name === 'identity') return rewriteIdentity(child);
    if (child.name === 'description')
      return { ...child, children: child.children.map((part) => (isElement(part) ? rewriteGroup(part) : part)) };
    if (child.name === 'relations')
      return {
        ...child,
        children: child.children.map((part) =>
          isElement(part) && part.name === 'relation' ? rewriteRelation(part, report) : part,
        ),
      };
    return child.name === 'alternativeSet'
      ? { ...child, children: child.children.map((part) => (isElement(part) ? rewriteSetComponent(part) : part)) }
      : child;
  });
  return { ...node, children };
}

function rewriteIdentity(identity: XmlNode): XmlNode {
  const children = identity.children.map((child): XmlChild => {
    if (!isElement(child)) return child;
    if (child.name === 'entityType') return { ...child, children: [attributeOf(child, 'value') ?? ''] };
    if (child.name === 'identityId') return renamed(child, 'entityId');
    if (child.name === 'nameEntry') return rewriteName(child);
    return child.name === 'nameEntrySet'
      ? {
          ...child,
          name: 'nameEntryParallel',
          children: child.children.map((part) =>
            isElement(part) && part.name === 'nameEntry' ? rewriteName(part) : part,
          ),
        }
      : child;
  });
  return { ...identity, children };
}

/** Status, vocabulary and preference of a name are elements in 2010. */
function rewriteName(entry: XmlNode): XmlNode {
  const [status, source] = [attributeOf(entry, 'status'), attributeOf(entry, 'vocabularySource')];
  const form =
    status === 'authorized'
      ? 'authorizedForm'
      : status === undefined && source === undefined
        ? undefined
        : 'alternativeForm';
  const forms = [
    ...(form === undefined ? [] : [elementAt(entry, form, {}, [source ?? ''])]),
    ...(/^(?:true|1)$/.test(attributeOf(entry, 'preferredForm') ?? '') ? [elementAt(entry, 'preferredForm', {})] : []),
  ];
  return {
    ...entry,
    attributes: attributes({
      lang: attributeOf(entry, 'languageOfElement'),
      scriptCode: attributeOf(entry, 'scriptOfElement'),
    }),
    children: [...entry.children, ...forms],
  };
}

const groups: ReadonlySet<string> = new Set([
  'functions',
  'languagesUsed',
  'localDescriptions',
  'occupations',
  'places',
]);

function rewriteGroup(group: XmlNode): XmlNode {
  if (!groups.has(group.name)) return group;
  const children = group.children.flatMap((child): readonly XmlChild[] => {
    if (!isElement(child)) return [child];
    return child.name === 'languageUsed' ? languagesOf(child) : [rewriteTerms(child)];
  });
  return { ...group, children };
}

/** The vocabulary of a part is that of its terms and places, which may have their own; its references are citations. */
function rewriteTerms(part: XmlNode): XmlNode {
  const shared = attributeOf(part, 'vocabularySource');
  const children = part.children.map((child): XmlChild => {
    if (isElement(child) && child.name === 'reference')
      return { ...child, name: 'citation', attributes: linkAttributes(child) };
    if (!isElement(child) || (child.name !== 'term' && child.name !== 'placeName')) return child;
    // In a function the vocabulary is of the function, not of where it was carried out.
    const inherited = child.name === 'term' || part.name === 'place' ? shared : undefined;
    return {
      ...child,
      name: child.name === 'placeName' ? 'placeEntry' : 'term',
      attributes: attributes({
        vocabularySource: attributeOf(child, 'vocabularySource') ?? inherited,
        valueURI: attributeOf(child, 'valueURI'),
      }),
    };
  });
  return { ...part, children };
}

/** One `languageUsed` for each language, with the writing systems after it; what follows the last belongs to it. */
function languagesOf(node: XmlNode): readonly XmlNode[] {
  const runs: XmlChild[][] = [];
  for (const child of node.children) {
    if (
      runs.length === 0 ||
      (isElement(child) &&
        child.name === 'language' &&
        runs.at(-1)?.some((each) => isElement(each) && each.name === 'language') === true)
    )
      runs.push([]);
    runs.at(-1)?.push(isElement(child) ? languageOrScript(child) : child);
  }
  return runs.map((children) => ({ ...node, children }));
}

function languageOrScript(node: XmlNode): XmlNode {
  if (node.name === 'language')
    return { ...node, attributes: attributes({ languageCode: attributeOf(node, 'languageCode') }) };
  return node.name === 'writingSystem' ? renamed(node, 'script') : node;
}

/** The link attributes have names of their own in 2.0. */
const rewriteSetComponent = (node: XmlNode): XmlNode => ({ ...node, attributes: linkAttributes(node) });
