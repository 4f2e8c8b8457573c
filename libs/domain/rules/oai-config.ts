// What the settings of the OAI provider must have (contract 6.17), in the words of the reference's storage.
import type { Json, JsonObject } from '../json.ts';
import { textOf } from '../json.ts';

const required = ['oai_record_prefix', 'oai_admin_email', 'oai_repository_name'] as const;
const email = /^[^@\s]+@[^@\s]+\.[^@\s.]+$/;

/** The faults of the settings by property; null where there are none. */
export function oaiConfigFaults(config: JsonObject): { readonly [property: string]: Json } | null {
  const faults = required.map((property): [string, readonly string[]] => {
    const text = textOf(config, property);
    const isAddress = property !== 'oai_admin_email' || (text !== undefined && email.test(text));
    return [property, [...(text === undefined ? ['is not present'] : []), ...(isAddress ? [] : ['must be a valid email address'])]];
  });
  const found = faults.filter(([, messages]) => messages.length > 0);
  return found.length === 0 ? null : Object.fromEntries(found);
}
