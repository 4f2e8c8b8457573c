// The choice that a custom_report_template holds as JSON text (contract trees-and-jobs 7.4), read against what custom reports may show.
// Names of a template are looked up in the catalogue and never go further; its values are values.
import { fail } from '../errors.ts';
import { largestInt4 } from '../int4.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../json.ts';
import { isIncluded } from '../kinds/custom_report_template.ts';
import { kinds } from '../kinds/index.ts';
import { readDate } from '../dates/lenient-date.ts';
import { RightsStatement } from '../subrecords/rights-statement.ts';
import { saysYes } from './choice.ts';

/** What reports show of a type of record: GET /reports/custom_data, by record type. `global` are fields of every type. */
export type CustomCatalogue = JsonObject;

/** A condition of a field: texts that it may be, or values of its controlled list by id, a flag, or days between which it lies (exclusive). */
export type CustomFilter =
  | { readonly by: 'texts'; readonly texts: readonly string[] }
  | { readonly by: 'value_ids'; readonly list: string; readonly ids: readonly number[] }
  | { readonly by: 'flag'; readonly flag: boolean }
  | { readonly by: 'days'; readonly from: string; readonly to: string };

/** A field that is shown, filtered by, or both. Its name is one of the catalogue. */
type CustomField = { readonly name: string; readonly isShown: boolean; readonly filter: CustomFilter | null };

/** What is to be reported. All names are of the catalogue. `leftOut` tells in words what the template names and nothing has. */
export type CustomChoice = {
  readonly recordType: string;
  readonly fields: readonly CustomField[];
  /** Parts (`subreports`): name and code of each. */
  readonly parts: readonly { readonly name: string; readonly code: string }[];
  readonly sortBy: string | null;
  readonly limit: number;
  readonly leftOut: readonly string[];
};

const wrong = (message: string): Error => fail('bad_parameter', { template: [message] });
const shown = (name: string): string => JSON.stringify(name.slice(0, 100));

/** Reads the `data` of a template. Fails with `bad_parameter` where it can be no report. */
export function readCustomChoice(data: string, limit: number, catalogue: CustomCatalogue): CustomChoice {
  const choice = parsed(data);
  const recordType = textOf(choice, 'custom_record_type') ?? '';
  const known =
    recordType !== 'global' && Object.hasOwn(catalogue, recordType) ? objectOf(catalogue, recordType) : undefined;
  if (known === undefined) throw wrong(`There are no custom reports of ${shown(recordType)}`);
  const fields = new Map(
    [...objectsOf(known, 'fields'), ...objectsOf(objectOf(catalogue, 'global'), 'fields')].map((field) => [
      textOf(field, 'name') ?? '',
      field,
    ]),
  );
  const parts = new Map(
    objectsOf(known, 'subreports').map((part) => [textOf(part, 'name') ?? '', textOf(part, 'code') ?? '']),
  );
  const leftOut: string[] = [];
  const chosenFields = Object.entries(objectOf(choice, 'fields') ?? {}).flatMap(
    ([name, given]): readonly CustomField[] => {
      const field = fields.get(name);
      if (field === undefined) leftOut.push(`${shown(name)} is no field of ${recordType}`);
      if (field === undefined || !isObject(given)) return [];
      return [
        {
          name,
          isShown: isIncluded(given),
          filter: filterOf(recordType, name, textOf(field, 'data_type') ?? '', given),
        },
      ];
    },
  );
  const chosenParts = Object.entries(objectOf(choice, 'subreports') ?? {}).flatMap(([name, given]) => {
    const code = parts.get(name);
    if (code === undefined) leftOut.push(`${shown(name)} is no part of ${recordType}`);
    return code === undefined || !isIncluded(given) ? [] : [{ name, code }];
  });
  if (!chosenFields.some((field) => field.isShown) && chosenParts.length === 0)
    throw wrong('The template shows no field and no part that there is');
  const sortBy = textOf(choice, 'sort_by') ?? '';
  const isSortable = fields.get(sortBy)?.['sortable'] === true;
  if (sortBy !== '' && !isSortable) leftOut.push(`${recordType} cannot be sorted by ${shown(sortBy)}`);
  return {
    recordType,
    fields: chosenFields,
    parts: chosenParts,
    sortBy: isSortable ? sortBy : null,
    limit: Math.min(Math.max(0, limit), largestInt4),
    leftOut,
  };
}

function parsed(data: string): JsonObject {
  try {
    const value: unknown = JSON.parse(data);
    if (isObject(value)) return value;
  } catch {
    // Told below, in the same words.
  }
  throw wrong('The data of the template is no JSON object');
}

const textsIn = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .map(String)
    .filter((text) => text !== '');

/** The controlled list of a field. The catalogue names few of them, and clients have it as it is: the declarations know all. */
function listOf(recordType: string, name: string): string {
  const properties = recordType === 'rights_statement' ? RightsStatement.properties : kinds.get(recordType)?.properties;
  const property = properties?.[name];
  if (property?.type !== 'string' || property.enumeration === undefined)
    throw new Error(`${recordType} has no controlled list for ${name}`);
  return property.enumeration;
}

/** The condition of a field; null where its type has none or nothing is given. */
function filterOf(recordType: string, name: string, dataType: string, given: JsonObject): CustomFilter | null {
  if (dataType === 'Boolean') {
    const value = given['value'];
    return value === undefined || value === null || value === '' ? null : { by: 'flag', flag: saysYes(value) };
  }
  if (dataType === 'Date') {
    const [from, to] = [textOf(given, 'range_start') ?? '', textOf(given, 'range_end') ?? ''];
    if (from === '' && to === '') return null;
    const days = { from: readDate(from), to: readDate(to) };
    if (days.from === null || days.to === null) throw wrong(`The range of ${name} needs two dates`);
    return { by: 'days', from: days.from, to: days.to };
  }
  const texts = textsIn(given['values']);
  if (texts.length === 0) return null;
  // What is no id is that of no value.
  if (dataType === 'Enum')
    return {
      by: 'value_ids',
      list: listOf(recordType, name),
      ids: texts.filter((text) => /^\d{1,9}$/.test(text)).map(Number),
    };
  return dataType === 'User' || dataType === 'AgentType' ? { by: 'texts', texts } : null;
}
