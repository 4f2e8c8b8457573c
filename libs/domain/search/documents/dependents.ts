// How a change of one record spreads to the documents of others, its dependents: the digest of what they show of it (column `echo` of
// search_body), and the records whose documents tell of it (column `targets`).
import { hash } from 'node:crypto';
import { parseUri } from '../../addresses.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isObject, textOf } from '../../json.ts';
import { kinds } from '../../kinds/index.ts';
import { kindsWhere, searchOf } from '../declared.ts';

/** Kinds whose documents tell of the records that link to them: where they are used, whether that is public, what a container holds. */
const kindsThatShowUse: ReadonlySet<string> = new Set(kindsWhere(({ showsUse }) => showsUse !== undefined));

/** Properties whose refs show on the far side too: what they name tells of the record, as links that both sides write and the records of events do. */
const shownOnFarSide: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...kinds.values()].map(({ name, mutual = {} }) => [
    name,
    new Set([...Object.keys(mutual), ...(searchOf(name).shownOnFarSide ?? [])]),
  ]),
);

// What other documents may show of a record of any kind, or decide by: its names, its numbers, its visibility, its place. Digests are stored:
// what is added here makes all dependents of all records anew once, so that what one kind alone has is declared there (`shownByOthers`).
const shownByOthers = [
  'title',
  'display_string',
  'long_display_string',
  'display_name',
  'name',
  'repo_code',
  'barcode',
  'level',
  'other_level',
  'component_id',
  'id_0',
  'id_1',
  'id_2',
  'id_3',
  'publish',
  'suppressed',
  'ancestors',
  'has_unpublished_ancestor',
  'path_from_root',
  'repository',
  'jsonmodel_type',
];

/** A digest that changes exactly if what other documents show of the record does, or whether the public sees it. */
export function toShownDigest(kind: string, record: JsonObject, isPublished: boolean): string {
  const properties = [...shownByOthers, ...(searchOf(kind).shownByOthers ?? [])];
  return hash(
    'sha1',
    JSON.stringify([isPublished, ...properties.map((property) => withoutAudit(record[property]) ?? null)]),
    'base64url',
  ).slice(0, 16);
}

// Times inside sub-records change at every save.
function withoutAudit(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => withoutAudit(item) ?? null);
  if (!isObject(value)) return value;
  const {
    create_time: _created,
    system_mtime: _system,
    user_mtime: _user,
    created_by: _by,
    last_modified_by: _last,
    ...rest
  } = value;
  return rest;
}

/**
 * The uris in a record whose documents tell of it, at any depth, each once, with the role that the record gives them behind a blank: where they are used
 * in a role (`linked_agent_roles`), another role is another use. Resolved records are not looked into.
 */
export function toTargets(record: JsonObject): readonly string[] {
  const targets = new Set<string>();
  const farSide = shownOnFarSide.get(textOf(record, 'jsonmodel_type') ?? '');
  const visit = (value: Json | undefined, isShownThere = false): void => {
    if (Array.isArray(value)) {
      value.forEach((item) => visit(item, isShownThere));
    } else if (isObject(value)) {
      const ref = value['ref'];
      if (typeof ref === 'string' && isShownThere) targets.add(ref);
      else if (typeof ref === 'string' && kindsThatShowUse.has(parseUri(ref)?.kind ?? ''))
        targets.add(withRole(ref, textOf(value, 'role')));
      for (const key in value)
        if (key !== '_resolved' && typeof value[key] === 'object')
          visit(value[key], value === record && farSide?.has(key) === true);
    }
  };
  visit(record);
  return [...targets].sort();
}

const withRole = (uri: string, role: string | undefined): string => (role === undefined ? uri : `${uri} ${role}`);

/** The uri of a target. */
export const uriOfTarget = (target: string): string => target.split(' ', 1)[0] ?? target;
