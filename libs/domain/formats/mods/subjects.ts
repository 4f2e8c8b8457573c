// Subjects as MODS: the element that the type of the first term asks for (contract behaviour-exports 8).
import type { JsonObject } from '../../json.ts';
import { textOf } from '../../json.ts';
import { joinedTerms, plainText, termsOf } from '../writing/context.ts';
import type { XmlWriter } from '../xml/writer.ts';

const elements: { readonly [type: string]: string } = {
  geographic: 'geographic',
  cultural_context: 'geographic',
  temporal: 'temporal',
  uniform_title: 'titleInfo',
  occupation: 'occupation',
  genre_form: 'genre',
  style_period: 'genre',
  technique: 'genre',
  function: 'genre',
};

/** Writes a `subject` with all terms in one element. */
export function writeSubject(xml: XmlWriter, subject: JsonObject): void {
  const terms = termsOf(subject);
  const element = elements[textOf(terms[0], 'term_type') ?? ''] ?? 'topic';
  const text = plainText(joinedTerms(terms));
  if (text === '') return;
  xml.open('subject', { authority: textOf(subject, 'source') });
  if (element === 'titleInfo') xml.open('titleInfo').element('title', {}, text).close();
  else xml.element(element, {}, text);
  xml.close();
}
