// Taking the prefix `ns2:` out of the markup in notes (contract trees-and-jobs 3.4, ns2_remover_job): imports of older services left
// `<extref ns2:href="…">` in them, which no finding aid's schema allows.
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';

/** What bodies with such markup hold somewhere. */
export const ns2 = 'ns2:';

/** The body with the prefix gone from names of elements and attributes in its notes, wherever they are; the very same object where there is none. */
export function withoutNs2(body: JsonObject): JsonObject {
  const stripped = strip(body, false);
  // An object comes back as an object.
  return isObject(stripped) ? stripped : body;
}

function strip(value: Json, isInNotes: boolean): Json {
  if (typeof value === 'string') return isInNotes && value.includes(ns2) ? stripMarkup(value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => strip(item, isInNotes));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([property, item]) =>
      [property, item === undefined ? item : strip(item, isInNotes || property === 'notes')] as const,
  );
  return entries.some(([property, item]) => item !== value[property]) ? Object.fromEntries(entries) : value;
}

const tag = /<(?:"[^"]*"|'[^']*'|[^'"<>])*>/g;
// Values of attributes are matched first, so that what stands in them is left alone.
const name = /"[^"]*"|'[^']*'|(^<\/?|\s)([\w.:-]+)/g;

/** The text with its tags cleaned. An attribute that the tag has without the prefix as well keeps it: twice the same is no markup. */
function stripMarkup(text: string): string {
  return text.replace(tag, (whole) => {
    if (!whole.includes(ns2)) return whole;
    const names = new Set([...whole.matchAll(name)].map(([, , found]) => found));
    return whole.replace(name, (match: string, before: string | undefined, found: string | undefined) => {
      if (before === undefined || found?.startsWith(ns2) !== true) return match;
      const plain = found.slice(ns2.length);
      return plain === '' || names.has(plain) ? match : `${before}${plain}`;
    });
  });
}
