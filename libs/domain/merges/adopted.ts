// What the record that stays takes over into its own body: the agents and subjects of resources and digital objects, the locations and
// the profile of containers (contract trees-and-jobs 4.4). All else of the records that go is lost with them.
import type { Json, JsonObject } from '../json.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';

// A box stands in one place: that of the container that stays, or where it has none, of the first that goes and has one.
const places = 'container_locations';

/** Properties whose refs are taken over, by kind. */
const adoptedProperties: { readonly [kind: string]: readonly string[] } = {
  resource: ['linked_agents', 'subjects'],
  digital_object: ['linked_agents', 'subjects'],
  top_container: [places],
};

/** A ref that comes from a record that goes: which property, and the ordinal of its link row there. */
export type Adopted = {
  readonly property: string;
  readonly ref: JsonObject;
  readonly from: number;
  readonly index: number;
};

/**
 * The refs of the bodies that go which the survivor does not have yet in the same role, in order; `from` counts the bodies, `index` the refs
 * of the property there.
 */
export function adoptedRefs(kind: string, survivor: JsonObject, gone: readonly JsonObject[]): readonly Adopted[] {
  return (adoptedProperties[kind] ?? []).flatMap((property) => {
    const known = new Set(objectsOf(survivor, property).map(keyOf));
    let hasPrimary = objectsOf(survivor, property).some((ref) => ref['is_primary'] === true);
    const giver = property === places ? giverOfPlace(survivor, gone) : null;
    return gone.flatMap((body, from) =>
      (giver !== null && giver !== body ? [] : objectsOf(body, property)).flatMap((ref, index): Adopted[] => {
        if (known.has(keyOf(ref))) return [];
        known.add(keyOf(ref));
        const taken = hasPrimary && ref['is_primary'] === true ? { ...ref, is_primary: false } : ref;
        hasPrimary ||= ref['is_primary'] === true;
        return [{ property, ref: taken, from, index }];
      }),
    );
  });
}

/** The container whose place the survivor has after the merge. */
const giverOfPlace = (survivor: JsonObject, gone: readonly JsonObject[]): JsonObject =>
  [survivor, ...gone].find((body) => objectsOf(body, places).length > 0) ?? survivor;

/** Where the profile of a container stands. */
export const profileRef = { property: 'container_profile' } as const;

/** The profile that a container takes over: that of those that go, where it has none and they agree. */
export function adoptedProfile(survivor: JsonObject, gone: readonly JsonObject[]): JsonObject | null {
  if (objectOf(survivor, profileRef.property) !== undefined) return null;
  const profiles = gone.map((body) => objectOf(body, profileRef.property)).filter((profile) => profile !== undefined);
  const [first] = profiles;
  return first !== undefined && profiles.every((profile) => textOf(profile, 'ref') === textOf(first, 'ref'))
    ? first
    : null;
}

/** The survivor's body with what it takes over. */
export function withAdopted(survivor: JsonObject, refs: readonly Adopted[], profile: JsonObject | null): JsonObject {
  const lists = [...new Set(refs.map((adopted) => adopted.property))].map((property): [string, Json] => [
    property,
    [
      ...objectsOf(survivor, property),
      ...refs.filter((adopted) => adopted.property === property).map((adopted) => adopted.ref),
    ],
  ]);
  return { ...survivor, ...Object.fromEntries(lists), ...(profile === null ? {} : { [profileRef.property]: profile }) };
}

// Relator, terms and title do not count (4.3); two stays on one shelf do.
const keyOf = (ref: JsonObject): string => JSON.stringify([ref['ref'], ref['role'] ?? null, ref['start_date'] ?? null]);

/** The line of a root in the note of the event that tells of its merge: its identifier and title. */
export function noteLine(body: JsonObject): string {
  // A digital object has an identifier in one part, other roots have up to four.
  const parts = ['digital_object_id', 'id_0', 'id_1', 'id_2', 'id_3'].map((property) => textOf(body, property));
  return `${parts.filter((part) => part !== undefined).join('--')} -- ${textOf(body, 'title') ?? ''}`;
}
