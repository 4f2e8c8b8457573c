// What parsed JSON from outside may not hold: texts that the database cannot store (U+0000, halves of surrogate pairs), and what would harm the
// process (`__proto__`, endless nesting).
import type { Json, JsonObject } from './json.ts';

// The reference has no limit; this one is far beyond any record and keeps recursive code off the end of the stack.
const deepestNesting = 500;

// Of U+0000 and of surrogates, whole pairs among them.
const forbiddenEscape = /\\u(?:0000|d[89a-f])/i;

/** What is wrong with the value that the text was parsed into; null where it can be stored. */
export function unstorable(value: Json, text: string): string | null {
  // Only escapes can bring forbidden characters past JSON.parse, and depth d needs 2d characters.
  const hasEscapes = forbiddenEscape.test(text);
  if (text.length <= 2 * deepestNesting && !hasEscapes && !text.includes('__proto__')) return null;
  const wrongText = hasEscapes ? wrongCharacters : nothing;
  if (typeof value === 'string') return wrongText(value);
  let level: Container[] = [];
  if (typeof value === 'object' && value !== null) level.push(value);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestNesting) return `nesting of ${deepestNesting + 1} is too deep`;
    const below: Container[] = [];
    for (const each of level) {
      const wrong = Array.isArray(each)
        ? wrongItem(each, below, wrongText)
        : wrongProperty(each as JsonObject, below, wrongText);
      if (wrong !== null) return wrong;
    }
    level = below;
  }
  return null;
}

type Container = JsonObject | readonly Json[];
type Judge = (text: string) => string | null;

function wrongItem(items: readonly Json[], below: Container[], wrongText: Judge): string | null {
  for (const item of items) {
    const wrong = wrongValue(item, below, wrongText);
    if (wrong !== null) return wrong;
  }
  return null;
}

function wrongProperty(object: JsonObject, below: Container[], wrongText: Judge): string | null {
  // Own properties all: JSON.parse makes no others.
  for (const key in object) {
    if (key === '__proto__') return "the property '__proto__' is not allowed";
    const wrong = wrongText(key) ?? wrongValue(object[key], below, wrongText);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** What is wrong with a text; objects and arrays are noted, to be looked at with their level. */
function wrongValue(value: Json | undefined, below: Container[], wrongText: Judge): string | null {
  if (typeof value === 'string') return wrongText(value);
  if (typeof value === 'object' && value !== null) below.push(value);
  return null;
}

const nothing: Judge = () => null;

function wrongCharacters(text: string): string | null {
  if (text.includes('\0')) return 'the character U+0000 cannot be stored';
  return text.isWellFormed() ? null : 'a text holds half of a surrogate pair';
}
