// JSON text from clients: parsed, with the contract's words for what is broken, and for what cannot be stored.
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { unstorable } from '#domain/storable-json.ts';

/** Values of a text, containers and their parts. Each takes some fifty bytes, be it two characters of text: `[[],[],…]`. */
const mostValues = 2_000_000;

/** Parses JSON text; throws `malformed_body` with "Had some trouble parsing your request: …" (contract 1.3), `too_large` for too many values. */
export function parseJson(text: string): Json {
  if (text.length > mostValues && valuesOf(text) > mostValues)
    throw fail('too_large', `The body holds more than the ${mostValues} values allowed`);
  let value: Json;
  try {
    // JSON.parse gives JSON values and nothing else.
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw trouble(`unexpected token at '${placeOf(error, text)}'`);
  }
  const wrong = unstorable(value, text);
  if (wrong !== null) throw trouble(wrong);
  return value;
}

/** The 400 for a body that cannot be read. */
export function trouble(reason: string): Error {
  return fail('malformed_body', `Had some trouble parsing your request: ${reason}`);
}

function placeOf(error: unknown, text: string): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return text
    .slice(position === undefined ? 0 : Number(position))
    .slice(0, 200)
    .toWellFormed();
}

/** How many values a text may hold at most, be it JSON or not: one more than it has commas and brackets outside its strings. */
function valuesOf(text: string): number {
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        for (at += 1; at < text.length && text.charCodeAt(at) !== 0x22; at += 1)
          if (text.charCodeAt(at) === 0x5c) at += 1;
        break;
      case 0x2c:
      case 0x5b:
      case 0x7b:
        values += 1;
        break;
      default:
    }
  }
  return values;
}
