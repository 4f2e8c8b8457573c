// A record of a source beside the one of the same address here, field by field; and what may differ, with the reason.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { Release } from '#migrate/source.ts';

/**
 * One difference. `missing`: the source has the record, this service does not; `extra`: the other way round; `field`: one field of it;
 * `order`: what stands below `uri` comes in another order; `unread`: the source, or this service, did not show the record; `deleted`: the
 * source tells that the record was deleted, and this service does not; `document`: one place of a finding aid or of what harvesters get;
 * `search`: a search finds other records, `source` and `here` of them in all.
 */
export type Difference =
  | { readonly what: 'missing' | 'extra' | 'deleted'; readonly uri: string }
  | { readonly what: 'field'; readonly uri: string; readonly path: string; readonly source: Json; readonly here: Json }
  | {
      readonly what: 'order';
      readonly uri: string;
      readonly source: readonly number[];
      readonly here: readonly number[];
    }
  | {
      readonly what: 'document';
      readonly uri: string;
      readonly document: string;
      readonly path: string;
      readonly source: string | null;
      readonly here: string | null;
    }
  | {
      readonly what: 'search';
      readonly uri: string;
      readonly query: string;
      readonly type: string;
      readonly source: number;
      readonly here: number;
      readonly onlyThere: readonly string[];
      readonly onlyHere: readonly string[];
    }
  | { readonly what: 'unread'; readonly uri: string; readonly side: 'source' | 'here'; readonly reason: string };

/** A field that differs. `path` is as in `notes/0/content/1`; what a side does not have is undefined. */
type FieldDifference = {
  readonly path: string;
  readonly source: Json | undefined;
  readonly here: Json | undefined;
};

/** What came of a comparison: what differs, and the reasons of what may. */
export type Comparison = { readonly differences: readonly FieldDifference[]; readonly allowed: readonly string[] };

type Allowance = {
  /** Of the path, whose positions are written as `*`. */
  readonly at: RegExp;
  readonly reason: string;
  /** Of a source of this release alone. */
  readonly release?: Release;
  /** Where the source says nothing of it. */
  readonly onlyAbsent?: boolean;
  /** Of these records alone, by their jsonmodel_type. */
  readonly types?: readonly string[];
};

/** What only the later release has, and in which records (none named: in all). */
const onlyInLater: readonly (readonly [at: RegExp, ...types: readonly string[]])[] = [
  [/^position$/, 'repository'],
  [/^is_finding_aid_status_published$/, 'resource'],
  [/^internal_note$/, 'top_container'],
  [/^notes$/, 'container_profile'],
  [/^collection(\/|$)/, 'digital_object'],
  [/^linked_agents\/\*\/is_primary$/],
  [/^file_versions\/\*\/(derived_from|link_uri)$/, 'digital_object', 'digital_object_component'],
  [/^file_versions\/\*\/is_representative$/, 'digital_object_component'],
  [/^representative_file_version(\/|$)/],
  [/^defaults\/(digital_object_spawn$|top_container_mgmt_)/, 'preference'],
];

/** What may differ between two services that hold the same records. */
const allowances: readonly Allowance[] = [
  { at: /(^|\/)lock_version$/, reason: 'lock_version counts the saves of each service' },
  { at: /(^|\/)system_mtime$/, reason: 'system_mtime is when the service itself last touched a record' },
  {
    at: /\/(create_time|user_mtime|created_by|last_modified_by)$/,
    reason: 'parts of a record are stored anew with each save of it, by whoever saves',
  },
  {
    at: /^(collection_management|agent_contacts\/\*\/telephones\/\*|revision_statements\/\*)\/uri$/,
    reason: 'parts of a record get a new address with each save of it',
  },
  {
    at: /^used_within_(published_)?repositories(\/|$)/,
    reason: 'it is told by the search index, which follows the records',
  },
  {
    at: /^position$/,
    reason: 'positions may have gaps; the order of siblings is compared by itself',
    types: ['archival_object', 'digital_object_component', 'classification_term'],
  },
  ...onlyInLater.map(([at, ...types]): Allowance => ({
    at,
    reason: 'the release of the source does not have it',
    release: 'R-A',
    onlyAbsent: true,
    ...(types.length === 0 ? {} : { types }),
  })),
  { at: /^source$/, reason: 'users of the later release show where they log in', release: 'R-A', types: ['user'] },
  {
    at: /^(permissions\/|grants_permissions$)/,
    reason: 'the later release has permissions that the earlier does not',
    release: 'R-A',
    onlyAbsent: true,
  },
];

// Lists whose order says nothing: what only one side has is told.
const sets = /^(linked_agent_roles|member_usernames|grants_permissions|permissions\/[^/]+)$/;

/** Compares two records. Null, an empty list and nothing say the same. */
export function compareRecords(source: JsonObject, here: JsonObject, release: Release): Comparison {
  const differences: FieldDifference[] = [];
  const allowed = new Set<string>();
  const type = textOf(source, 'jsonmodel_type') ?? '';

  const differ = (path: string, ours: Json | undefined, theirs: Json | undefined): void => {
    const general = path.replace(/(?<=\/)\d+(?=\/|$)/g, '*');
    const allowance = allowances.find(
      ({ at, release: only, onlyAbsent, types }) =>
        at.test(general) &&
        (only === undefined || only === release) &&
        (types === undefined || types.includes(type)) &&
        (onlyAbsent !== true || isNothing(ours)),
    );
    if (allowance !== undefined) allowed.add(allowance.reason);
    else differences.push({ path, source: ours, here: theirs });
  };
  const walk = (path: string, ours: Json | undefined, theirs: Json | undefined): void => {
    if (ours === theirs || (isNothing(ours) && isNothing(theirs))) return;
    if (isObject(ours) && isObject(theirs)) {
      for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
        walk(path === '' ? name : `${path}/${name}`, ours[name], theirs[name]);
      return;
    }
    if (Array.isArray(ours) && Array.isArray(theirs)) {
      if (sets.test(path)) {
        const only = ours.filter((item) => !theirs.includes(item));
        const others = theirs.filter((item) => !ours.includes(item));
        if (only.length + others.length > 0) differ(path, only, others);
        return;
      }
      for (let index = 0; index < Math.max(ours.length, theirs.length); index++)
        walk(`${path}/${index}`, ours[index], theirs[index]);
      return;
    }
    differ(path, ours, theirs);
  };
  walk('', source, here);
  return { differences, allowed: [...allowed] };
}

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);
