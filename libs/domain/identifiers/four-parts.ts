// The identifier of accessions and resources in up to four parts (id_0 to id_3): its checks, key and text.
import { fail } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';

const parts = ['id_0', 'id_1', 'id_2', 'id_3'] as const;
const longestPart = 50;

/** The parts of an identifier in order; null for a part that is absent. */
export function identifierParts(body: JsonObject): readonly (string | null)[] {
  return parts.map((part) => textOf(body, part) ?? null);
}

/** The identifier as lists and trees show it: its parts joined by '-'; empty where there is none. */
export function identifierText(body: JsonObject): string {
  return identifierParts(body)
    .filter((part) => part !== null && part !== '')
    .join('-');
}

/** The text by which identifiers are compared: the four parts together (contract relationships, uniqueness). Null without id_0. */
export function identifierKey(body: JsonObject): string | null {
  return textOf(body, 'id_0') === undefined ? null : JSON.stringify(identifierParts(body));
}

/** Refuses an empty part before a filled one (contract 1.6). */
export const identifierHasNoGaps: Rule = (body, report) => {
  // A part of another type is told of as that; it is no gap.
  const isGiven = parts.map((part) => body[part] !== undefined && body[part] !== null && body[part] !== '');
  if (isGiven.slice(0, Math.max(0, isGiven.lastIndexOf(true))).includes(false))
    report('identifier', 'must not contain blank entries');
};

/** Refuses parts above 50 characters: a check of the contract's storage, so a late rule (contract 3.4). */
export const identifierFits: Rule = (body, report) => {
  for (const [index, part] of identifierParts(body).entries()) {
    if (part !== null && [...part].length > longestPart)
      report(`id_${index}`, `Max length is ${longestPart} characters`);
  }
};

/**
 * The keys of the identifiers that a lookup asks for, each the JSON text of up to four parts; texts of another shape, and such as have
 * an empty part, are nobody's and left out (contract 4.3). Fails with `malformed_body` for what is no JSON.
 */
export function askedIdentifierKeys(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const value = parseParts(text);
    if (!Array.isArray(value) || value.length === 0 || value.length > parts.length) return [];
    if (!value.every((part) => part === null || (typeof part === 'string' && part !== ''))) return [];
    return [JSON.stringify(parts.map((_, index) => value[index] ?? null))];
  });
}

function parseParts(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fail(
      'malformed_body',
      `Had some trouble parsing your request: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
