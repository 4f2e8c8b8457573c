// The buildings of all locations with their floors, rooms and areas (space calculator).

/** Where a location is; null: not stated. */
export type Whereabouts = {
  readonly building: string;
  readonly floor: string | null;
  readonly room: string | null;
  readonly area: string | null;
};

/** Floors by building, rooms by floor, areas by room. */
export type Buildings = {
  readonly [building: string]: { readonly [floor: string]: { readonly [room: string]: readonly string[] } };
};

/**
 * The tree of places, in the order given. `placeholders`: a level that is not stated is named '[no floor]' or '[no room]' (R-B); without
 * them a location ends at the first level that it does not state (R-A).
 */
export function buildingsOf(places: readonly Whereabouts[], placeholders: boolean): Buildings {
  const buildings = new Map<string, Map<string, Map<string, Set<string>>>>();
  for (const place of places) {
    const floors = within(buildings, place.building, () => new Map<string, Map<string, Set<string>>>());
    const floor = place.floor ?? (placeholders ? '[no floor]' : null);
    if (floor === null) continue;
    const rooms = within(floors, floor, () => new Map<string, Set<string>>());
    const room = place.room ?? (placeholders ? '[no room]' : null);
    if (room === null) continue;
    const areas = within(rooms, room, () => new Set<string>());
    if (place.area !== null) areas.add(place.area);
  }
  return Object.fromEntries(
    [...buildings].map(([building, floors]) => [
      building,
      Object.fromEntries(
        [...floors].map(([floor, rooms]) => [
          floor,
          Object.fromEntries([...rooms].map(([room, areas]) => [room, [...areas]])),
        ]),
      ),
    ]),
  );
}

function within<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
