// Simple Dublin Core of a digital object (contract behaviour-exports 7).
import type { JsonObject } from '../../json.ts';
import { objectsOf, textOf } from '../../json.ts';
import type { ExportContext } from '../writing/context.ts';
import { agentLinks, dateText, plainText, subjectsOf, termsOf } from '../writing/context.ts';
import { codedLanguages, languageNotes, notesOf, noteTexts } from '../writing/note-text.ts';
import { publishedPart } from '../writing/published.ts';
import { XmlWriter } from '../xml/writer.ts';

/** Elements that notes go into, by type of note, in the order of the document. */
const dcNotes: readonly (readonly [element: string, types: readonly string[]])[] = [
  ['description', ['bioghist', 'prefercite']],
  ['rights', ['accessrestrict', 'userestrict']],
  ['format', ['dimensions', 'physdesc']],
  ['source', ['originalsloc']],
  ['relation', ['relatedmaterial']],
];

/** The document, ended by a newline. Agents and subjects of `object` are resolved; context.repository is its repository. */
export function digitalObjectDc(object: JsonObject, context: ExportContext): string {
  const xml = new XmlWriter().declaration();
  writeDc(xml, context.includesUnpublished ? object : publishedPart(object), context);
  return `${xml.take()}\n`;
}

/** Writes the element `dc` of an object or component whose unpublished parts are gone already. */
export function writeDc(xml: XmlWriter, object: JsonObject, context: ExportContext): void {
  const write = (element: string, texts: readonly (string | undefined)[]): void => {
    for (const text of texts) if (text !== undefined && text !== '') xml.element(element, {}, plainText(text));
  };
  const uri = textOf(object, 'uri');
  xml.open('dc', {
    xmlns: 'http://purl.org/dc/elements/1.1/',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  });
  write('title', [textOf(object, 'title') ?? textOf(object, 'display_string')]);
  write('identifier', [uri === undefined ? undefined : `${context.serviceUrl}${uri}`]);
  write('creator', namesOf(object, 'creator'));
  write(
    'language',
    codedLanguages(object).map((language) => textOf(language, 'language')),
  );
  write(
    'language',
    codedLanguages(object).map((language) => textOf(language, 'script')),
  );
  write('language', languageNotes(object).flatMap(noteTexts));
  write('subject', subjectsOf(object).map(heading));
  write('subject', namesOf(object, 'subject'));
  write('date', objectsOf(object, 'dates').map(dateText));
  for (const [element, types] of dcNotes) {
    write(element, notesOf(object, types).flatMap(noteTexts));
    if (element === 'description') write('description', [madeAvailable(context.repository)]);
  }
  xml.element('type', {}, textOf(object, 'digital_object_type') ?? '').close();
}

/** The terms of a subject, here without blanks between them, unlike in the other formats. */
const heading = (subject: JsonObject): string =>
  termsOf(subject)
    .map((term) => textOf(term, 'term'))
    .join('--');

/** Every name of the agents of a role, as they are sorted. */
const namesOf = (object: JsonObject, role: string): readonly (string | undefined)[] =>
  agentLinks(object, [role]).flatMap(({ agent }) => objectsOf(agent, 'names').map((name) => textOf(name, 'sort_name')));

function madeAvailable(repository: JsonObject | null): string | undefined {
  const [name, url] = [textOf(repository ?? undefined, 'name'), textOf(repository ?? undefined, 'url')];
  return name === undefined
    ? undefined
    : `Digital object made available by ${name}${url === undefined ? '' : ` (${url})`}`;
}
