// MARC authority record of a person, family or corporate entity (contract behaviour-exports 5).
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf } from '../../../json.ts';
import type { ExportContext } from '../../writing/context.ts';
import { resolvedOf } from '../../writing/context.ts';
import type { Field, Subfield } from '../../marc/writing/fields.ts';
import { field, marcXml } from '../../marc/writing/fields.ts';
import { noteTexts } from '../../writing/note-text.ts';
import { publishedPart } from '../../writing/published.ts';
import { fixedData, latestTransaction, leaderOf } from './codes.ts';
import { factFields } from './facts.ts';
import { nameFields, relatedField } from './names.ts';

/** The document, ended by a newline. Related agents and subjects of the parts are resolved. Contacts are never written. */
export function agentMarc(agent: JsonObject, context: ExportContext): string {
  const shown = context.includesUnpublished ? agent : publishedPart(agent);
  const control = objectsOf(shown, 'agent_record_controls')[0];
  return marcXml({
    leader: leaderOf(shown),
    control: [
      ['001', identifierOf(shown, context)],
      ['003', textOf(control, 'maintenance_agency')],
      ['005', latestTransaction(shown)],
      ['008', fixedData(shown)],
    ],
    fields: [
      ...identifierFields(shown),
      field(
        '040',
        '  ',
        ['a', textOf(control, 'maintenance_agency')],
        ['b', textOf(control, 'language')],
        ['e', textOf(objectsOf(shown, 'agent_conventions_declarations')[0], 'name_rule')],
      ),
      ...factFields(shown, context),
      ...nameFields(shown),
      ...objectsOf(shown, 'related_agents').flatMap((link) => {
        const related = resolvedOf(link);
        return related === undefined ? [] : relatedField(related, relationOf(link, context));
      }),
      ...objectsOf(shown, 'agent_sources').map((source) =>
        field(
          '670',
          '  ',
          ['a', textOf(source, 'source_entry')],
          ['b', textOf(source, 'descriptive_note')],
          ['u', textOf(source, 'file_uri')],
        ),
      ),
      ...objectsOf(shown, 'notes')
        .filter((note) => textOf(note, 'jsonmodel_type') === 'note_bioghist')
        .map(biography),
    ],
  });
}

/** What names the record in 001: its own identifier, one of the entity, of its name, else its address. */
function identifierOf(agent: JsonObject, { publicUrl }: ExportContext): string {
  return (
    textOf(objectsOf(agent, 'agent_record_identifiers')[0], 'record_identifier') ??
    textOf(objectsOf(agent, 'agent_identifiers')[0], 'entity_identifier') ??
    objectsOf(agent, 'names')
      .map((name) => textOf(name, 'authority_id'))
      .find((id) => id !== undefined) ??
    `${publicUrl}${textOf(agent, 'uri')}`
  );
}

/**
 * Numbers by their type (contract, exports 5), and where that does not tell, as of numbers that were imported, by their source: 010 and 016 of libraries,
 * 024 of another scheme, 035 of none. A number without a type that 001 says is not said again in 035.
 */
function identifierFields(agent: JsonObject): readonly Field[] {
  const identifiers = objectsOf(agent, 'agent_record_identifiers');
  // `(DLC)` stands before numbers of the Library of Congress in 035.
  const isOfCongress = (identifier: JsonObject): boolean =>
    textOf(identifier, 'identifier_type') === 'loc' &&
    textOf(identifier, 'record_identifier')?.startsWith('(DLC)') !== true;
  const ofCongress = identifiers.find(isOfCongress);
  return identifiers.flatMap((identifier, index) => {
    const [type, text, source] = [
      textOf(identifier, 'identifier_type'),
      textOf(identifier, 'record_identifier'),
      textOf(identifier, 'source'),
    ];
    // 010 is not repeatable.
    if (isOfCongress(identifier)) return identifier === ofCongress ? [field('010', '  ', ['a', text])] : [];
    if (type === 'lac' || source === 'lac') return [field('016', '7 ', ['a', text], ['2', source])];
    const isOfScheme = source !== undefined && source !== 'local';
    if (type === undefined ? isOfScheme : type !== 'loc' && (type !== 'local' || isOfScheme))
      return [field('024', '7 ', ['a', text], ['2', source])];
    return index === 0 && type === undefined ? [] : [field('035', '  ', ['a', text])];
  });
}

/** $w by relator or by the word of the specific relator: what the related heading is to this one. */
const relationCodes: { readonly [relator: string]: string } = {
  is_later_form_of: 'a',
  is_earlier_form_of: 'b',
  Acronym: 'd',
  'Musical composition': 'f',
  'Broader term': 'g',
  'Narrower term': 'h',
  is_subordinate_to: 'g',
  is_superior_of: 'h',
};

function relationOf(link: JsonObject, context: ExportContext): readonly Subfield[] {
  const [specific, relator] = [textOf(link, 'specific_relator'), textOf(link, 'relator')];
  const list = (textOf(link, 'jsonmodel_type') ?? '').concat('_relator');
  const words =
    specific === undefined
      ? context.label(list, relator ?? '')
      : context.label('agent_relationship_specific_relator', specific);
  return [
    ['w', relationCodes[specific ?? ''] ?? relationCodes[relator ?? ''] ?? 'r'],
    ['i', words],
  ];
}

function biography(note: JsonObject): Field {
  const subnotes = objectsOf(note, 'subnotes');
  const isAbstract = (subnote: JsonObject): boolean => textOf(subnote, 'jsonmodel_type') === 'note_abstract';
  return field(
    '678',
    '  ',
    ['a', subnotes.filter(isAbstract).flatMap(noteTexts).join(' ')],
    ['b', noteTexts({ subnotes: subnotes.filter((subnote) => !isAbstract(subnote)) }).join(' ')],
  );
}
