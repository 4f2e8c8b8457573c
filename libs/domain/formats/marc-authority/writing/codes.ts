// Leader, 008 and 005 of MARC authority records, from the codes of the control record (MARC 21 Format for Authority Data).
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf } from '../../../json.ts';

type Codes = { readonly [value: string]: string };

/** Record status, leader position 5. */
export const statuses: Codes = {
  new: 'n',
  upgraded: 'a',
  revised_corrected: 'c',
  derived: 'n',
  deleted: 'd',
  cancelled_obsolete: 'o',
  deleted_split: 's',
  deleted_replaced: 'x',
  deleted_merged: 'x',
};
// Positions of 008 by number.
const romanization: Codes = {
  int_std: 'a',
  nat_std: 'b',
  nl_assoc_std: 'c',
  nl_bib_agency_std: 'd',
  local_standard: 'e',
  unknown_standard: 'f',
  conv_rom_cat_agency: 'g',
  not_applicable: 'n',
};
const languages: Codes = { eng: 'e', fre: 'f' };
const governments: Codes = {
  ngo: ' ',
  sac: 'a',
  multilocal: 'c',
  fed: 'f',
  int_gov: 'i',
  local: 'l',
  multistate: 'm',
  undetermined: 'o',
  provincial: 's',
  unknown: 'u',
  other: 'z',
};
const evaluations: Codes = { tr_consistent: 'a', tr_inconsistent: 'b', not_applicable: 'n' };
const nameTypes: Codes = { differentiated: 'a', undifferentiated: 'b', not_applicable: 'n' };
const levels: Codes = {
  fully_established: 'a',
  memorandum: 'b',
  provisional: 'c',
  preliminary: 'd',
  not_applicable: 'n',
};
const modified: Codes = { not_modified: ' ', shortened: 's', missing_characters: 'x' };
const sources: Codes = { nat_bib_agency: ' ', ccp: 'c', other: 'd', unknown: 'u' };

/** The leader: status, and whether the heading is fully established. */
export function leaderOf(agent: JsonObject): string {
  const record = objectsOf(agent, 'agent_record_controls')[0];
  const level = textOf(record, 'level_of_detail') === 'fully_established' ? 'n' : 'o';
  return `00000${statuses[textOf(record, 'maintenance_status') ?? 'new'] ?? 'n'}z  a2200000${level}i 4500`;
}

/** 008: forty characters; `|` where the control record has no code. */
export function fixedData(agent: JsonObject): string {
  const record = objectsOf(agent, 'agent_record_controls')[0];
  const code = (codes: Codes, property: string): string => codes[textOf(record, property) ?? ''] ?? '|';
  const created = objectsOf(agent, 'agent_maintenance_histories').find(
    (event) => textOf(event, 'maintenance_event_type') === 'created',
  );
  const day =
    /^\d\d(\d\d)-(\d\d)-(\d\d)/
      .exec(textOf(created, 'event_date') ?? '')
      ?.slice(1)
      .join('') ?? '000000';
  return `${day}n${code(romanization, 'romanization')}${code(languages, 'language')}aznnnaabn          ${code(governments, 'government_agency_type')}${code(evaluations, 'reference_evaluation')} a${code(nameTypes, 'name_type')}${code(levels, 'level_of_detail')}    ${code(modified, 'modified_record')}${code(sources, 'cataloging_source')}`;
}

/** 005: the latest maintenance event as YYYYMMDDhhmmss.f; undefined where there is none. */
export function latestTransaction(agent: JsonObject): string | undefined {
  const latest = objectsOf(agent, 'agent_maintenance_histories')
    .map((event) => textOf(event, 'event_date') ?? '')
    .filter((date) => /^\d{4}-\d\d-\d\d/.test(date))
    .toSorted()
    .at(-1);
  return latest === undefined
    ? undefined
    : `${latest
        .replace(/Z$|[+-]\d\d:?\d\d$/, '')
        .replace(/\D/g, '')
        .padEnd(14, '0')
        .slice(0, 14)}.0`;
}
