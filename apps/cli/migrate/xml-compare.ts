// Two documents of XML beside each other, canonically: elements and texts in their order, attributes by name; white space between elements,
// prefixes, comments and the order of attributes say nothing. And what may differ between two services that describe the same.
import { createXmlReader } from '#domain/formats/xml/reader.ts';
import type { XmlChild, XmlNode } from '#domain/formats/xml/tree.ts';
import { collapseSpace, createTreeBuilder, isElement } from '#domain/formats/xml/tree.ts';

/** A place where documents differ, as `ead/archdesc/did/unittitle` or `…/@level`; null: the side has nothing there. */
type XmlDifference = { readonly path: string; readonly source: string | null; readonly here: string | null };

/** What came of a comparison. `allowed` are the reasons of what may differ. */
export type XmlComparison = { readonly differences: readonly XmlDifference[]; readonly allowed: readonly string[] };

// Of one document; where that many differ, all of it is another one.
const mostTold = 10;
const publicSite = /^https?:\/\/[^/\s]+(?=\/(repositories|agents|subjects|ark:)(\/|\b))/;
const allowances: readonly { readonly at: RegExp; readonly reason: string }[] = [
  { at: /(^|\/)profiledesc\/creation(\/|$)/, reason: 'documents tell when, and by which program, they were made' },
  { at: /(^|\/)container\/@(id|parent)$/, reason: 'containers in documents get ids of their own' },
  {
    at: /(^|\/)OAI-PMH\/(responseDate|request)$/,
    reason: 'replies to harvesters tell when, and where, they were given',
  },
  {
    at: /(^|\/)record\/header\/(identifier|datestamp)$/,
    reason: 'identifiers for harvesters begin with the name of the service, and their dates are those of the service',
  },
];

/** Compares two documents; those of different releases have what they describe a component by in another order. Throws a Failure where one of them is no XML. */
export function compareXml(source: string, here: string, isOtherRelease = false): XmlComparison {
  const differences: XmlDifference[] = [];
  const allowed = new Set<string>();
  if (source === here) return { differences, allowed: [] };

  const differ = (path: string, ours: string | null, theirs: string | null): void => {
    const allowance = allowances.find(({ at }) => at.test(path.replace(/\[\d+\]/g, '')));
    if (allowance !== undefined) allowed.add(allowance.reason);
    else if (differences.length < mostTold) differences.push({ path, source: ours, here: theirs });
  };
  const texts = (path: string, ours: string | null, theirs: string | null): void => {
    if (ours === theirs) return;
    if (ours?.replace(publicSite, '') === theirs?.replace(publicSite, ''))
      allowed.add('documents name the public site of their service');
    else differ(path, ours, theirs);
  };
  const orderedOf = (node: XmlNode): readonly XmlChild[] => {
    const children = childrenOf(node);
    if (!isOtherRelease || node.name !== 'did') return children;
    const both = children.filter((child) => !isAddress(child));
    if (both.length < children.length)
      allowed.add('the later release has the address of a record among its identifiers');
    return byName(both);
  };
  const walk = (path: string, ours: XmlNode, theirs: XmlNode): void => {
    const [one, other] = [attributesOf(ours), attributesOf(theirs)];
    for (const name of new Set([...one.keys(), ...other.keys()]))
      texts(`${path}/@${name}`, one.get(name) ?? null, other.get(name) ?? null);
    const [first, second] = [orderedOf(ours), orderedOf(theirs)];
    const [ourPaths, theirPaths] = [pathsOf(path, first), pathsOf(path, second)];
    for (let index = 0; index < Math.max(first.length, second.length); index++) {
      const [mine, yours] = [first[index], second[index]];
      if (mine !== undefined && yours !== undefined && isElement(mine) && isElement(yours) && mine.name === yours.name)
        walk(ourPaths[index] ?? path, mine, yours);
      else if (!isText(mine) || !isText(yours))
        differ(ourPaths[index] ?? theirPaths[index] ?? path, shown(mine), shown(yours));
      else texts(path, mine, yours);
    }
  };
  const [ours, theirs] = [rootOf(source), rootOf(here)];
  if (ours.name === theirs.name) walk(ours.name, ours, theirs);
  else differ('', ours.name, theirs.name);
  return { differences, allowed: [...allowed] };
}

function rootOf(document: string): XmlNode {
  const builder = createTreeBuilder();
  const roots: XmlNode[] = [];
  const reader = createXmlReader({
    open: (tag) => builder.open(tag),
    text: (text) => builder.text(text),
    close: () => {
      const root = builder.close();
      if (root !== undefined) roots.push(root);
    },
  });
  reader.feed(document);
  reader.end();
  const [root] = roots;
  if (root === undefined) throw new Error('A document that is well formed has an element.');
  return root;
}

const isText = (child: XmlChild | undefined): child is string => typeof child === 'string';
const attributesOf = ({ attributes }: XmlNode): ReadonlyMap<string, string> =>
  new Map(
    attributes
      .filter(({ name, local }) => !/^xmlns(:|$)/.test(name) && local !== 'schemaLocation')
      .map(({ name, value }) => [name, collapseSpace(value).trim()]),
  );

/** Elements and texts; pieces of text that follow each other are one, and those that are white space alone are none. */
function childrenOf({ children }: XmlNode): readonly XmlChild[] {
  const joined: XmlChild[] = [];
  for (const child of children) {
    const last = joined.at(-1);
    if (isText(child) && isText(last)) joined[joined.length - 1] = last + child;
    else joined.push(child);
  }
  return joined.map((child) => (isText(child) ? collapseSpace(child).trim() : child)).filter((child) => child !== '');
}

/** Which only the later release writes. */
const isAddress = (child: XmlChild): boolean =>
  isElement(child) &&
  child.name === 'unitid' &&
  child.attributes.some(({ name, value }) => name === 'type' && value === 'aspace_uri');

/** Elements by their names, those of one name in their order; texts last. */
const byName = (children: readonly XmlChild[]): readonly XmlChild[] => {
  const nameOf = (child: XmlChild): string => (isElement(child) ? child.name : '\uffff');
  return children.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other))));
};

/** The paths of children that are elements: with their number (from 1) among those of their name, where they have namesakes. Told in one go, as there may be 100,000. */
function pathsOf(path: string, children: readonly XmlChild[]): readonly (string | undefined)[] {
  const namesakes = Map.groupBy(children.filter(isElement), ({ name }) => name);
  const seen = new Map<string, number>();
  return children.map((child) => {
    if (!isElement(child)) return undefined;
    const number = (seen.get(child.name) ?? 0) + 1;
    seen.set(child.name, number);
    return `${path}/${child.name}${(namesakes.get(child.name)?.length ?? 0) > 1 ? `[${number}]` : ''}`;
  });
}

const shown = (child: XmlChild | undefined): string | null =>
  child === undefined ? null : isText(child) ? child : `<${child.name}>`;
