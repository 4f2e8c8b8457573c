// The names of an agent: which is authorised, which is shown, which are the same; and what makes two agents the same
// (contract 6.1). Names are completed at every save, so that clients may leave the flags out.
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';
import type { AgentKind } from './sort-name.ts';
import { existenceText, sortNameOf } from './sort-name.ts';

const commonFields = ['dates', 'qualifier', 'source', 'rules'] as const;

const ownFields: { readonly [kind in AgentKind]: readonly string[] } = {
  agent_person: ['primary_name', 'title', 'name_order', 'prefix', 'rest_of_name', 'suffix', 'fuller_form', 'number'],
  agent_family: ['family_name', 'prefix', 'location', 'family_type'],
  agent_corporate_entity: [
    'primary_name',
    'subordinate_name_1',
    'subordinate_name_2',
    'number',
    'location',
    'conference_meeting',
    'jurisdiction',
  ],
  agent_software: ['software_name', 'version', 'manufacturer'],
};

/** The text by which names of one kind are compared: kind-specific and common fields, and the kinds of their use dates; neither flags nor authority id. */
function nameKey(kind: AgentKind, name: JsonObject): string {
  const fields = [...ownFields[kind], ...commonFields].map((field) => name[field] ?? null);
  // Flags that are absent and false are the same name.
  const values = fields.map((value) => (value === false ? null : value));
  return JSON.stringify([values, dateKinds(name, 'use_dates')]);
}

function dateKinds(holder: JsonObject, property: string): readonly string[] {
  return objectsOf(holder, property)
    .map((date) => JSON.stringify([textOf(date, 'date_type_structured') ?? null, textOf(date, 'date_label') ?? null]))
    .sort();
}

/**
 * The names as they are stored: one of them authorised (the first where none says so), one shown (the authorised one
 * where none says so), equal ones merged into the authorised or shown one of them, the order kept.
 */
export function completeNames(kind: AgentKind, names: readonly JsonObject[]): readonly JsonObject[] {
  const authorized = Math.max(
    0,
    names.findIndex((name) => name['authorized'] === true),
  );
  const shown = names.findIndex((name) => name['is_display_name'] === true);
  const display = shown < 0 ? authorized : shown;
  const groups = Map.groupBy(names.keys(), (index) => nameKey(kind, names[index] ?? {}));
  return [...groups.values()].map((group) => {
    const preferred = group.includes(authorized) ? authorized : group.includes(display) ? display : group[0];
    const name = names[preferred ?? 0] ?? {};
    return { ...name, authorized: group.includes(authorized), is_display_name: group.includes(display) };
  });
}

/** Names with generated sort names, parallel names included. The shown name takes the first date of existence where it has no dates (contract 3.5). */
export function withSortNames(
  kind: AgentKind,
  names: readonly JsonObject[],
  datesOfExistence: readonly JsonObject[],
): readonly JsonObject[] {
  const first = datesOfExistence[0];
  return names.map((name) => {
    const existence =
      name['is_display_name'] === true && textOf(name, 'dates') === undefined && first !== undefined
        ? existenceText(first)
        : '';
    const named = sorted(kind, name, existence);
    return named['parallel_names'] === undefined
      ? named
      : { ...named, parallel_names: objectsOf(named, 'parallel_names').map((parallel) => sorted(kind, parallel, '')) };
  });
}

function sorted(kind: AgentKind, name: JsonObject, existence: string): JsonObject {
  return name['sort_name_auto_generate'] === false ? name : { ...name, sort_name: sortNameOf(kind, name, existence) };
}

/** The name under which an agent is shown; undefined for an agent without names. */
export function displayNameOf(body: JsonObject): JsonObject | undefined {
  const names = objectsOf(body, 'names');
  return (
    names.find((name) => name['is_display_name'] === true) ??
    names.find((name) => name['authorized'] === true) ??
    names[0]
  );
}

const contactFields = [
  'name',
  'salutation',
  'address_1',
  'address_2',
  'address_3',
  'city',
  'region',
  'country',
  'post_code',
  'fax',
  'email',
  'email_signature',
];
const left = new Set([
  'publish',
  'persistent_id',
  'lock_version',
  'created_by',
  'last_modified_by',
  'create_time',
  'system_mtime',
  'user_mtime',
]);

/** A value as text that does not depend on the order of properties; audit, publish and generated ids left out. */
function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const pairs = Object.entries(value).filter(
    ([property, item]) => !left.has(property) && item !== undefined && !(Array.isArray(item) && item.length === 0),
  );
  return `{${pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([property, item]) => `${JSON.stringify(property)}:${canonical(item)}`)
    .join(',')}}`;
}

/**
 * What makes an agent itself: a digest over its authorised name, the kinds of its dates of existence, its contacts,
 * external documents and notes, in any order. Two agents of one kind may not have the same (contract 6.1).
 */
export function agentDigest(kind: AgentKind, body: JsonObject): string {
  const authorized = objectsOf(body, 'names').filter((name) => name['authorized'] === true);
  const parts = [
    authorized.map((name) => nameKey(kind, name)).sort(),
    dateKinds(body, 'dates_of_existence'),
    objectsOf(body, 'agent_contacts')
      .map((contact) => JSON.stringify(contactFields.map((field) => contact[field] ?? null)))
      .sort(),
    objectsOf(body, 'external_documents')
      .map((document) => JSON.stringify([document['title'] ?? null, document['location'] ?? null]))
      .sort(),
    objectsOf(body, 'notes').map(canonical).sort(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The authority ids of an agent's names, which no other name of any agent may have; null for a name without one, and for a repeat. */
export function authorityIds(body: JsonObject): readonly (string | null)[] {
  const ids = idsOfNames(body);
  return ids.map((id, place) => (id === undefined || ids.indexOf(id) < place ? null : id));
}

/** The place of the first name whose authority id an earlier name of the agent has, or -1. */
export function repeatedAuthorityId(body: JsonObject): number {
  const ids = idsOfNames(body);
  return ids.findIndex((id, place) => id !== undefined && ids.indexOf(id) < place);
}

/** The authority id that each name of an agent has. */
const idsOfNames = (body: JsonObject): readonly (string | undefined)[] =>
  objectsOf(body, 'names').map((name) => textOf(name, 'authority_id'));
