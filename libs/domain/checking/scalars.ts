// Checks of texts, numbers, flags and dates: one function per property, made once from its declaration.
// Messages are the contract's (behaviour-records.md 1.5).
import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import type { PlainProperty, TextProperty } from '../schema/property.ts';
import { longestListValue } from '../requests/enumeration.ts';
import { readDate, readDateTime } from '../dates/lenient-date.ts';
import { isGiven } from './content.ts';
import type { Pass } from './pass.ts';
import { pathHere, reportError } from './pass.ts';
import { classOf, says, wrongType } from './wording.ts';

/**
 * Cleans and checks one value where the pass stands and gives what to store; undefined where the value counts as
 * absent. A value with an error is given back as it came: rules may look at it, and the body will be refused.
 */
export type Walker = (value: Json, pass: Pass) => Json | undefined;

/** Tells that a value is not of a wanted type; an object that nothing is in is absent, whatever is wanted (contract 1.4). */
export function refuseType(value: Json, wanted: readonly string[], pass: Pass): Json | undefined {
  if (!isGiven(value)) return undefined;
  reportError(pass, undefined, wrongType(wanted, classOf(value)));
  return value;
}

/** The walker of a text property. */
export function textWalker(property: TextProperty): Walker {
  const { minLength = 0, maxLength = Infinity, values, enumeration } = property;
  const wanted = property.pattern;
  const pattern = wanted === undefined ? null : new RegExp(wanted.replace('\\A', '^').replace('\\z', '$'), 'u');
  return (value, pass) => {
    if (typeof value !== 'string') return refuseType(value, ['string'], pass);
    if (value.length < minLength) reportError(pass, undefined, says.tooShort(minLength));
    // Length counts characters, not UTF-16 units; counting is only needed where units are too many.
    else if (value.length > maxLength && [...value].length > maxLength)
      reportError(pass, undefined, says.tooLong(maxLength));
    else if (pattern !== null && wanted !== undefined && !pattern.test(value))
      reportError(pass, undefined, says.pattern(wanted));
    else if (values !== undefined && !values.includes(value)) reportError(pass, undefined, says.outside(value, values));
    else if (enumeration !== undefined) checkListed(enumeration, value, pass);
    return value;
  };
}

function checkListed(name: string, value: string, pass: Pass): void {
  const list = pass.context.enumerations.get(name);
  if (list === undefined) throw new Error(`no controlled list ${name}`);
  if (list.has(value)) return;
  if (!list.editable) return reportError(pass, undefined, says.outsideReadonly(pathHere(pass), value, list.values));
  if (!pass.context.createEnumerationValues) return reportError(pass, undefined, says.outside(value, list.values));
  // As of a value that somebody adds to the list; without an end it would be more than the database can index.
  if (value.length > longestListValue && [...value].length > longestListValue)
    return reportError(pass, undefined, says.tooLong(longestListValue));
  if (!pass.newValues.some((known) => known.list === name && known.value === value))
    pass.newValues.push({ list: name, value });
}

/** The walker of a number, flag, date or free object. */
export function plainWalker(property: PlainProperty): Walker {
  switch (property.type) {
    case 'integer':
      return numberWalker(property, Number.isInteger);
    case 'number':
      return numberWalker(property, () => true);
    case 'boolean':
      return (value, pass) => (typeof value === 'boolean' ? value : refuseType(value, ['boolean'], pass));
    case 'date':
      return momentWalker(readDate);
    case 'date-time':
      return momentWalker(readDateTime);
    case 'object':
      return (value, pass) => {
        if (!isObject(value)) reportError(pass, undefined, wrongType(['object'], classOf(value)));
        // Empty objects are never sent (contract 1.2).
        else if (Object.keys(value).length === 0) return undefined;
        return typeLast(value);
      };
    case 'any':
      return typeLast;
  }
}

function numberWalker(
  { type, minimum = -Infinity, maximum = Infinity }: PlainProperty,
  fits: (value: number) => boolean,
): Walker {
  return (value, pass) => {
    if (typeof value !== 'number' || !fits(value)) return refuseType(value, [type], pass);
    if (value < minimum || value > maximum) reportError(pass, undefined, `Must be between ${minimum} and ${maximum}`);
    return value;
  };
}

function momentWalker(read: (text: string) => string | null): Walker {
  return (value, pass) => {
    const moment = typeof value === 'string' ? read(value) : null;
    if (moment !== null) return moment;
    if (!isGiven(value)) return undefined;
    reportError(pass, undefined, says.date);
    return value;
  };
}

/**
 * A free value with `jsonmodel_type` moved behind the other keys of each object: in stored texts it stands first in
 * objects with audit fields alone (decision 0004), and free values have none.
 */
const typeLast = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(typeLast);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json | undefined] => [
    key,
    item === undefined ? item : typeLast(item),
  ]);
  return Object.fromEntries([
    ...entries.filter(([key]) => key !== 'jsonmodel_type'),
    ...entries.filter(([key]) => key === 'jsonmodel_type'),
  ]);
};
