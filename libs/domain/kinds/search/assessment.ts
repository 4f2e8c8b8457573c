// The fields of the search documents of assessments (contract: behaviour-search.md section 9, `assessment`).
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import type { SearchField, SearchFields } from '../../search/declaration.ts';
import { list, nameOf, readYears, refOf, truth } from '../../search/documents/reading.ts';

const texts = (read: (record: JsonObject) => readonly Json[]): SearchField => ({
  type: 'string',
  isMulti: true,
  read: (record) => list(read(record)),
});

const named = (property: string): SearchField => texts((record) => objectsOf(record, property).flatMap(nameOf));
const shown = (property: string): SearchField => texts((record) => objectsOf(record, property).flatMap(shownNameOf));
const uris = (property: string): SearchField => texts((record) => objectsOf(record, property).flatMap(refOf));
const labels = (property: string, isSet: (one: JsonObject) => boolean): SearchField =>
  texts((record) =>
    objectsOf(record, property)
      .filter(isSet)
      .flatMap((one) => textOf(one, 'label') ?? []),
  );
// Later releases carry the flags as false rather than missing (precedence.md).
const flag = (property: string): SearchField => ({
  type: 'boolean',
  read: (record) => truth(record, property) ?? false,
});
const day = (property: string): SearchField => ({ type: 'date', read: (record) => dayStart(textOf(record, property)) });

/** The fields of assessments. They sort by number. */
export const assessmentFields: SearchFields = {
  title: { read: (record) => textOf(record, 'display_string') },
  title_sort: { read: (record) => idOf(record)?.padStart(10, '0') },
  assessment_id: {
    type: 'int',
    read: (record) => {
      const id = idOf(record);
      return id === undefined ? undefined : Number(id);
    },
  },
  assessment_records: shown('records'),
  assessment_record_uris: uris('records'),
  assessment_record_types: texts((record) =>
    objectsOf(record, 'records').flatMap((link) => textOf(objectOf(link, '_resolved'), 'jsonmodel_type') ?? []),
  ),
  assessment_collections: shown('collections'),
  assessment_collection_uris: uris('collections'),
  assessment_surveyors: named('surveyed_by'),
  assessment_surveyor_uris: uris('surveyed_by'),
  assessment_reviewers: named('reviewer'),
  assessment_reviewer_uris: uris('reviewer'),
  assessment_survey_begin: day('survey_begin'),
  assessment_survey_end: day('survey_end'),
  assessment_survey_year: {
    type: 'int',
    isMulti: true,
    read: (record) => list(readYears([{ begin: textOf(record, 'survey_begin'), end: textOf(record, 'survey_end') }])),
  },
  assessment_completed: { type: 'boolean', read: (record) => textOf(record, 'survey_end') !== undefined },
  assessment_review_required: flag('review_required'),
  assessment_sensitive_material: flag('sensitive_material'),
  assessment_inactive: flag('inactive'),
  assessment_formats: labels('formats', hasValue),
  assessment_ratings: labels('ratings', (one) => hasValue(one) || (textOf(one, 'note') ?? '') !== ''),
  assessment_conservation_issues: labels('conservation_issues', hasValue),
};

const idOf = (record: JsonObject): string | undefined => /\d+$/.exec(textOf(record, 'uri') ?? '')?.[0];

function hasValue(one: JsonObject): boolean {
  return (textOf(one, 'value') ?? '') !== '';
}

/** The display string of the record a link points to, else its name. */
function shownNameOf(link: JsonObject): readonly string[] {
  const text = textOf(objectOf(link, '_resolved'), 'display_string') ?? '';
  return text === '' ? nameOf(link) : [text];
}

function dayStart(date: string | undefined): string | undefined {
  return date === undefined ? undefined : `${date}T00:00:00Z`;
}
