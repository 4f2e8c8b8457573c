// What is known of an agent as fields of MARC authority records: dates, places, fields of activity, occupations, genders, languages.
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { ExportContext } from '../../writing/context.ts';
import { subjectsOf } from '../../writing/context.ts';
import type { Field, Subfield } from '../../marc/writing/fields.ts';
import { field } from '../../marc/writing/fields.ts';

/** Subfield of 370 by role of a place. */
export const placeCodes: { readonly [role: string]: string } = {
  place_of_birth: 'a',
  place_of_death: 'b',
  assoc_country: 'c',
  residence: 'e',
  other_assoc: 'f',
};

/** The fields 046 and 370 to 377. */
export function factFields(agent: JsonObject, context: ExportContext): readonly Field[] {
  const isPerson = textOf(agent, 'jsonmodel_type') === 'agent_person';
  const [birth, death] = isPerson ? ['f', 'g'] : ['s', 't'];
  return [
    ...objectsOf(agent, 'dates_of_existence').map((date) =>
      field('046', '  ', ...dated([date], birth ?? 's', death ?? 't')),
    ),
    ...objectsOf(agent, 'agent_places').flatMap((place) =>
      headings('370', placeCodes[textOf(place, 'place_role') ?? ''] ?? 'f', place),
    ),
    ...objectsOf(agent, isPerson ? 'agent_topics' : 'agent_functions').flatMap((part) => headings('372', 'a', part)),
    ...objectsOf(agent, 'agent_occupations').flatMap((part) => headings('374', 'a', part)),
    ...(isPerson
      ? objectsOf(agent, 'agent_genders').map((gender) =>
          field(
            '375',
            '  ',
            ['a', context.label('gender', textOf(gender, 'gender') ?? '')],
            ...dated(objectsOf(gender, 'dates')),
          ),
        )
      : []),
    ...objectsOf(agent, 'used_languages').flatMap((used) =>
      textOf(used, 'language') === undefined
        ? []
        : [field('377', ' 7', ['a', textOf(used, 'language')], ['2', 'iso639-2b'])],
    ),
  ];
}

/** A field for each subject of a part, with the first dates of the part, its id and its source. */
function headings(tag: string, code: string, part: JsonObject): readonly Field[] {
  return subjectsOf(part).map((subject) =>
    field(
      tag,
      '  ',
      [code, textOf(subject, 'title')],
      ...dated(objectsOf(part, 'dates')),
      ['0', textOf(subject, 'authority_id')],
      ['2', textOf(subject, 'source')],
    ),
  );
}

/** Begin and end of the first date. */
function dated(dates: readonly JsonObject[], begin = 's', end = 't'): readonly Subfield[] {
  const date = dates[0];
  const [single, range] = [objectOf(date, 'structured_date_single'), objectOf(date, 'structured_date_range')];
  if (range !== undefined)
    return [
      [begin, textIn(range, 'begin_date')],
      [end, textIn(range, 'end_date')],
    ];
  return [[textOf(single, 'date_role') === 'end' ? end : begin, textIn(single, 'date')]];
}

const textIn = (date: JsonObject | undefined, prefix: string): string | undefined =>
  textOf(date, `${prefix}_expression`) ?? textOf(date, `${prefix}_standardized`);
