// A streaming XML reader on saxes: text in, open / text / close calls out, namespaces resolved. It opens no file or
// address and expands no entity a document declares, but short plain texts where it is told to; depth and the size of one piece of text are limited.
import { SaxesParser } from 'saxes';
import { fail } from '../../errors.ts';
import { plainEntities } from './doctype.ts';
import { isoEntities, knownEntities } from './entities.ts';

/** An attribute: `name` has the prefix `xlink:` or `xml:` where the namespace is one of these, `local` never has a prefix. */
export type XmlAttribute = { readonly name: string; readonly local: string; readonly value: string };

/** A start tag; `name` is the local name. Line is counted from 1, column from 0, both at the end of the tag. */
export type XmlTag = {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly line: number;
  readonly column: number;
};

/** Who receives a document: calls come in document order, CDATA as text, comments and instructions not at all. */
export type XmlHandlers = {
  open(tag: XmlTag): void;
  text(text: string): void;
  close(name: string): void;
};

/**
 * What one document may cost: nested elements, attributes of one, characters between two tags (an attribute list or a DOCTYPE counts too), and characters that
 * the plain entities of its DOCTYPE may give; without the latter none of them is expanded.
 */
export type XmlLimits = {
  readonly depth: number;
  readonly attributes: number;
  readonly runCharacters: number;
  readonly entityCharacters?: number;
};

/** Limits that no finding aid or authority record in use comes near. */
export const defaultXmlLimits: XmlLimits = { depth: 256, attributes: 1000, runCharacters: 16_000_000 };

/** Where a reader is: for messages. `element` is the innermost open element, '' before the first. */
export type XmlPosition = { readonly line: number; readonly column: number; readonly element: string };

/** A reader that is fed pieces of text; `end` checks that the document is complete. Both throw `import_failed`. */
export type XmlReader = { feed(text: string): void; end(): void; position(): XmlPosition };

/** What the namespaces of undeclared prefixes begin with. */
export const undeclared = 'urn:undeclared:';

const xlink = 'http://www.w3.org/1999/xlink';
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/**
 * Makes a reader. Documents that are not well formed, nest deeper than `limits.depth` or name an undeclared entity fail with
 * `import_failed` {message, line, column, element}. Undeclared namespace prefixes are accepted: DTD-based files leave
 * `xmlns:xlink` to the DTD, which is never read.
 */
export function createXmlReader(handlers: XmlHandlers, limits: XmlLimits = defaultXmlLimits): XmlReader {
  const parser = new SaxesParser({
    xmlns: true,
    additionalNamespaces: { xlink, xsi: 'http://www.w3.org/2001/XMLSchema-instance' },
    // An element without a prefix, where no namespace is the default, is in none.
    resolvePrefix: (prefix: string) => (prefix === '' ? '' : `${undeclared}${prefix}`),
  });
  const entities = createEntities();
  parser.ENTITIES = entities.table;
  if (limits.entityCharacters !== undefined)
    parser.on('doctype', (doctype) => entities.declare(plainEntities(doctype)));
  const open: string[] = [];
  let eventPosition = 0;
  let attributes = 0;
  const position = (): XmlPosition => ({ line: parser.line, column: parser.column, element: open.at(-1) ?? '' });
  const refuse = (message: string) => fail('import_failed', { message, ...position() });
  // What follows a `&` up to the semicolon that has not come yet: the parser keeps it in a field that its types do not tell of.
  const pendingReference = (): string => String(Reflect.get(parser, 'entity'));
  const refuseReference = (text: string) =>
    fail('import_failed', {
      message: `The document is not well-formed XML: "&${text.slice(0, 20)}" starts no entity; an ampersand is written &amp;.`,
      ...position(),
      line: parser.line - (text.split('\n').length - 1),
    });

  parser.on('error', (error) => {
    const text = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    if (text === 'disallowed character in entity name') throw refuseReference(entities.asked());
    const which =
      text === 'undefined entity'
        ? ` (&${entities.asked()};: entities of other files, and such as hold markup or entities, are not read)`
        : '';
    throw refuse(`The document is not well-formed XML: ${text}${which}.`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > limits.attributes) throw refuse(`An element has more than ${limits.attributes} attributes.`);
  });
  parser.on('opentag', (tag) => {
    eventPosition = parser.position;
    attributes = 0;
    if (open.length >= limits.depth) throw refuse(`Elements are nested more than ${limits.depth} deep.`);
    open.push(tag.local);
    handlers.open({
      name: tag.local,
      namespace: tag.uri,
      attributes: toAttributes(tag.attributes),
      line: parser.line,
      column: parser.column,
    });
  });
  const onText = (text: string): void => {
    eventPosition = parser.position;
    if (open.length > 0) handlers.text(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', (tag) => {
    eventPosition = parser.position;
    handlers.close(tag.local);
    open.pop();
  });

  return {
    feed(text) {
      parser.write(text);
      if (parser.position - eventPosition > limits.runCharacters)
        throw refuse(`More than ${limits.runCharacters} characters without a tag.`);
      const reference = pendingReference();
      if (!isReference(reference)) throw refuseReference(reference);
      if (entities.expanded() > (limits.entityCharacters ?? 0))
        throw refuse(`The entities of the document expand to more than ${limits.entityCharacters ?? 0} characters.`);
    },
    end() {
      parser.close();
    },
    position,
  };
}

/** Whether a text may be the name of an entity, or its beginning; `#x41` too. */
const isReference = (text: string): boolean => text.length <= 100 && /^[^\s<>&"'=/]*$/.test(text);

type Entities = {
  readonly table: Record<string, string>;
  declare(entities: ReadonlyMap<string, string>): void;
  asked(): string;
  expanded(): number;
};

/** The table that the parser asks for entities, the name it was last asked for, and how many characters of the document's own entities it gave. */
function createEntities(): Entities {
  const known = knownEntities();
  const iso = isoEntities();
  let own: ReadonlyMap<string, string> = new Map();
  let given = 0;
  let lastName = '';
  const get = (_target: unknown, name: string | symbol): string | undefined => {
    if (typeof name !== 'string') return undefined;
    lastName = name;
    const text = known[name] ?? own.get(name) ?? iso[name];
    if (own.has(name)) given += text?.length ?? 0;
    return text;
  };
  return {
    table: new Proxy<Record<string, string>>(known, { get }),
    declare: (entities) => void (own = entities),
    asked: () => lastName,
    expanded: () => given,
  };
}

type SaxesAttributes = Readonly<
  Record<string, { readonly name: string; readonly local: string; readonly uri: string; readonly value: string }>
>;

function toAttributes(attributes: SaxesAttributes): readonly XmlAttribute[] {
  const list: XmlAttribute[] = [];
  for (const key in attributes) {
    const attribute = attributes[key];
    if (attribute === undefined || attribute.uri === xmlnsNamespace || attribute.name === 'xmlns') continue;
    const prefix = attribute.uri === xlink ? 'xlink:' : attribute.uri === xmlNamespace ? 'xml:' : '';
    list.push({ name: prefix + attribute.local, local: attribute.local, value: attribute.value });
  }
  return list;
}
