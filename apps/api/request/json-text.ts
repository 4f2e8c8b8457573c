// JSON text from clients: parsed, with the contract's words for what is broken, and kept free of what the database
// cannot hold (U+0000, halves of surrogate pairs) or what would harm the process (`__proto__`, endless nesting).
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';

// The reference has no limit; this one is far beyond any record and keeps recursive code off the end of the stack.
const deepestNesting = 500;

/** Parses JSON text; throws `malformed_body` with "Had some trouble parsing your request: …" (contract 1.3). */
export function parseJson(text: string): Json {
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

function refuseHarm(root: Json): void {
  let level: Json[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestNesting) throw trouble(`nesting of ${deepestNesting + 1} is too deep`);
    const below: Json[] = [];
    for (const value of level) {
      if (typeof value === 'string') refuseText(value);
      else if (Array.isArray(value)) for (const item of value) below.push(item);
      else if (typeof value === 'object' && value !== null) {
        for (const [key, item] of Object.entries(value)) {
          if (key === '__proto__') throw trouble("the property '__proto__' is not allowed");
          refuseText(key);
          if (item !== undefined) below.push(item);
        }
      }
    }
    level = below;
  }
}

function refuseText(text: string): void {
  if (text.includes('\0')) throw trouble('the character U+0000 cannot be stored');
  if (!text.isWellFormed()) throw trouble('a text holds half of a surrogate pair');
}
