// Query strings and form bodies as the contract reads them (1.1): `name=a`, `name[]=a&name[]=b`, `name[0]=a`.
// Nothing is refused here but a flood of keys; names that no route declares are never looked at.
import { unescape } from 'node:querystring';
import { fail } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';

/** What was sent under one name: the last bare scalar, and the elements of the bracketed forms in order. */
export type FormValue = { readonly scalar: string | undefined; readonly list: readonly string[] | undefined };

/** Everything that was sent, by name without brackets. */
export type FormValues = ReadonlyMap<string, FormValue>;

// As many as the reference takes (contract 1.1, "Limits").
const mostKeys = 655_360;

type Gathered = { scalar: string | undefined; list: string[]; indexed: Map<string, string> };

// A key longer than this cannot be declared; the bound keeps the pattern from being run on megabytes.
const longestKey = 512;
const keyPattern = /^([^[\]]+)(?:\[([^[\]]*)\])?$/;

/** Gathers name–value pairs, already decoded, in the order they were sent. */
export function gatherForm(pairs: Iterable<readonly [string, string]>): FormValues {
  const gathered = new Map<string, Gathered>();
  for (const [key, value] of pairs) {
    const match = key.length > longestKey ? null : keyPattern.exec(key);
    const name = match?.[1];
    if (name === undefined) continue;
    const entry = gathered.get(name) ?? { scalar: undefined, list: [], indexed: new Map<string, string>() };
    gathered.set(name, entry);
    const index = match?.[2];
    if (index === undefined) entry.scalar = value;
    else if (index === '') entry.list.push(value);
    else entry.indexed.set(index, value);
  }
  const values = new Map<string, FormValue>();
  for (const [name, entry] of gathered) {
    // Ordered by index as text, as the reference does: a[10] comes before a[2]. No two are the same.
    const indexed = [...entry.indexed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
    const list = [...entry.list, ...indexed];
    values.set(name, { scalar: entry.scalar, list: list.length === 0 ? undefined : list });
  }
  return values;
}

/** A JSON object as a form: a property is a field, a list is `name[]`, an object its text. What is null is not sent. */
export const formOf = (object: JsonObject): FormValues =>
  gatherForm(
    Object.entries(object).flatMap(([name, value]): readonly (readonly [string, string])[] =>
      Array.isArray(value)
        ? value.map((entry) => [`${name.replace(/\[\]$/, '')}[]`, fieldText(entry)] as const)
        : value === null || value === undefined
          ? []
          : [[name, fieldText(value)]],
    ),
  );

const fieldText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Reads `a=1&b[]=2`. A broken percent sequence stands for itself, bytes that are no UTF-8 become U+FFFD. */
export function parseForm(text: string): FormValues {
  if (text === '') return new Map();
  return gatherForm(pairsOf(text));
}

/** The name-value pairs of `a=1&b=2`, decoded, in the order they were sent; a name may occur more than once, and one without `=` is passed over. */
export function* pairsOf(text: string): Generator<readonly [string, string]> {
  let count = 0;
  let start = 0;
  while (start <= text.length) {
    const next = text.indexOf('&', start);
    const end = next === -1 ? text.length : next;
    if (end > start) {
      if (++count > mostKeys)
        throw fail('bad_parameter', `Had some trouble parsing your request: more than ${mostKeys} form keys`);
      // In the pair alone: where no `=` follows, each name would be looked through to the end of the body.
      const pair = text.slice(start, end);
      const equals = pair.indexOf('=');
      // A name without a value is not given (`&filter`, `&filter_term[]`): existing interfaces send them for what was left empty.
      if (equals !== -1) yield [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
    }
    start = end + 1;
  }
}

function decode(text: string): string {
  return unescape(text.includes('+') ? text.replaceAll('+', ' ') : text);
}
