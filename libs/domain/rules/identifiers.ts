// The identifier of accessions and resources in up to four parts (id_0 to id_3): its checks, key and text.
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
  return identifierParts(body).filter((part) => part !== null && part !== '').join('-');
}

/** The text by which identifiers are compared: the four parts together (contract relationships, uniqueness). Null without id_0. */
export function identifierKey(body: JsonObject): string | null {
  return textOf(body, 'id_0') === undefined ? null : JSON.stringify(identifierParts(body));
}

/** Refuses an empty part before a filled one (contract 1.6). */
export const identifierHasNoGaps: Rule = (body, report) => {
  const given = identifierParts(body);
  const last = given.findLastIndex((part) => part !== null && part !== '');
  if (given.slice(0, Math.max(0, last)).some((part) => part === null || part === '')) report('identifier', 'must not contain blank entries');
};

/** Refuses parts above 50 characters: a check of the contract's storage, so a late rule (contract 3.4). */
export const identifierFits: Rule = (body, report) => {
  for (const [index, part] of identifierParts(body).entries()) {
    if (part !== null && [...part].length > longestPart) report(`id_${index}`, `Max length is ${longestPart} characters`);
  }
};
