// JSON text from clients: parsed, with the contract's words for what is broken, and kept free of what the database
// cannot hold (U+0000, halves of surrogate pairs) or what would harm the process (`__proto__`, endless nesting).
import { fail } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';

// The reference has no limit; this one is far beyond any record and keeps recursive code off the end of the stack.
const deepestNesting = 500;

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
  // Only escapes can bring forbidden characters past JSON.parse, and depth d needs 2d characters.
  if (text.length > 2 * deepestNesting || text.includes('\\u') || text.includes('__proto__')) refuseHarm(value);
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

function refuseHarm(root: Json): void {
  if (typeof root === 'string') return refuseText(root);
  let level: (JsonObject | readonly Json[])[] = [];
  const take = (value: Json | undefined, below: typeof level): void => {
    if (typeof value === 'string') refuseText(value);
    else if (typeof value === 'object' && value !== null) below.push(value);
  };
  take(root, level);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestNesting) throw trouble(`nesting of ${deepestNesting + 1} is too deep`);
    const below: typeof level = [];
    for (const value of level) {
      if (Array.isArray(value)) for (let at = 0; at < value.length; at += 1) take(value[at], below);
      else refuseHarmIn(value as JsonObject, take, below);
    }
    level = below;
  }
}

function refuseHarmIn<Level>(
  value: JsonObject,
  take: (value: Json | undefined, below: Level) => void,
  below: Level,
): void {
  // Own properties all: JSON.parse makes no others.
  for (const key in value) {
    if (key === '__proto__') throw trouble("the property '__proto__' is not allowed");
    refuseText(key);
    take(value[key], below);
  }
}

function refuseText(text: string): void {
  if (text.includes('\0')) throw trouble('the character U+0000 cannot be stored');
  if (!text.isWellFormed()) throw trouble('a text holds half of a surrogate pair');
}
