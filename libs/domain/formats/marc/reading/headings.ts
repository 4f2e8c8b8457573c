// MARC 21 access points: names and subjects of a bibliographic record as agents, subjects and links (behaviour-imports.md section 4).
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { readName } from './names.ts';
import { firstOf, textsOfField, withoutPunctuation } from './record.ts';
import type { MarcField } from './record.ts';
import { reportField, reportFurther, reportUnused } from './report.ts';
import { pushOnce, toRelator } from '../../reading/record-parts.ts';

/** The links of one record. */
export type MarcLinks = { readonly agents: JsonObject[]; readonly subjects: JsonObject[]; readonly seen: Set<string> };

/** Term types of subdivisions. */
const subdivisions: ReadonlyMap<string, string> = new Map([
  ['v', 'genre_form'],
  ['x', 'topical'],
  ['y', 'temporal'],
  ['z', 'geographic'],
]);

/** The main subfields of a subject field, and the type of its first term. */
const subjectFields: ReadonlyMap<string, { readonly type: string; readonly codes: string }> = new Map([
  ['630', { type: 'uniform_title', codes: 'adefghklmnoprst' }],
  ['648', { type: 'temporal', codes: 'a' }],
  ['650', { type: 'topical', codes: 'abcdeg' }],
  ['651', { type: 'geographic', codes: 'aeg' }],
  ['655', { type: 'genre_form', codes: 'abc' }],
  ['656', { type: 'occupation', codes: 'ak' }],
  ['657', { type: 'function', codes: 'a' }],
  ['730', { type: 'uniform_title', codes: 'adfghklmnoprst' }],
  ['752', { type: 'geographic', codes: 'abcdfgh' }],
  ['754', { type: 'topical', codes: 'acdxz' }],
  // Headings of authority records.
  ['130', { type: 'uniform_title', codes: 'adfghklmnoprst' }],
  ['150', { type: 'topical', codes: 'abg' }],
  ['151', { type: 'geographic', codes: 'ag' }],
  ['155', { type: 'genre_form', codes: 'a' }],
]);

/** Vocabularies by second indicator (and by position 11 of field 008 of an authority record). */
const vocabularies: ReadonlyMap<string, string> = new Map([
  ['0', 'lcsh'],
  ['1', 'lcshac'],
  ['2', 'mesh'],
  ['3', 'nal'],
  ['5', 'cash'],
  ['6', 'rvm'],
]);

/** Relators that make an added entry a source of the material (contract: exact texts; here without regard to case and punctuation). */
const sourceRelators: ReadonlyMap<string, string> = new Map([
  ['auctioneer', 'auc'],
  ['bookseller', 'bsl'],
  ['collector', 'col'],
  ['depositor', 'dpt'],
  ['donor', 'dnr'],
  ['former owner', 'fmo'],
  ['funder', 'fnd'],
  ['owner', 'own'],
]);

/** Links what a heading field names; false where the tag is none of a heading. */
export function readHeading(context: ReadingContext, links: MarcLinks, field: MarcField): boolean {
  if (/^[167](?:00|10|11)$/.test(field.tag)) linkAgent(context, links, field);
  // A uniform title is the main entry of a description, too; other headings that are no names belong to authority records.
  else if (subjectFields.has(field.tag) && (!field.tag.startsWith('1') || field.tag === '130'))
    linkSubject(context, links, field, subjectSource(context, field));
  else if (/^69\d$/.test(field.tag))
    linkSubject(context, links, field, field.ind2 === '7' ? subjectSource(context, field) : 'local');
  else if (field.tag === '720') linkUncontrolled(context, links, field);
  else return false;
  return true;
}

/** The subject that an authority record stands for; `more` are further properties. False where it stands for none. */
export function emitSubject(context: ReadingContext, field: MarcField, source: string, more: JsonObject): boolean {
  const body = subjectBody(context, field, source);
  if (body === undefined) return false;
  const whole = { ...body, ...more };
  context.emitOnce('subject', JSON.stringify(whole), whole);
  reportUnused(context, field, `vxyz${mainOf(field).codes}`);
  return true;
}

function linkAgent(context: ReadingContext, links: MarcLinks, field: MarcField): void {
  const isSubject = field.tag.startsWith('6');
  const second = field.subfields.find(({ code }) => code === '2')?.text;
  const source = context.controlled(
    'name_source',
    (isSubject ? (vocabularies.get(field.ind2) ?? second) : second) ?? 'ingest',
  );
  const read = readName(field, source);
  if (read === undefined)
    return context.report.dropText(
      field.line,
      `datafield ${field.tag}`,
      field.subfields.map(({ text }) => text).join(' '),
      'a name without subfield a',
    );
  const authority = firstOf(field, '0');
  const ref = emitAgent(context, read.kind, {
    ...read.name,
    ...(authority === undefined ? {} : { authority_id: authority }),
  });
  const relatorCode = field.tag.endsWith('11') ? 'j' : 'e';
  const used = `${read.codes}02${relatorCode}4`;
  if (isSubject) {
    const terms = field.subfields
      .filter(({ code }) => subdivisions.has(code))
      .map(({ code, text }) => term(context, text, subdivisions.get(code) ?? 'topical'));
    pushOnce(
      links.agents,
      { ref, role: 'subject', ...relator(context, field, relatorCode), ...(terms.length === 0 ? {} : { terms }) },
      links.seen,
    );
  } else {
    const [first] = relatorTexts(field, relatorCode);
    const text = withoutPunctuation(first ?? '')
      .replace(/\.$/, '')
      .toLowerCase();
    const isSource = [...sourceRelators].some(
      ([label, code]) => text === label || text === code || text === `${label} (${code})`,
    );
    // A record has one main entry; where it has several, only the first can be the primary agent.
    const isMain = field.tag.startsWith('1') && !links.agents.some((link) => link['is_primary'] === true);
    pushOnce(
      links.agents,
      {
        ref,
        role: isSource ? 'source' : 'creator',
        ...relator(context, field, relatorCode),
        ...(isMain ? { is_primary: true } : {}),
      },
      links.seen,
    );
  }
  reportUnused(context, field, `${used}${isSubject ? 'vxyz' : ''}`);
  reportFurther(context, field, 'a0');
  reportSources(context, field, 'name_source', source);
}

/** 720 names without authority: indicator 1 says whether of a person, and nothing of a jurisdiction (peers never import it; contract [ours]). */
function linkUncontrolled(context: ReadingContext, links: MarcLinks, field: MarcField): void {
  const isBody = field.ind1 === '2';
  const read = readName(
    { ...field, tag: isBody ? '710' : '700', ind1: isBody ? '2' : '1' },
    context.controlled('name_source', 'ingest'),
  );
  if (read === undefined) return reportField(context, field, 'a name without subfield a');
  pushOnce(
    links.agents,
    { ref: emitAgent(context, read.kind, read.name), role: 'creator', ...relator(context, field, 'e') },
    links.seen,
  );
  reportUnused(context, field, 'ae4');
  reportFurther(context, field, 'a');
}

/** Notes sources in $2 that are not that of the heading: an indicator says another, or an earlier $2. */
function reportSources(context: ReadingContext, field: MarcField, list: string, source: string): void {
  for (const text of textsOfField(field, '2'))
    if (context.controlled(list, withoutPunctuation(text)) !== source && context.controlled(list, text) !== source)
      context.report.dropText(field.line, `datafield ${field.tag}`, text, `the source of the heading is ${source}`);
}

/** Emits an agent of one authorized name, once. */
function emitAgent(context: ReadingContext, kind: Parameters<ReadingContext['emitOnce']>[0], name: JsonObject): string {
  const body = { publish: true, names: [{ ...name, authorized: true, is_display_name: true }] };
  return context.emitOnce(kind, JSON.stringify(body), body);
}

const relatorTexts = (field: MarcField, code: string): readonly string[] =>
  [
    ...field.subfields.filter((subfield) => subfield.code === code),
    ...field.subfields.filter((subfield) => subfield.code === '4'),
  ].map(({ text }) => text);

/** $e (or $j of a meeting) wins over $4; a link has one relator, others are reported. */
function relator(context: ReadingContext, field: MarcField, code: string): JsonObject {
  const [first, ...further] = relatorTexts(field, code);
  if (first === undefined) return {};
  // Exports write the role, in small letters and without a code, where a link has no relator.
  if (further.length === 0 && /^(?:creator|source)\.?$/.test(withoutPunctuation(first))) return {};
  const words = withoutPunctuation(first).replace(/\.$/, '');
  const taken = toRelator(context, words);
  // Exports write the word for a relator and its code.
  for (const text of further)
    if (text !== taken && text.toLowerCase() !== words.toLowerCase())
      context.report.dropText(field.line, `datafield ${field.tag}`, text, 'a link has one relator');
  return { relator: taken };
}

function linkSubject(context: ReadingContext, links: MarcLinks, field: MarcField, source: string): void {
  const body = subjectBody(context, field, source);
  if (body === undefined)
    return context.report.dropText(
      field.line,
      `datafield ${field.tag}`,
      field.subfields.map(({ text }) => text).join(' '),
      'a subject without a main term',
    );
  pushOnce(links.subjects, { ref: context.emitOnce('subject', JSON.stringify(body), body) }, links.seen);
  reportSources(context, field, 'subject_source', source);
  reportUnused(context, field, `2vxyz${mainOf(field).codes}`);
}

/** The type of the first term of a subject, and the subfields that make it up: as of a topic, where the field is of no type that is known. */
const mainOf = (field: MarcField): { readonly type: string; readonly codes: string } =>
  subjectFields.get(field.tag) ?? { type: 'topical', codes: 'abcdeg' };

function subjectBody(context: ReadingContext, field: MarcField, source: string): JsonObject | undefined {
  const { type, codes } = mainOf(field);
  const main = field.subfields.filter(({ code }) => codes.includes(code)).map(({ text }) => withoutPunctuation(text));
  const first = field.tag === '752' ? main : field.tag === '754' ? [main.join(' -- ')] : [main.join(' ')];
  const rest = field.subfields.filter(({ code }) => !codes.includes(code) && subdivisions.has(code));
  const terms = [
    ...first.filter((text) => text !== '').map((text) => term(context, text, type)),
    ...rest.map(({ code, text }) => term(context, text, subdivisions.get(code) ?? type)),
  ];
  if (terms.length === 0) return undefined;
  return {
    source: context.controlled('subject_source', source),
    terms,
    vocabulary: context.vocabularyUri,
    publish: true,
  };
}

const term = (context: ReadingContext, text: string, type: string): JsonObject => ({
  jsonmodel_type: 'term',
  term: withoutPunctuation(text),
  term_type: type,
  vocabulary: context.vocabularyUri,
});

function subjectSource(context: ReadingContext, field: MarcField): string {
  const given = firstOf(field, '2');
  const source = ['130', '752', '754', '730'].includes(field.tag) ? given : (vocabularies.get(field.ind2) ?? given);
  return source === undefined ? 'not_specified' : context.controlled('subject_source', withoutPunctuation(source));
}

/** The vocabulary of an authority record: position 11 of its field 008. */
export function authoritySource(code: string | undefined): string {
  return { a: 'lcsh', b: 'lcshac', c: 'mesh', d: 'nal', k: 'cash', v: 'rvm' }[code ?? ''] ?? 'not_specified';
}
