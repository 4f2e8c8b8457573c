// What the writers of a finding aid share: what was asked for, labels of controlled values, the document's ids.
import type { JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import { elementTag } from '../../text/mixed-content.ts';
import { flag } from '../define-export.ts';
import type { ExportContext } from './context.ts';
import { agentLinks, displayName, resolvedOf } from './context.ts';
import { decodeEntities } from '../xml/fragment.ts';
import type { DocumentIds } from './identifiers.ts';

/** What a client asks of a finding aid (contract, exports 1). */
export type FindingAidFlags = {
  readonly includeUnpublished: boolean;
  readonly includeDaos: boolean;
  readonly includeUris: boolean;
  readonly numberedComponents: boolean;
};

/** The English label of a controlled value; the value itself where it has none. */
export type LabelOf = (list: string, value: string) => string;

/** What a document is written with. `createdAt` stands in the document, `product` names who wrote it. */
export type FindingAidSetting = {
  readonly flags: FindingAidFlags;
  readonly label: LabelOf;
  readonly product: string;
  readonly createdAt: string;
  /** Whether ARK names stand in documents (the installation's setting). */
  readonly includeArks: boolean;
  /** How deep the tree is: 0 without components. */
  readonly deepest: number;
};

/** The setting of a document whose tree is so deep. */
export const settingOf = (context: ExportContext, deepest: number, flags: FindingAidFlags): FindingAidSetting => ({
  flags,
  label: context.label,
  product: context.product,
  createdAt: `${context.now.toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  includeArks: context.showsArks,
  deepest,
});

/** The parameter by which clients ask for what is unpublished. */
export const unpublishedOption = flag({
  default: false,
  doc: 'Also what is not published, marked audience="internal"; what is suppressed never.',
});

/** The state of one document. */
export type EadWriting = FindingAidSetting & { readonly ids: DocumentIds };

/** The element of a component. The schemas end at c12, so deeper trees keep to `c` from the top. */
export const componentName = ({ flags, deepest }: FindingAidSetting, depth: number): string =>
  flags.numberedComponents && deepest <= 12 ? `c${String(depth).padStart(2, '0')}` : 'c';

/** The id of a note, where the document does not have it yet. */
export const noteId = ({ ids }: EadWriting, note: JsonObject): string | undefined =>
  ids.claim(textOf(note, 'persistent_id'));

/** `audience="internal"` of what is not published. */
export const audience = (part: JsonObject | undefined): 'internal' | undefined =>
  part?.['publish'] === false ? 'internal' : undefined;

// Elements between which words are apart where their tags go.
const parting: ReadonlySet<string> = new Set(
  'addressline blockquote br chronitem chronlist defitem div entry event head item label lb li list ol p row table td tr ul'.split(
    ' ',
  ),
);

/** The plain text of a value that may hold markup and entities, for attributes and elements without markup. */
export const plain = (text: string | undefined): string =>
  text === undefined
    ? ''
    : // Most texts have nothing to take out.
      !/[<&]|^\s|\s$|\s\s|[^\S ]/.test(text)
      ? text
      : decodeEntities(text.replace(elementTag, (_tag, name: string) => (parting.has(name.toLowerCase()) ? ' ' : '')))
          .replace(/\s+/g, ' ')
          .trim();

/** The text of a date: its expression, else its beginning and end. */
export function dateText(date: JsonObject): string {
  const { expression, begin, end } = {
    expression: textOf(date, 'expression'),
    begin: textOf(date, 'begin'),
    end: textOf(date, 'end'),
  };
  if (expression !== undefined) return expression;
  return begin !== undefined && end !== undefined && begin !== end ? `${begin}-${end}` : (begin ?? end ?? '');
}

/** `begin/end` where they are dates of the calendar that a document may state, else undefined. */
export function normalOf(date: JsonObject): string | undefined {
  const begin = textOf(date, 'begin');
  const end = textOf(date, 'end');
  if (begin === undefined || !isNormal(begin)) return undefined;
  const last = textOf(date, 'date_type') === 'single' || end === undefined ? begin : end;
  return isNormal(last) ? `${begin}/${last}` : undefined;
}

/** Whether a date has the form that schemas allow: a year of four digits, with month and day. */
const isNormal = (text: string): boolean => /^-?[0-2]\d{3}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/.test(text);

/** A linked agent with the name that documents show. */
export type LinkedAgent = {
  readonly link: JsonObject;
  readonly agent: JsonObject;
  readonly name: JsonObject;
  readonly text: string;
  readonly element: 'persname' | 'famname' | 'corpname' | 'name';
};

const elementOfModel: ReadonlyMap<string, LinkedAgent['element']> = new Map([
  ['agent_person', 'persname'],
  ['agent_family', 'famname'],
  ['agent_corporate_entity', 'corpname'],
]);

/** The linked agents of some roles that were resolved, in order. */
export function linkedAgents(record: JsonObject, roles: readonly string[]): readonly LinkedAgent[] {
  const linked: LinkedAgent[] = [];
  for (const { link, agent } of agentLinks(record, roles)) {
    const { name, text, element } = shownAgent(agent);
    if (text !== '') linked.push({ link, agent, name, text, element });
  }
  return linked;
}

// One agent stands in many components of a finding aid, as one object.
const shownAgents = new WeakMap<JsonObject, Pick<LinkedAgent, 'name' | 'text' | 'element'>>();

function shownAgent(agent: JsonObject): Pick<LinkedAgent, 'name' | 'text' | 'element'> {
  const known = shownAgents.get(agent);
  if (known !== undefined) return known;
  const name = displayName(agent) ?? {};
  const text = plain(textOf(name, 'sort_name') ?? textOf(agent, 'title'));
  const shown = { name, text, element: elementOfModel.get(textOf(agent, 'jsonmodel_type') ?? '') ?? 'name' };
  shownAgents.set(agent, shown);
  return shown;
}

/** The text of an agent as a heading: the name, then the terms of the link. */
export function agentHeading({ link, text }: LinkedAgent): string {
  const terms = objectsOf(link, 'terms').map((term) => plain(textOf(term, 'term') ?? textOf(resolvedOf(term), 'term')));
  return [text, ...terms.filter((term) => term !== '')].join(' -- ');
}

/** A heading of `controlaccess`. */
export type Heading = {
  readonly element: string;
  readonly attributes: { readonly [name: string]: string | undefined };
  readonly text: string;
};

/** The headings without those equal to an earlier one: a source may be a subject too, and agents may differ in what documents do not show. */
export function distinctHeadings(headings: readonly Heading[]): readonly Heading[] {
  if (headings.length < 2 || new Set(headings.map(({ text }) => text)).size === headings.length) return headings;
  return [...new Map(headings.map((heading) => [JSON.stringify(heading), heading])).values()];
}

const subjectElements: ReadonlyMap<string, string> = new Map([
  ['function', 'function'],
  ['genre_form', 'genreform'],
  ['style_period', 'genreform'],
  ['geographic', 'geogname'],
  ['cultural_context', 'geogname'],
  ['occupation', 'occupation'],
  ['topical', 'subject'],
  ['uniform_title', 'title'],
]);

/** The linked subjects that documents show, with the element of their first term (contract: technique, temporal and others are not shown). */
export function linkedSubjects(record: JsonObject): readonly ShownSubject[] {
  const linked: ShownSubject[] = [];
  for (const link of objectsOf(record, 'subjects')) {
    const subject = resolvedOf(link);
    const shown = subject === undefined ? null : shownSubject(subject);
    if (shown !== null) linked.push(shown);
  }
  return linked;
}

type ShownSubject = { readonly subject: JsonObject; readonly element: string; readonly text: string };

const shownSubjects = new WeakMap<JsonObject, ShownSubject | null>();

function shownSubject(subject: JsonObject): ShownSubject | null {
  let shown = shownSubjects.get(subject);
  if (shown === undefined) {
    const element = subjectElements.get(textOf(objectsOf(subject, 'terms')[0], 'term_type') ?? '');
    const text = plain(
      textOf(subject, 'title') ??
        objectsOf(subject, 'terms')
          .map((term) => textOf(term, 'term') ?? '')
          .join(' -- '),
    );
    shown = element === undefined || text === '' ? null : { subject, element, text };
    shownSubjects.set(subject, shown);
  }
  return shown;
}

/** The addresses under which a record is known: its URI, and its ARK names where documents show them. */
export function arksOf(record: JsonObject): { readonly current?: string; readonly previous: readonly string[] } {
  const ark = objectOf(record, 'ark_name');
  const current = textOf(ark, 'current');
  const previous = ark?.['previous'];
  return {
    ...(current === undefined ? {} : { current }),
    previous: Array.isArray(previous) ? previous.filter((each): each is string => typeof each === 'string') : [],
  };
}
