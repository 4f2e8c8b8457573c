// MARC21 of resources and archival objects: leader, 008 and the fields of what describes them (contract behaviour-exports 4).
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { ExportContext } from '../../writing/context.ts';
import { dateText, identifierOf } from '../../writing/context.ts';
import { codedLanguages } from '../../writing/note-text.ts';
import { publishedPart } from '../../writing/published.ts';
import { marcCountries } from './countries.ts';
import type { Field, Subfield } from './fields.ts';
import { field, marcXml } from './fields.ts';
import { agentFields } from './names.ts';
import { languageNoteFields, notesAsFields } from './notes.ts';
import { subjectFields } from './subjects.ts';

/**
 * MARCXML of a resource with agents, subjects (their terms) resolved; context.repository is its repository. A whole document, ended by a
 * newline.
 */
export function resourceMarc(resource: JsonObject, context: ExportContext): string {
  const shown = context.includesUnpublished ? resource : publishedPart(resource);
  return marcXml({
    leader: leaderOf(shown),
    control: [['008', fixedData(shown, context)]],
    fields: [
      ...describedFields(resource, shown, context),
      field('099', '  ', ['a', identifierOf(shown, '.')]),
      ...notesAsFields(shown),
      ...addressFields(shown),
    ],
  });
}

/** MARCXML of an archival object, for harvesters: the fields that tell what it is, without notes, identifier and addresses. Input as resourceMarc. */
export function archivalObjectMarc(component: JsonObject, context: ExportContext): string {
  const shown = context.includesUnpublished ? component : publishedPart(component);
  return marcXml({
    leader: leaderOf(shown),
    control: [['008', fixedData(shown, context)]],
    fields: [...describedFields(component, shown, context), ...languageNoteFields(shown)],
  });
}

function describedFields(record: JsonObject, shown: JsonObject, context: ExportContext): readonly Field[] {
  const { repository } = context;
  const agency = textOf(repository ?? undefined, 'org_code');
  return [
    field(
      '040',
      '  ',
      ['a', agency],
      ['b', textOf(shown, 'finding_aid_language')],
      ['c', agency],
      ['e', textOf(shown, 'finding_aid_description_rules')],
    ),
    field('041', '  ', ...languagesOf(shown).map((language): Subfield => ['a', language])),
    field('049', '  ', ['a', agency]),
    ...agentFields(shown, context),
    titleField(record, shown),
    ...objectsOf(shown, 'extents').map((extent) => extentField(extent, context)),
    ...subjectFields(shown),
    holdingField(repository),
  ];
}

const leaderOf = (record: JsonObject): string =>
  `00000np${textOf(record, 'level') === 'item' ? 'm' : 'c'}aa2200000 u 4500`;

/** The languages of a record, each once: one that is in two scripts is an entry for each of them. */
const languagesOf = (record: JsonObject): readonly string[] => [
  ...new Set(codedLanguages(record).flatMap((language) => textOf(language, 'language') ?? [])),
];

/** MARC 21 008 of bibliographic records: forty characters. */
function fixedData(record: JsonObject, { repository }: ExportContext): string {
  const day = (textOf(record, 'system_mtime') ?? '').replaceAll('-', '').slice(2, 8).padEnd(6, '0');
  const date = objectsOf(record, 'dates')[0];
  const year = (property: string): string => /^\d{4}/.exec(textOf(date, property) ?? '')?.[0] ?? '    ';
  const isSingle = textOf(date, 'date_type') === 'single';
  const country = marcCountries[textOf(repository ?? undefined, 'country') ?? ''] ?? 'xx';
  const languages = languagesOf(record);
  const [language = 'mul'] = languages.length === 1 ? languages : [];
  return `${`${day}${isSingle ? 's' : 'i'}${year('begin')}${year('end')}${country}`.padEnd(35)}${language} d`;
}

/** 245; the first indicator tells of a creator even where that one is not published and has no field. */
function titleField(record: JsonObject, shown: JsonObject): Field {
  const dates = objectsOf(shown, 'dates');
  const first = (isBulk: boolean): string | undefined =>
    dates
      .filter((date) => isBulk === (textOf(date, 'date_type') === 'bulk'))
      .map(dateText)
      .find((text) => text !== undefined);
  const [inclusive, bulk] = [first(false), first(true)];
  const title = textOf(shown, 'title') ?? '';
  const hasCreator = objectsOf(record, 'linked_agents').some((link) => textOf(link, 'role') === 'creator');
  return field(
    '245',
    `${hasCreator ? '1' : '0'}0`,
    ['a', title !== '' && (inclusive ?? bulk) !== undefined && !title.endsWith(',') ? `${title},` : title],
    ['f', inclusive],
    ['g', bulk],
  );
}

function extentField(extent: JsonObject, context: ExportContext): Field {
  const summary = textOf(extent, 'container_summary');
  const type = context.label('extent_extent_type', textOf(extent, 'extent_type') ?? '');
  return field(
    '300',
    '  ',
    ['a', textOf(extent, 'number')],
    ['f', summary === undefined ? type : `${type} (${summary})`],
  );
}

function holdingField(repository: JsonObject | null): Field {
  const of = (property: string): string | undefined => textOf(repository ?? undefined, property);
  const parent = of('parent_institution_name');
  return parent === undefined
    ? field('852', '  ', ['a', of('org_code') ?? of('name')])
    : field('852', '  ', ['a', parent], ['b', of('name')]);
}

/** 856: the finding aid and the ARK share one field, as the reference has it. */
function addressFields(resource: JsonObject): readonly Field[] {
  const [location, ark] = [textOf(resource, 'ead_location'), textOf(objectOf(resource, 'ark_name'), 'current')];
  const subfields: readonly Subfield[] = [
    ...(location === undefined
      ? []
      : ([
          ['z', 'Finding aid online:'],
          ['u', location],
        ] satisfies Subfield[])),
    ...(ark === undefined
      ? []
      : ([
          ['z', 'Archival Resource Key:'],
          ['u', ark],
        ] satisfies Subfield[])),
  ];
  return [field('856', '42', ...subfields)];
}
