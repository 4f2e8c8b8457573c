// Columns of an archival description of AtoM (ISAD(G)) as parts of a resource or archival object: notes, languages, what is said of the description.
import type { Json, JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { splitLongText } from '../../reading/content.ts';
import { singlepartNote, textSubnotes } from '../../reading/note-records.ts';
import type { AtomRow } from './sheet.ts';

/** Types of the notes that columns become. */
const noteColumns: ReadonlyMap<string, string> = new Map([
  ['archivalHistory', 'custodhist'],
  ['acquisition', 'acqinfo'],
  ['scopeAndContent', 'scopecontent'],
  ['appraisal', 'appraisal'],
  ['accruals', 'accruals'],
  ['arrangement', 'arrangement'],
  ['accessConditions', 'accessrestrict'],
  ['reproductionConditions', 'userestrict'],
  ['physicalCharacteristics', 'phystech'],
  ['findingAids', 'otherfindaid'],
  ['locationOfOriginals', 'originalsloc'],
  ['locationOfCopies', 'altformavail'],
  ['relatedUnitsOfDescription', 'relatedmaterial'],
]);

/** What is said of the description itself, for those who keep it. */
const ofDescription: ReadonlyMap<string, string> = new Map([
  ['revisionHistory', 'Dates of creation, revision and deletion'],
  ['sources', 'Sources'],
  ['archivistNote', "Archivist's note"],
]);

/** The notes of a row; `physdesc` is the text of an extent that counts nothing. */
export function readNotes(row: AtomRow, publish: boolean, physdesc: string | undefined): readonly JsonObject[] {
  const multipart = (type: string, text: string, more: JsonObject = {}, isPublic = publish): JsonObject => ({
    jsonmodel_type: 'note_multipart',
    type,
    ...more,
    subnotes: textSubnotes(text, isPublic),
    publish: isPublic,
  });
  const notes = [...noteColumns].flatMap(([column, type]) => {
    const text = row.cell(column);
    return text === undefined ? [] : [multipart(type, text)];
  });
  const publication = row.cell('publicationNote');
  return [
    ...(physdesc === undefined ? [] : [singlepartNote('physdesc', physdesc, undefined, publish)]),
    ...notes,
    ...(publication === undefined
      ? []
      : [{ jsonmodel_type: 'note_bibliography', content: splitLongText(publication), publish }]),
    ...row.list('generalNote').map((text) => multipart('odd', text)),
    ...[...ofDescription].flatMap(([column, label]) => {
      const text = row.cell(column);
      return text === undefined ? [] : [multipart('processinfo', text, { label }, false)];
    }),
  ];
}

/** Languages of the material. Scripts go with the languages in the same places, or one with all of them. */
export function readLanguages(context: ReadingContext, row: AtomRow): readonly JsonObject[] {
  const languages = row.list('language').flatMap((text) => codeOf(context, row, 'language', languageList, text));
  const scripts = row.list('script').flatMap((text) => codeOf(context, row, 'script', scriptList, text));
  const fits = scripts.length <= 1 || scripts.length === languages.length;
  if (!fits || (languages.length === 0 && scripts.length > 0))
    context.report.dropText(row.line, 'script', scripts.join(', '), 'the languages that they belong to are not said');
  const note = row.cell('languageNote');
  return [
    ...languages.map((language, index) => {
      const script = fits ? (scripts[index] ?? scripts[0]) : undefined;
      return langMaterial({ language, ...(script === undefined ? {} : { script }) });
    }),
    ...(note === undefined
      ? []
      : [
          {
            jsonmodel_type: 'lang_material',
            notes: [
              {
                jsonmodel_type: 'note_langmaterial',
                type: 'langmaterial',
                content: splitLongText(note),
                publish: true,
              },
            ],
          },
        ]),
  ];
}

/** A language of material. */
export const langMaterial = (fields: JsonObject): JsonObject => ({
  jsonmodel_type: 'lang_material',
  language_and_script: { jsonmodel_type: 'language_and_script', ...fields },
});

const languageList = 'language_iso639_2';
const scriptList = 'script_iso15924';
const statuses: ReadonlyMap<string, string> = new Map([
  ['final', 'completed'],
  ['revised', 'completed'],
  ['draft', 'in_progress'],
]);

/** What a resource says of its description: language and script (that of the culture where none is given), rules, status. */
export function readFindingAid(context: ReadingContext, row: AtomRow): JsonObject {
  const fields: Record<string, Json> = {};
  const [language, ...others] = row
    .list('languageOfDescription')
    .flatMap((text) => codeOf(context, row, 'languageOfDescription', languageList, text));
  const [script, ...otherScripts] = row
    .list('scriptOfDescription')
    .flatMap((text) => codeOf(context, row, 'scriptOfDescription', scriptList, text));
  for (const [column, rest] of [
    ['languageOfDescription', others],
    ['scriptOfDescription', otherScripts],
  ] as const)
    if (rest.length > 0)
      context.report.dropText(row.line, column, rest.join(', '), 'a description has one; the first is kept');
  const culture = row.cell('culture');
  // The culture says nothing more where the language is given.
  const [spoken] =
    language !== undefined || culture === undefined ? [] : codeOf(context, row, 'culture', languageList, culture);
  fields['finding_aid_language'] = language ?? spoken ?? 'und';
  fields['finding_aid_script'] = script ?? 'Zyyy';
  const rules = row.cell('rules');
  const known =
    rules === undefined
      ? undefined
      : context.fixed('resource_finding_aid_description_rules', /^isad\b/i.test(rules) ? 'isadg' : rules);
  if (known !== undefined) fields['finding_aid_description_rules'] = known;
  else if (rules !== undefined) fields['finding_aid_note'] = rules;
  const status = row.cell('descriptionStatus');
  const kept = statuses.get(status?.toLowerCase() ?? '');
  if (kept !== undefined) fields['finding_aid_status'] = kept;
  else if (status !== undefined)
    context.report.dropTextOnce(row.line, 'descriptionStatus', status, 'no status of a finding aid');
  return fields;
}

/** Columns that only the top of a tree has a place for. */
export const ofResourceAlone: { readonly [column: string]: string } = {
  languageOfDescription: 'said of the description as a whole: only its top has a place for it',
  scriptOfDescription: 'said of the description as a whole: only its top has a place for it',
  rules: 'said of the description as a whole: only its top has a place for it',
  descriptionStatus: 'said of the description as a whole: only its top has a place for it',
};

function codeOf(context: ReadingContext, row: AtomRow, column: string, list: string, text: string): readonly string[] {
  const code = context.fixed(list, text);
  if (code === undefined) context.report.dropTextOnce(row.line, column, text, 'in no list of codes');
  return code === undefined ? [] : [code];
}
