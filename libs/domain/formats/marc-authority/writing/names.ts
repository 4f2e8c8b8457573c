// Names of agents as headings and references of MARC authority records: 1xx, 4xx, 5xx (contract behaviour-exports 5).
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf } from '../../../json.ts';
import { displayName } from '../../writing/context.ts';
import type { Field, Subfield } from '../../marc/writing/fields.ts';
import { field } from '../../marc/writing/fields.ts';

/** The heading, then the other names and all parallel forms. The display name stands in where none is authorized. */
export function nameFields(agent: JsonObject): readonly Field[] {
  const model = textOf(agent, 'jsonmodel_type') ?? '';
  const names = objectsOf(agent, 'names');
  const heading =
    names.find((name) => name['authorized'] === true) ??
    names.find((name) => name['is_display_name'] === true) ??
    names[0];
  const others = names.filter((name) => name !== heading);
  const parallels = names.flatMap((name) => objectsOf(name, 'parallel_names'));
  return [
    ...(heading === undefined ? [] : [nameField(model, '1', heading)]),
    ...[...others, ...parallels].map((name) => nameField(model, '4', name)),
  ];
}

/** A related agent as 5xx: $w and $i first, as the relation says. Software has no heading among those of authorities. */
export function relatedField(agent: JsonObject, relation: readonly Subfield[]): readonly Field[] {
  const name = displayName(agent);
  if (name === undefined || textOf(agent, 'jsonmodel_type') === 'agent_software') return [];
  const heading = nameField(textOf(agent, 'jsonmodel_type') ?? '', '5', name);
  return [{ ...heading, subfields: [...relation, ...heading.subfields] }];
}

function nameField(model: string, group: string, name: JsonObject): Field {
  const of = (property: string): string | undefined => textOf(name, property);
  if (model === 'agent_person') {
    const isDirect = of('name_order') === 'direct';
    const parts = [of('primary_name'), of('rest_of_name')].filter((part) => part !== undefined);
    const whole = parts.join(isDirect ? ' ' : ', ');
    return field(
      `${group}00`,
      `${isDirect ? '0' : '1'} `,
      ['a', whole],
      ['b', of('number')],
      // As clients know it: prefix and suffix are in no field.
      ['c', of('title')],
      ['d', of('dates')],
      ['g', of('qualifier')],
      ['q', of('fuller_form')],
    );
  }
  if (model === 'agent_family') return field(`${group}00`, '3 ', ...familyParts(name));
  // X11 has no $b.
  const isMeeting = name['conference_meeting'] === true;
  const unit = isMeeting ? 'e' : 'b';
  return field(
    `${group}${isMeeting ? '11' : '10'}`,
    '2 ',
    ['a', of('primary_name')],
    [unit, of('subordinate_name_1')],
    [unit, of('subordinate_name_2')],
    ['n', of('number')],
    ['d', of('dates')],
    ['c', of('location')],
    ['g', of('qualifier')],
  );
}

/** A family with its kind in brackets, and what tells it from others behind colons: `Berry family (Dynasty : 1900-1950 : Paris)`. */
function familyParts(name: JsonObject): readonly Subfield[] {
  const of = (property: string): string | undefined => textOf(name, property);
  const whole = [of('prefix'), of('family_name')].filter((part) => part !== undefined).join(' ');
  const type = of('family_type');
  const further = (
    [
      ['d', of('dates')],
      ['c', of('location')],
      ['g', of('qualifier')],
    ] satisfies Subfield[]
  ).flatMap(([code, text]): readonly (readonly [string, string])[] =>
    code === undefined || text === undefined ? [] : [[code, text]],
  );
  if (type === undefined) return [['a', whole], ...further];
  const all: readonly (readonly [string, string])[] = [['a', `${whole} (${type}`], ...further];
  return all.map(([code, text], index) => [code, index === all.length - 1 ? `${text})` : `${text} :`]);
}
