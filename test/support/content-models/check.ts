// Checks documents against content models that the project declares itself (the tables beside this file): which children an element has, in
// which order and how often, whether it may hold text, and which attributes. So a clone without the published schemas checks exports too.
import type { ContentModel as MixedContent } from '#domain/formats/ead/writing/mixed.ts';
import type { XmlAttribute } from '#domain/formats/xml/reader.ts';
import { createXmlReader } from '#domain/formats/xml/reader.ts';

/**
 * A row of a table: names of elements (one rule for all of them), content, attributes.
 *
 * Content is a regular expression over the names of children, each followed by a blank: `head (p )+`. `#` in front lets text stand there,
 * `*` in place of a name (`\\* `) is an element of another namespace, checked by its own model; `...` is anything, unchecked. A name with a
 * slash (`nameEntryParallel/nameEntry`) is the rule of an element inside that parent.
 *
 * Attributes are separated by blanks: `name` (any text), `name!` (required), `name~` (a name token), `name=a|b` (one of these).
 */
export type Row = readonly [names: string, content: string, attributes?: string];

/** What a table is made of besides its rows. `global`: attributes of every element. `ids`, `refs`: attributes that name, and that point. */
export type Declaration = {
  readonly namespace: string;
  readonly roots: string;
  readonly rows: readonly Row[];
  readonly global?: string;
  readonly ids?: string;
  readonly refs?: string;
  /** What values of attributes look like, by name, or by `element@name`. */
  readonly values?: { readonly [attribute: string]: RegExp };
  /** What the texts of elements look like. */
  readonly texts?: { readonly [element: string]: RegExp };
  /** Mixed content as the writers declare it: rules for elements that no row names. */
  readonly mixed?: MixedContent;
};

type Attribute = { readonly isRequired: boolean; readonly values?: RegExp };
type Rule = {
  readonly content: RegExp | null;
  readonly hasText: boolean;
  readonly attributes: ReadonlyMap<string, Attribute>;
};

/** A format as a table of its elements. */
export type ContentModel = {
  readonly namespace: string;
  readonly roots: ReadonlySet<string>;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly ids: ReadonlySet<string>;
  readonly refs: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, RegExp>;
  readonly texts: ReadonlyMap<string, RegExp>;
};

const token = /^[\p{L}\p{N}._:-]+$/u;
const name = /^[\p{L}_][\p{L}\p{N}._-]*$/u;
const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/** Children of a set in any order and number. */
export const anyOf = (names: Iterable<string>): string => `(${[...names].map((each) => `${each} `).join('|')})*`;

/** The names of a text as alternatives: `a b` is `a |b `. */
export const either = (names: string): string =>
  words(names)
    .map((each) => `${each} `)
    .join('|');

/** Makes the model of a format from its table. */
export function contentModel(declaration: Declaration): ContentModel {
  const global = declaration.global ?? '';
  const rules = new Map<string, Rule>(mixedRules(declaration.mixed, global));
  for (const [names, content, attributes = ''] of declaration.rows)
    for (const each of words(names)) rules.set(each, toRule(content, `${global} ${attributes}`));
  return {
    namespace: declaration.namespace,
    roots: new Set(words(declaration.roots)),
    rules,
    ids: new Set(words(declaration.ids ?? '')),
    refs: new Set(words(declaration.refs ?? '')),
    values: new Map(Object.entries(declaration.values ?? {})),
    texts: new Map(Object.entries(declaration.texts ?? {})),
  };
}

function toRule(content: string, attributes: string): Rule {
  const hasText = content.startsWith('#');
  return {
    content: content === '...' ? null : new RegExp(`^(?:${hasText ? content.slice(1) : content})$`),
    hasText,
    attributes: new Map(words(attributes).map(toAttribute)),
  };
}

// Values hold no blanks here; one that must (`moving image`) is in `texts` or `values`.
function toAttribute(text: string): [string, Attribute] {
  const [key = '', list] = text.split('=');
  const isRequired = key.endsWith('!');
  const bare = key.replace(/[!~]+$/, '');
  const values = list === undefined ? (key.includes('~') ? token : undefined) : new RegExp(`^(?:${list})$`);
  return [bare, { isRequired, ...(values === undefined ? {} : { values }) }];
}

function mixedRules(mixed: MixedContent | undefined, global: string): [string, Rule][] {
  return [...(mixed?.elements ?? [])].map(([element, { content, hasText, order, attributes, wrapped }]) => [
    element,
    {
      content: wrapped === undefined ? (order ?? new RegExp(`^${anyOf(content)}$`)) : new RegExp(`^(${wrapped} )+$`),
      hasText: hasText && wrapped === undefined,
      attributes: new Map([
        ...words(global).map(toAttribute),
        ...[...attributes].map(([attribute, kind]): [string, Attribute] => {
          if (kind === 'text' || kind === 'days') return [attribute, { isRequired: false }];
          const values = kind === 'token' ? token : new RegExp(`^(?:${[...kind].join('|')})$`);
          return [attribute, { isRequired: false, values }];
        }),
      ]),
    },
  ]);
}

type Open = {
  readonly element: string;
  readonly line: number;
  readonly model: ContentModel;
  readonly rule: Rule | undefined;
  children: string;
  text: string;
};

/** What of a document its model does not allow, each fault with its line; none where all is allowed. `others`: models of what is inside it. */
export function contentFaults(xml: string, model: ContentModel, ...others: readonly ContentModel[]): readonly string[] {
  const models = new Map([model, ...others].map((each) => [each.namespace, each]));
  const faults: string[] = [];
  const open: Open[] = [];
  const [ids, refs] = [new Set<string>(), new Map<string, number>()];
  // Elements inside what is passed over.
  let passed = 0;

  const noteAttributes = (
    tag: { name: string; line: number },
    of: ContentModel,
    all: readonly XmlAttribute[],
  ): void => {
    for (const attribute of all) {
      if (of.ids.has(attribute.name)) {
        if (!name.test(attribute.value)) faults.push(`${tag.line}: ${attribute.value} cannot be an id`);
        if (ids.has(attribute.value)) faults.push(`${tag.line}: the id ${attribute.value} is there twice`);
        ids.add(attribute.value);
      }
      if (of.refs.has(attribute.name)) for (const ref of words(attribute.value)) refs.set(ref, tag.line);
    }
  };
  const checkAttributes = (
    element: string,
    line: number,
    of: ContentModel,
    rule: Rule,
    all: readonly XmlAttribute[],
  ) => {
    for (const [attribute, { isRequired }] of rule.attributes)
      if (isRequired && !all.some((each) => each.name === attribute))
        faults.push(`${line}: ${element} lacks the attribute ${attribute}`);
    for (const { name: attribute, local, value } of all) {
      if (local === 'schemaLocation') continue;
      const known = rule.attributes.get(attribute);
      if (known === undefined) faults.push(`${line}: ${element} has no attribute ${attribute}`);
      const patterns = [known?.values, of.values.get(`${element}@${attribute}`) ?? of.values.get(attribute)];
      if (patterns.some((pattern) => pattern?.test(value) === false))
        faults.push(`${line}: ${attribute} of ${element} may not be "${value}"`);
    }
  };

  const reader = createXmlReader({
    open(tag) {
      const parent = open.at(-1);
      if (passed > 0) return void (passed += 1);
      const isForeign = parent !== undefined && parent.model.namespace !== tag.namespace;
      if (parent !== undefined) parent.children += isForeign ? '* ' : `${tag.name} `;
      const own = models.get(tag.namespace);
      if (parent !== undefined && (parent.rule === undefined || parent.rule.content === null)) {
        passed = 1;
        return;
      }
      if (own === undefined || (parent === undefined && own !== model)) {
        passed = 1;
        return void faults.push(`${tag.line}: ${tag.name} is of the namespace "${tag.namespace}"`);
      }
      if ((parent === undefined || isForeign) && !own.roots.has(tag.name))
        faults.push(`${tag.line}: a document may not begin with ${tag.name}`);
      const rule = own.rules.get(`${parent?.element}/${tag.name}`) ?? own.rules.get(tag.name);
      open.push({ element: tag.name, line: tag.line, model: own, rule, children: '', text: '' });
      if (rule === undefined) return void faults.push(`${tag.line}: there is no element ${tag.name}`);
      noteAttributes(tag, own, tag.attributes);
      checkAttributes(tag.name, tag.line, own, rule, tag.attributes);
    },
    text(piece) {
      const element = open.at(-1);
      if (element !== undefined && passed === 0) element.text += piece;
    },
    close() {
      if (passed > 0) return void (passed -= 1);
      const closed = open.pop();
      if (closed === undefined || closed.rule === undefined || closed.rule.content === null) return;
      const { element, line, rule, text } = closed;
      const children = closed.children.trim();
      if (!rule.hasText && text.trim() !== '') faults.push(`${line}: ${element} may not hold text`);
      if (closed.model.texts.get(element)?.test(text) === false)
        faults.push(`${line}: ${element} may not be "${text}"`);
      if (!rule.content?.test(closed.children))
        faults.push(`${line}: ${element} may not ${children === '' ? 'be empty' : `hold "${excerpt(children)}"`}`);
    },
  });
  try {
    reader.feed(xml);
    reader.end();
  } catch (error) {
    return [String(error)];
  }
  for (const [ref, line] of refs) if (!ids.has(ref)) faults.push(`${line}: nothing has the id ${ref}`);
  return faults;
}

const excerpt = (children: string): string => (children.length > 300 ? `${children.slice(0, 300)} …` : children);
