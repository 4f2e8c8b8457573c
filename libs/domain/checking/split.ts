// What of a prepared body goes where: the stored text, the flags in columns, link rows, and the place in a tree.
import { createHash } from 'node:crypto';
import type { UniqueRule } from '../identifiers/unique-rule.ts';
import type { Kind, GeneratedValues } from '../kind.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectOf, textOf } from '../json.ts';
import { fail } from '../errors.ts';
import type { Link, Prepared } from './prepare.ts';
import { parseUri } from '../addresses.ts';
import { largestInt4 } from '../int4.ts';

/** A row of `link`, without its source. */
export type LinkRow = {
  readonly property: string;
  readonly path: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly targetRepoId: number | null;
  readonly uri: string;
  readonly role: string | null;
  readonly mutual: string | null;
  readonly ref: string | null;
};

/** A row of `unique_key`, without its owner, and the words of the 400 where it is taken. */
export type KeyRow = {
  readonly rule: string;
  readonly scope: string;
  readonly value: string;
  readonly property: string;
  readonly says: string;
  readonly showsConflict: boolean;
};

/** The place that a body asks for in a tree: uris as sent, position or null for the end. */
export type Place = { readonly root: string | null; readonly parent: string | null; readonly position: number | null };

/** A record in the form it is stored in. */
export type Stored = {
  readonly body: JsonObject;
  readonly text: string;
  readonly label: string;
  readonly publish: boolean | null;
  readonly links: readonly LinkRow[];
  readonly place: Place | null;
};

const longestKey = 400;

/** Takes a prepared body apart: runs the kind's generation, then splits off flags, links and place. `old` is the stored body on update. */
export function splitBody(
  kind: Kind,
  prepared: Prepared,
  generatedValues: GeneratedValues,
  old: JsonObject | null,
): Stored {
  const generated = kind.generate === undefined ? prepared.body : kind.generate(prepared.body, generatedValues, old);
  const outside = outsideOf(kind);
  const body: { [property: string]: Json | undefined } = {};
  for (const property in generated) if (!outside.has(property)) body[property] = generated[property];
  return {
    body,
    text: JSON.stringify(body),
    label: kind.label(generated),
    publish: publishOf(kind, generated),
    links: linkRows(kind, prepared),
    place: kind.tree === undefined ? null : placeOf(kind.tree.rootProperty, generated),
  };
}

// A memo of a pure function: what a kind keeps outside its stored text never differs.
const outsides = new WeakMap<Kind, ReadonlySet<string>>();

/** The properties of a kind that are columns, links or its place in a tree. */
function outsideOf(kind: Kind): ReadonlySet<string> {
  const known = outsides.get(kind);
  if (known !== undefined) return known;
  const outside = new Set([
    'publish',
    'suppressed',
    'uri',
    'lock_version',
    ...Object.keys(kind.mutual ?? {}),
    ...(kind.tree === undefined ? [] : [kind.tree.rootProperty, 'parent', 'position', 'ancestors']),
  ]);
  outsides.set(kind, outside);
  return outside;
}

/** The links of a prepared body that both sides write, before it is taken apart. */
export function mutualLinkRows(kind: Kind, { body, links }: Prepared): readonly LinkRow[] {
  const { mutual } = kind;
  if (mutual === undefined) return [];
  return links.filter(({ property }) => mutual[property] !== undefined).map((link) => linkRow(kind, body, link));
}

function linkRows(kind: Kind, prepared: Prepared): readonly LinkRow[] {
  const rows: LinkRow[] = [];
  for (const link of prepared.links) if (!isTreeRef(kind, link)) rows.push(linkRow(kind, prepared.body, link));
  return rows;
}

function publishOf(kind: Kind, body: JsonObject): boolean | null {
  const property = kind.properties['publish'];
  if (property === undefined) return null;
  if (typeof body['publish'] === 'boolean') return body['publish'];
  return property.default === true;
}

function isTreeRef(kind: Kind, link: Link): boolean {
  const tree = kind.tree;
  return (
    tree !== undefined &&
    (link.property === tree.rootProperty || link.property === 'parent' || link.property === 'ancestors')
  );
}

function placeOf(rootProperty: string, body: JsonObject): Place {
  const position = body['position'];
  // Any position beyond the end is the end, and no list is longer than ids reach; a negative one stays so, to be refused with the tree.
  const rank = typeof position === 'number' ? Math.max(-1, Math.min(position, largestInt4)) : null;
  return {
    root: textOf(objectOf(body, rootProperty), 'ref') ?? null,
    parent: textOf(objectOf(body, 'parent'), 'ref') ?? null,
    position: rank,
  };
}

function linkRow(kind: Kind, body: JsonObject, link: Link): LinkRow {
  const address = link.address ?? parseUri(link.uri);
  if (address === null) throw fail('unknown_reference', `Can't relate to non-existent record: ${link.uri}`);
  const mutual = kind.mutual?.[link.property]?.relation ?? null;
  return {
    property: link.property,
    path: link.path,
    targetKind: address.kind,
    targetId: address.id,
    targetRepoId: address.repoId,
    uri: link.uri,
    role: isRepresentative(body, link) ? 'representative' : link.role,
    mutual,
    ref: mutual === null ? null : ownProperties(valueAt(body, link.path)),
  };
}

/** Whether the link is the digital object of the instance that stands for the record (contract 6.4). */
function isRepresentative(body: JsonObject, link: Link): boolean {
  if (link.property !== 'instances.digital_object') return false;
  const instance = valueAt(body, link.path.split('/').slice(0, 2).join('/'));
  return isObject(instance) && instance['is_representative'] === true;
}

function ownProperties(ref: Json | undefined): string {
  if (typeof ref !== 'object' || ref === null || Array.isArray(ref)) return '{}';
  const { ref: _, ...own } = ref as JsonObject;
  return JSON.stringify(own);
}

/** The value at a slash path of a body; a trailing '/ref' is the ref object's. */
function valueAt(body: JsonObject, path: string): Json | undefined {
  let at: Json | undefined = body;
  for (const step of path.split('/')) {
    if (step === 'ref') break;
    if (Array.isArray(at)) at = at[Number(step)];
    else if (typeof at === 'object' && at !== null) at = (at as JsonObject)[step];
    else return undefined;
  }
  return at;
}

/** The scope in which a key of a rule may occur once. */
export function scopeOf(rule: UniqueRule, repoId: number | null, place: Pick<Place, 'root' | 'parent'> | null): string {
  if (rule.within === 'everywhere') return '';
  if (rule.within === 'repository') return `r${repoId}`;
  return (rule.within === 'siblings' ? place?.parent : undefined) ?? place?.root ?? '';
}

/** A key as rows hold it: itself, or its digest where it is too long for an index. */
export const keyText = (value: string): string =>
  Buffer.byteLength(value) <= longestKey ? value : `sha256:${createHash('sha256').update(value).digest('hex')}`;

/** The unique keys of a stored body. `place` is where a node is in its tree, for rules within a root or among siblings. */
export function keysOf(
  kind: Kind,
  body: JsonObject,
  repoId: number | null,
  place: Pick<Place, 'root' | 'parent'> | null,
): readonly KeyRow[] {
  return (kind.unique ?? []).flatMap((rule) => {
    const key = rule.key(body);
    const values = key === null ? [] : typeof key === 'string' ? [key] : key;
    const scope = scopeOf(rule, repoId, place);
    return values.flatMap((value, index) =>
      value === null
        ? []
        : [
            {
              rule: rule.name,
              scope,
              value: keyText(value),
              property: rule.property.replace('*', String(index)),
              says: rule.says.replace('*', value),
              showsConflict: rule.showsConflict === true,
            },
          ],
    );
  });
}
