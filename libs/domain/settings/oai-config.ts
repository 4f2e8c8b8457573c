// What the settings of the OAI provider must have (contract 6.17), in the words of the reference's storage.
import type { Json, JsonObject } from '../json.ts';
import { textOf } from '../json.ts';

const required = ['oai_record_prefix', 'oai_admin_email', 'oai_repository_name'] as const;
// Identifiers of records begin with it, and identifiers are URIs.
const beginning = /^[a-z][a-z0-9+.-]*(?::[\w.~!$&'()*+,;=:@%/-]*)?$/i;
const email = /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i;
// Sets that select something must say what they are (contract OAI 10).
const sets = [
  {
    list: 'repo_set_codes',
    texts: { repo_set_description: 'repo_set_desc_required', repo_set_name: 'repo_set_name_required' },
  },
  {
    list: 'sponsor_set_names',
    texts: { sponsor_set_description: 'sponsor_set_desc_required', sponsor_set_name: 'sponsor_set_name_required' },
  },
] as const;

/** The faults of the settings by property; null where there are none. */
export function oaiConfigFaults(config: JsonObject): { readonly [property: string]: Json } | null {
  const faults = required.map((property): [string, readonly string[]] => {
    const text = textOf(config, property);
    const isAbsent = text === undefined || text.trim() === '';
    const isAddress = property !== 'oai_admin_email' || (text !== undefined && email.test(text));
    const isBeginning = property !== 'oai_record_prefix' || isAbsent || beginning.test(text);
    return [
      property,
      [
        ...(isAbsent ? ['is not present'] : []),
        ...(isAddress ? [] : ['must be a valid email address']),
        ...(isBeginning ? [] : ['must be the beginning of a URI, such as oai:archives.example.org']),
      ],
    ];
  });
  const unnamed = sets
    .flatMap(({ list, texts }) => (listOf(textOf(config, list)).length === 0 ? [] : Object.entries(texts)))
    .filter(([property]) => (textOf(config, property) ?? '') === '')
    .map(([property, message]): [string, readonly string[]] => [property, [message]]);
  // A list that cannot be read would choose nothing, and no harvester would be told.
  const unread = sets
    .filter(({ list }) => !isList(textOf(config, list), isText))
    .map(({ list }): [string, readonly string[]] => [list, ['must be the JSON text of a list of texts']]);
  const found = [...faults, ...unnamed, ...unread].filter(([, messages]) => messages.length > 0);
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** The texts of a setting that is a string holding a JSON list; anything else holds none. */
export function listOf(text: string | undefined): readonly string[] {
  const value = parsed(text);
  return Array.isArray(value) ? value.filter(isText) : [];
}

/** Whether such a setting is absent, empty, or a list of nothing but what `isItem` says. */
export function isList(text: string | undefined, isItem: (item: unknown) => boolean): boolean {
  const value = parsed(text);
  return Array.isArray(value) && value.every(isItem);
}

const isText = (item: unknown): item is string => typeof item === 'string';

function parsed(text: string | undefined): unknown {
  if ((text ?? '').trim() === '') return [];
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
