// What a report job asks of its report (contract trees-and-jobs 7.3): its parameters, read by their declared types.
import { fail } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';
import { readDate } from '../dates/lenient-date.ts';
import { parseUri } from '../addresses.ts';
import type { Report } from './reports.ts';

/** Which locations: those of a building, those that a repository owns, one, or those from one to another. */
export type LocationChoice =
  | { readonly by: 'building'; readonly building: string }
  | { readonly by: 'repository'; readonly repoId: number }
  | { readonly by: 'place'; readonly start: number; readonly end: number | null };

/** Parameters of a report, checked in form. Null: not given, so nothing is kept out. Days are exclusive bounds, YYYY-MM-DD. */
export type ReportChoice = {
  readonly from: string | null;
  readonly to: string | null;
  /** Id of the definition of a rating. */
  readonly rating: number | null;
  readonly ratingValues: readonly string[] | null;
  readonly locations: LocationChoice | null;
  /** Id of a custom_report_template. */
  readonly template: number | null;
};

/** Whether a parameter of a job says yes. */
export const saysYes = (value: unknown): boolean => value === true || value === 'true' || value === '1';

/** Whether wrong parameters of a report are refused when its job is made; others show when it runs, as in the incumbent. */
export const isCheckedAtOnce = ({ params }: Report): boolean =>
  params.some(([, type]) => type !== 'Date' && type !== 'Boolean');

/** Reads the parameters that the report declares; others are ignored. Fails with `bad_parameter`, naming the parameter. */
export function parseReportChoice({ params: declared }: Report, given: JsonObject): ReportChoice {
  const has = (name: string): boolean => declared.some((parameter) => parameter[0] === name);
  const isScoped = has('from') && (!has('scope_by_date') || saysYes(given['scope_by_date']));
  const dayOf = (name: string): string | null => {
    const value = given[name];
    if (!isScoped || isNothing(value)) return null;
    const day = typeof value === 'string' ? readDate(value) : null;
    if (day === null) throw fail('bad_parameter', { [name]: ['Is no date'] });
    return day;
  };
  return {
    from: dayOf('from'),
    to: dayOf('to'),
    rating: has('rating') ? idOf('rating', given['rating']) : null,
    ratingValues: has('values') ? valuesOf(given['values']) : null,
    locations: has('locations') ? locationsOf(given) : null,
    template: has('template')
      ? needed('template', idOf('template', given['template'], 'custom_report_template'))
      : null,
  };
}

const isNothing = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

function needed<Value>(name: string, value: Value | null): Value {
  if (value === null) throw fail('bad_parameter', { [name]: ['Property is required but was missing'] });
  return value;
}

/** An id, as a number or its digits, or as the uri of a record of the kind. */
function idOf(name: string, value: Json | undefined, kind?: string): number | null {
  if (isNothing(value)) return null;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const address = text.startsWith('/') ? parseUri(text) : null;
  if (address !== null && address.kind === kind) return address.id;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw fail('bad_parameter', { [name]: ['Must be the id of a record'] });
  return Number(text);
}

/** Values of a rating: a list, or one. */
function valuesOf(value: Json | undefined): readonly string[] | null {
  if (isNothing(value)) return null;
  const values: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value];
  if (values.length > 100) throw fail('bad_parameter', { values: ['Must be at most 100 values'] });
  return values.map((each, index) => {
    if (typeof each === 'string' || typeof each === 'number') return String(each);
    throw fail('bad_parameter', { [`values/${index}`]: ['Must be the value of a rating'] });
  });
}

/** The parameter `locations`, or its keys beside the other parameters: clients send both. */
function locationsOf(given: JsonObject): LocationChoice | null {
  const list = given['locations'];
  if (!isNothing(list) && !isObject(list))
    throw fail('bad_parameter', { locations: ['Must be an object with building, repository_uri or location_start'] });
  const at = (key: string): Json | undefined => (isObject(list) ? list[key] : given[key]);
  const refOf = (key: string): number | null => {
    const value = at(key);
    if (isNothing(value)) return null;
    const uri = textOf(isObject(value) ? value : { ref: value }, 'ref');
    const address = uri === undefined ? null : parseUri(uri);
    if (address?.kind !== 'location') throw fail('bad_parameter', { [key]: ['Must be a ref to a location'] });
    return address.id;
  };
  const building = at('building');
  if (!isNothing(building)) {
    if (typeof building !== 'string') throw fail('bad_parameter', { building: ['Must be the name of a building'] });
    return { by: 'building', building };
  }
  const owner = at('repository_uri');
  if (!isNothing(owner)) {
    const address = typeof owner === 'string' ? parseUri(owner) : null;
    if (address?.kind !== 'repository')
      throw fail('bad_parameter', { repository_uri: ['Must be the uri of a repository'] });
    return { by: 'repository', repoId: address.id };
  }
  const [start, end] = [refOf('location_start'), refOf('location_end')];
  if (start === null && end !== null)
    throw fail('bad_parameter', { location_start: ['Property is required but was missing'] });
  if (start === null && isObject(list) && Object.keys(list).length > 0)
    throw fail('bad_parameter', { locations: ['Must have building, repository_uri or location_start'] });
  return start === null ? null : { by: 'place', start, end };
}
