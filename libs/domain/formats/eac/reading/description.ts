// EAC-CPF `description` to dates, places, occupations, functions, topics, languages and notes of an agent.
import type { Json, JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { mixedText } from '../../reading/content.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import { dateElements, readDates } from './dates.ts';
import type { AgentKind } from './names.ts';
import { noteTextOf } from './links.ts';
import { asMarkup, citationNote, readNote } from './notes.ts';
import { dropOthers } from '../../reading/report.ts';

/** Elements that only group others. */
const groups: ReadonlySet<string> = new Set([
  'places',
  'occupations',
  'functions',
  'legalStatuses',
  'mandates',
  'languagesUsed',
  'localDescriptions',
  'description',
]);

/** Elements that become a sub-record with one subject: its list, kind and type of term. */
const subjectParts: ReadonlyMap<
  string,
  { readonly list: string; readonly kind: string; readonly type: string; readonly term: string }
> = new Map([
  ['place', { list: 'agent_places', kind: 'agent_place', type: 'geographic', term: 'placeEntry' }],
  ['occupation', { list: 'agent_occupations', kind: 'agent_occupation', type: 'occupation', term: 'term' }],
  ['function', { list: 'agent_functions', kind: 'agent_function', type: 'function', term: 'term' }],
  ['localDescription', { list: 'agent_topics', kind: 'agent_topic', type: 'topical', term: 'term' }],
]);

/** How the notes of a version are read: undefined for an element that is none. */
export type NoteReader = (context: ReadingContext, node: XmlNode) => JsonObject | undefined;

/** The properties of a description. */
export function readDescription(
  context: ReadingContext,
  description: XmlNode,
  kind: AgentKind,
  noteOf: NoteReader = readNote,
): Readonly<Record<string, Json>> {
  const lists: Record<string, JsonObject[]> = {};
  const add = (property: string, record: JsonObject): void => void (lists[property] ??= []).push(record);
  readGroup({ context, kind, add, noteOf }, description);
  return lists;
}

type Add = (property: string, record: JsonObject) => void;

/** What the parts of one description share. */
type Scope = {
  readonly context: ReadingContext;
  readonly kind: AgentKind;
  readonly add: Add;
  readonly noteOf: NoteReader;
};

/** `localType`: that of the group, which its parts have too. */
function readGroup(scope: Scope, group: XmlNode, localType = ''): void {
  const { context } = scope;
  for (const node of group.children) {
    if (!isElement(node))
      context.report.dropText(group.line, group.name, node, `text of ${group.name} outside its parts`);
    else if (groups.has(node.name)) readGroup(scope, node, attributeOf(node, 'localType'));
    else readPart(scope, node, localType);
  }
}

function readPart({ context, kind, add, noteOf }: Scope, node: XmlNode, groupType: string): void {
  const note = noteOf(context, node);
  if (note !== undefined) return add('notes', note);
  if (node.name === 'existDates') {
    for (const date of readDates(context, node, 'existence')) add('dates_of_existence', date);
    return dropOthers(context.report, node, dateElements);
  }
  if (node.name === 'languageUsed') return readLanguage(context, node, add);
  const localType = `${groupType} ${attributeOf(node, 'localType') ?? ''}`.toLowerCase();
  if (node.name === 'localDescription' && localType.includes('gender') && kind.kind === 'agent_person')
    return readGender(context, node, add);
  const part =
    node.name === 'localDescription' && !localType.includes('subject') ? undefined : subjectParts.get(node.name);
  if (part === undefined) return context.report.drop(node, 'not imported from description');
  readSubjectPart(context, node, part, add);
}

function readSubjectPart(
  context: ReadingContext,
  node: XmlNode,
  part: { readonly list: string; readonly kind: string; readonly type: string; readonly term: string },
  add: Add,
): void {
  const terms = elementsOf(node).filter(
    (child) =>
      (child.name === part.term || (part.type === 'geographic' && child.name === 'placeEntry')) &&
      textContent(child) !== '',
  );
  const [term, ...others] = terms.length > 0 ? terms : part.type === 'geographic' ? [] : elementsOf(node, 'placeEntry');
  if (term === undefined || term.name !== part.term) return readWordsAlone(context, node, part.term, add);
  const [role, ...otherRoles] = elementsOf(node, 'placeRole').filter((each) => textContent(each) !== '');
  const places =
    part.type === 'geographic'
      ? []
      : elementsOf(node, 'placeEntry')
          .filter((place) => textContent(place) !== '')
          .map((place) => ({ ref: subject(context, place, 'geographic') }));
  add(part.list, {
    jsonmodel_type: part.kind,
    subjects: [{ ref: subject(context, term, part.type) }],
    ...(role === undefined ? {} : { place_role: context.controlled('place_role', textContent(role)) }),
    ...(places.length === 0 ? {} : { places }),
    ...datesAndNotes(context, node),
  });
  for (const other of [...others, ...otherRoles])
    context.report.drop(other, `only the first ${other.name} is imported`);
  dropOthers(context.report, node, [
    part.term,
    'placeEntry',
    'placeRole',
    'descriptiveNote',
    'citation',
    ...dateElements,
  ]);
}

/** A function or occupation that has no term but is told in words: history of the agent, as far as a note can say it. */
function readWordsAlone(context: ReadingContext, node: XmlNode, term: string, add: Add): void {
  const told = elementsOf(node, 'descriptiveNote')
    .map((note) => mixedText(note.children.map(asMarkup)))
    .filter((text) => text !== '')
    .join('\n\n');
  if (told === '' || (node.name !== 'function' && node.name !== 'occupation'))
    return context.report.drop(node, `${node.name} without a ${term}`);
  add('notes', { jsonmodel_type: 'note_bioghist', subnotes: textSubnotes(told, true), publish: true });
  dropOthers(context.report, node, ['descriptiveNote']);
}

/** The dates of a part, and its descriptive notes and citations as notes. */
function datesAndNotes(context: ReadingContext, node: XmlNode): JsonObject {
  const dates = readDates(context, node, 'other');
  const notes = [
    ...elementsOf(node, 'descriptiveNote')
      .map((note) => mixedText(note.children.map(asMarkup)))
      .filter((text) => text !== '')
      .flatMap((text) => textSubnotes(text, true)),
    ...elementsOf(node, 'citation').flatMap((citation) =>
      citationNote(citation, mixedText(citation.children.map(asMarkup)), true),
    ),
  ];
  return { ...(dates.length === 0 ? {} : { dates }), ...(notes.length === 0 ? {} : { notes }) };
}

/** The subject of a term or place, published; its vocabulary is @vocabularySource. */
export function subject(context: ReadingContext, node: XmlNode, type: string): string {
  for (const name of ['latitude', 'longitude', 'altitude', 'valueURI'])
    context.report.dropText(
      node.line,
      node.name,
      attributeOf(node, name) ?? '',
      `${name} of a subject is not imported`,
    );
  const vocabulary = context.vocabularyUri;
  const source = context.controlled('subject_source', attributeOf(node, 'vocabularySource') ?? 'not_specified');
  const body = {
    source,
    terms: [{ jsonmodel_type: 'term', term: textContent(node), term_type: type, vocabulary }],
    vocabulary,
    publish: true,
  };
  return context.emitOnce('subject', JSON.stringify(body), body);
}

function readGender(context: ReadingContext, node: XmlNode, add: Add): void {
  const rest = datesAndNotes(context, node);
  for (const term of elementsOf(node, 'term'))
    if (textContent(term) !== '')
      add('agent_genders', {
        jsonmodel_type: 'agent_gender',
        gender: context.controlled('gender', textContent(term)),
        ...rest,
      });
  dropOthers(context.report, node, ['term', 'descriptiveNote', 'citation', ...dateElements]);
}

function readLanguage(context: ReadingContext, node: XmlNode, add: Add): void {
  const code = (name: string, attribute: string, list: string): string | undefined =>
    elementsOf(node, name)
      .map((element) => context.fixed(list, attributeOf(element, attribute) ?? ''))
      .find((value) => value !== undefined);
  const language = code('language', 'languageCode', 'language_iso639_2');
  const script = code('script', 'scriptCode', 'script_iso15924');
  // The words beside the codes, unless they are no more than labels, and what the note says.
  const codes = [language, script];
  const words = node.children
    .filter((part) => !isElement(part) || part.name !== 'descriptiveNote')
    .map(textContent)
    .filter(
      (part) =>
        !codes.some(
          (value) =>
            value !== undefined &&
            ['language_iso639_2', 'script_iso15924'].some((list) => context.fixed(list, part) === value),
        ),
    );
  const text = [...words, noteTextOf(node) ?? ''].filter((part) => part !== '').join('; ');
  if (language === undefined && text === '') return;
  add('used_languages', {
    jsonmodel_type: 'used_language',
    ...(language === undefined ? {} : { language }),
    ...(script === undefined ? {} : { script }),
    ...(text === '' ? {} : { notes: textSubnotes(text, true) }),
  });
}
