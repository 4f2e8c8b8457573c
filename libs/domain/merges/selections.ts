// Field choices of a detailed agent merge: what of the candidate comes into the agent that stays (contract trees-and-jobs 4.5). Pure; the
// combined record is checked like any update before anything is merged.
import { isGiven } from '../checking/content.ts';
import { classOf, wrongType } from '../checking/wording.ts';
import { fail } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';
import { subrecords } from '../subrecords/index.ts';

/** The combined record, the choices in the flat form of the answer, and how many there were. */
export type Combined = {
  readonly record: JsonObject;
  readonly selections: { readonly [path: string]: 'REPLACE' };
  readonly count: number;
};

type Choice = {
  readonly section: string;
  readonly index: number;
  readonly instruction: string;
  readonly position: number;
};

const chosen = 'REPLACE';
// Of a section's entries one alone may have these flags, and the agent that stays has it already.
const flags: { readonly [section: string]: readonly string[] } = {
  names: ['authorized', 'is_display_name'],
  agent_record_identifiers: ['primary_identifier'],
};

function choicesOf(selections: JsonObject): readonly Choice[] {
  return Object.entries(selections).flatMap(([section, elements]) =>
    elementsOf(section, elements).flatMap((element: Json, index) => {
      if (!isGiven(element)) return [];
      if (!isObject(element)) throw misshapen(`${section}/${index}`, 'object', element);
      const position = Math.trunc(Number(element['position'] ?? 0));
      return Object.entries(element).flatMap(([instruction, value]) =>
        instruction !== 'position' && value === chosen ? [{ section, index, instruction, position }] : [],
      );
    }),
  );
}

/** The choices of a section, by place. Of a section that is no list nothing would be taken, and the candidate would be gone all the same. */
function elementsOf(section: string, elements: Json | undefined): readonly Json[] {
  if (Array.isArray(elements)) return elements;
  if (isGiven(elements)) throw misshapen(section, 'array', elements);
  return [];
}

const misshapen = (path: string, wanted: string, given: Json | undefined): Error =>
  fail('bad_parameter', { selections: [`${path}: ${wrongType([wanted], classOf(given))}`] });

const isWhole = ({ instruction }: Choice): boolean => instruction === 'append' || instruction === 'replace';

/**
 * Applies choices to the record that stays. Whole sub-records come first, then fields. A position beyond the end is the last sub-record; a
 * note is taken by its index. Fails with `bad_parameter` on `selections` where a choice names what is not there, and where choices are not in lists.
 */
export function combine(survivor: JsonObject, candidate: JsonObject, selections: JsonObject): Combined {
  const choices = choicesOf(selections);
  const ordered = [...choices.filter(isWhole), ...choices.filter((choice) => !isWhole(choice))];
  const record = ordered.reduce((body, choice) => apply(body, candidate, choice), survivor);
  const flat = Object.fromEntries(
    choices.map(
      ({ section, index, instruction, position }) =>
        [`${section}.${index}.${instruction}.${position}`, chosen] as const,
    ),
  );
  return { record, selections: flat, count: choices.length };
}

function apply(body: JsonObject, candidate: JsonObject, choice: Choice): JsonObject {
  const { section, index, instruction, position } = choice;
  if (!Number.isInteger(position)) throw broken(choice);
  // Relations between agents are links: the merge moves them all.
  if (section === 'related_agents') return body;
  const [own, theirs] = [listOf(body, section, choice), listOf(candidate, section, choice)];
  const isNote = section === 'notes';
  const taken = isNote && isWhole(choice) ? theirs[index] : (theirs[position] ?? theirs.at(-1));
  if (!isObject(taken)) throw broken(choice);
  if (instruction === 'append' || (isNote && instruction === 'replace'))
    return { ...body, [section]: [...own, withFlags(section, taken, () => false)] };
  const present = own[index];
  if (!isObject(present) || (instruction !== 'replace' && !hasField(present, instruction))) throw broken(choice);
  const next =
    instruction === 'replace'
      ? withFlags(section, taken, (flag) => present[flag])
      : { ...present, [instruction]: taken[instruction] };
  return { ...body, [section]: own.with(index, next) };
}

/** Whether parts of this sort have a field, filled or not. Of another nothing would be taken, and the candidate would be gone all the same. */
const hasField = (part: JsonObject, field: string): boolean =>
  Object.hasOwn(part, field) ||
  Object.hasOwn(subrecords.get(textOf(part, 'jsonmodel_type') ?? '')?.properties ?? {}, field);

function listOf(body: JsonObject, section: string, choice: Choice): readonly Json[] {
  const value = body[section];
  if (!Array.isArray(value)) throw broken(choice);
  return value;
}

function withFlags(section: string, part: JsonObject, flag: (name: string) => Json | undefined): JsonObject {
  return { ...part, ...Object.fromEntries((flags[section] ?? []).map((name) => [name, flag(name)])) };
}

function broken({ section, index, instruction, position }: Choice): Error {
  return fail('bad_parameter', { selections: [`${section}.${index}.${instruction}.${position}: nothing is there`] });
}
