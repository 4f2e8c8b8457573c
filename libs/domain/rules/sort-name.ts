// The sort name of an agent's name, made of its parts in the order of the field (contract 3.5).
import type { JsonObject } from '../json.ts';
import { objectOf, textOf } from '../json.ts';
import { withYearFirst } from '../dates/rules.ts';

/** The kinds of agents, which are also the kinds of names. */
export type AgentKind = 'agent_person' | 'agent_family' | 'agent_corporate_entity' | 'agent_software';

const longestSortName = 255;

/** Adds `before + part + after` for each part that is present. */
function join(
  name: JsonObject,
  parts: readonly (readonly [before: string, property: string, after?: string])[],
): string {
  return parts
    .map(([before, property, after]) => {
      const text = textOf(name, property);
      return text === undefined ? '' : `${before}${text}${after ?? ''}`;
    })
    .join('');
}

function personHead(name: JsonObject): string {
  const primary = textOf(name, 'primary_name') ?? '';
  const rest = textOf(name, 'rest_of_name');
  if (rest === undefined) return primary;
  return textOf(name, 'name_order') === 'direct' ? `${rest} ${primary}` : `${primary}, ${rest}`;
}

const makers: { readonly [kind in AgentKind]: (name: JsonObject) => string } = {
  agent_person: (name) =>
    personHead(name) +
    join(name, [
      [', ', 'prefix'],
      [', ', 'suffix'],
      [', ', 'title'],
      [', ', 'number'],
      [' (', 'fuller_form', ')'],
      [', ', 'dates'],
      [' (', 'qualifier', ')'],
    ]),
  agent_family: (name) =>
    join(name, [
      ['', 'family_name'],
      [', ', 'prefix'],
      [' (', 'qualifier', ')'],
      [' (', 'dates', ')'],
      [' (', 'location', ')'],
    ]),
  agent_corporate_entity: (name) =>
    join(name, [
      ['', 'primary_name'],
      ['. ', 'subordinate_name_1'],
      ['. ', 'subordinate_name_2'],
      [', ', 'number'],
      [' (', 'qualifier', ')'],
      [' (', 'dates', ')'],
      [' (', 'location', ')'],
    ]),
  agent_software: (name) =>
    join(name, [
      ['', 'manufacturer', ' '],
      ['', 'software_name'],
      [' ', 'version'],
      [' (', 'qualifier', ')'],
      [', ', 'dates'],
    ]),
};

/**
 * The sort name of a name of an agent of the given kind, at most 255 characters. `existence` is the text of the agent's
 * first date of existence (existenceText), for the display name of a person or software that has no dates of its own.
 */
export function sortNameOf(kind: AgentKind, name: JsonObject, existence = ''): string {
  const shown = existence !== '' && (kind === 'agent_person' || kind === 'agent_software') ? ` (${existence})` : '';
  return [...`${makers[kind](name)}${shown}`.trimStart()].slice(0, longestSortName).join('');
}

// English words of the list date_standardized_type, which cannot be edited (contract labels.en.json).
const typeLabels: { readonly [type: string]: string } = { not_before: 'Not Before', not_after: 'Not After' };

function yearText(date: JsonObject, property: string): string | undefined {
  const year = withYearFirst(textOf(date, property) ?? '').split('-')[0];
  if (year === undefined || year === '') return undefined;
  const label = typeLabels[textOf(date, `${property}_type`) ?? ''];
  return label === undefined ? year : `${label} ${year}`;
}

/** The text of a structured date in a sort name: expressions before years, a range with a hyphen. Empty where it has neither. */
export function existenceText(date: JsonObject): string {
  const single = objectOf(date, 'structured_date_single');
  if (single !== undefined) return textOf(single, 'date_expression') ?? yearText(single, 'date_standardized') ?? '';
  const range = objectOf(date, 'structured_date_range');
  if (range === undefined) return '';
  const begin = textOf(range, 'begin_date_expression');
  if (begin !== undefined)
    return [begin, textOf(range, 'end_date_expression')].filter((part) => part !== undefined).join('-');
  return [yearText(range, 'begin_date_standardized'), yearText(range, 'end_date_standardized')]
    .filter((part) => part !== undefined)
    .join('-');
}
