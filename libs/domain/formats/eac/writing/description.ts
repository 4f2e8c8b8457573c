// The description section of EAC-CPF: dates, places, languages, occupations, functions, subjects and genders, then notes.
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf } from '../../../json.ts';
import type { ExportContext } from '../../writing/context.ts';
import { plainText, subjectsOf, termsOf } from '../../writing/context.ts';
import { addressOf } from '../../xml/any-uri.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { writeLanguageAndScript } from './control.ts';
import { writeDates } from './dates.ts';
import { writeNotes, writeSimple } from './notes.ts';
import { writeDescriptiveNote } from './values.ts';
import { noteTexts } from '../../writing/note-text.ts';

/** Writes the section, empty where nothing is known. */
export function writeDescription(xml: XmlWriter, agent: JsonObject, context: ExportContext): void {
  const dates = objectsOf(agent, 'dates_of_existence');
  xml.open('description');
  if (dates.length > 0) {
    xml.open('existDates');
    writeDates(xml, dates);
    xml.close();
  }
  writeAll(xml, 'places', objectsOf(agent, 'agent_places'), (place) => writePlace(xml, place));
  writeAll(xml, 'languagesUsed', objectsOf(agent, 'used_languages'), (used) => {
    xml.open('languageUsed');
    writeLanguageAndScript(xml, textOf(used, 'language'), textOf(used, 'script'), context);
    writeDescriptiveNote(xml, ...objectsOf(used, 'notes').flatMap(noteTexts));
    xml.close();
  });
  writeAll(xml, 'occupations', objectsOf(agent, 'agent_occupations'), (occupation) =>
    writePart(xml, 'occupation', undefined, occupation),
  );
  writeAll(xml, 'functions', objectsOf(agent, 'agent_functions'), (part) =>
    writePart(xml, 'function', undefined, part),
  );
  writeLocal(xml, agent, context);
  writeNotes(xml, agent);
  xml.close();
}

function writeAll(
  xml: XmlWriter,
  wrapper: string,
  parts: readonly JsonObject[],
  write: (part: JsonObject) => void,
): void {
  if (parts.length === 0) return;
  xml.open(wrapper);
  for (const part of parts) write(part);
  xml.close();
}

function writePlace(xml: XmlWriter, place: JsonObject): void {
  const role = textOf(place, 'place_role');
  xml.open('place');
  if (role !== undefined) xml.element('placeRole', {}, role);
  writeHeadings(xml, 'placeEntry', subjectsOf(place));
  writeDates(xml, objectsOf(place, 'dates'));
  writeSimple(xml, objectsOf(place, 'notes'));
  xml.close();
}

function writePart(xml: XmlWriter, element: string, localType: string | undefined, part: JsonObject): void {
  xml.open(element, { localType });
  // Room for one term: the first subject.
  writeHeadings(xml, 'term', subjectsOf(part).slice(0, 1));
  writeHeadings(xml, 'placeEntry', subjectsOf(part, 'places'));
  writeDates(xml, objectsOf(part, 'dates'));
  writeSimple(xml, objectsOf(part, 'notes'));
  xml.close();
}

/** Writes the first term of each subject. */
function writeHeadings(xml: XmlWriter, element: string, subjects: readonly JsonObject[]): void {
  for (const subject of subjects)
    xml.element(
      element,
      { vocabularySource: addressOf(textOf(subject, 'source')) },
      plainText(textOf(termsOf(subject)[0], 'term') ?? textOf(subject, 'title') ?? ''),
    );
}

function writeLocal(xml: XmlWriter, agent: JsonObject, context: ExportContext): void {
  const [topics, genders] = [objectsOf(agent, 'agent_topics'), objectsOf(agent, 'agent_genders')];
  if (topics.length + genders.length === 0) return;
  xml.open('localDescriptions', { localType: 'archivesspace' });
  for (const topic of topics) writePart(xml, 'localDescription', 'associatedSubject', topic);
  for (const gender of genders) {
    xml
      .open('localDescription', { localType: 'gender' })
      .element('term', {}, context.label('gender', textOf(gender, 'gender') ?? ''));
    writeDates(xml, objectsOf(gender, 'dates'));
    writeSimple(xml, objectsOf(gender, 'notes'));
    xml.close();
  }
  xml.close();
}
