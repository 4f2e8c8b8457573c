// How many containers of a profile still fit on a shelf (the space calculator of the contract). Containers of one profile stand in rows as
// wide as one of them: towers as high as shelf and stacking limit let them, one behind the other. Pure arithmetic on counts.
import type { Size } from './lengths.ts';
import { isLarger } from './lengths.ts';

/** A kind of container: its profile, size and how many may stand on each other (null: any number). */
export type Box = { readonly profileId: number; readonly size: Size; readonly stackingLimit: number | null };

/** What stands on a shelf: how many of which kind; `box` null: containers without a profile, or with one that states no size. */
type Standing = { readonly box: Box | null; readonly count: number };

/** A shelf: its size (undefined: no profile; null: one that states no size) and what stands there now. */
export type Shelf = { readonly size: Size | null | undefined; readonly standing: readonly Standing[] };

/** Why a shelf has no space, or why nobody can tell. The words are the wire's. */
type NoSpace = 'container_is_bigger' | 'location_cannot_fit_container';
/** See NoSpace. */
type Unknowable =
  | 'location_lacks_a_profile'
  | 'location_lacks_dimension_data'
  | 'container_at_location_lacks_profile'
  | 'containers_at_location_dont_fit';

/** The space of one shelf; `ofType` are the containers of the profile asked for that stand there already. */
export type FreeSpace =
  | { readonly kind: 'space'; readonly count: number; readonly ofType: number }
  | { readonly kind: 'no_space'; readonly reason: NoSpace; readonly ofType: number }
  | { readonly kind: 'unknown'; readonly reason: Unknowable; readonly ofType: number };

/** How many boxes one row of a shelf takes; a row holds at least the one it was begun with. */
function perRow(box: Box, shelf: Size): number {
  const tower = Math.floor(shelf.height / box.size.height);
  const limited = box.stackingLimit === null ? tower : Math.min(tower, box.stackingLimit);
  return Math.max(1, limited * Math.floor(shelf.depth / box.size.depth));
}

/** Reckons the free space of a shelf for boxes of a kind. */
export function freeSpace(box: Box, shelf: Shelf): FreeSpace {
  if (shelf.size === undefined) return { kind: 'unknown', reason: 'location_lacks_a_profile', ofType: 0 };
  if (shelf.size === null) return { kind: 'unknown', reason: 'location_lacks_dimension_data', ofType: 0 };
  if (isLarger(box.size, shelf.size)) return { kind: 'no_space', reason: 'container_is_bigger', ofType: 0 };
  const size = shelf.size;
  const ofType = shelf.standing
    .filter((each) => each.box?.profileId === box.profileId)
    .reduce((sum, each) => sum + each.count, 0);
  const known = shelf.standing.flatMap(({ box: standing, count }) =>
    standing === null ? [] : [{ box: standing, count }],
  );
  if (known.length < shelf.standing.length)
    return { kind: 'unknown', reason: 'container_at_location_lacks_profile', ofType };
  const rows = known.map((each) => ({ ...each, rows: Math.ceil(each.count / perRow(each.box, size)) }));
  const used = rows.reduce((sum, each) => sum + each.rows * each.box.size.width, 0);
  if (used > size.width || rows.some((each) => each.count > 0 && isLarger(each.box.size, size)))
    return { kind: 'unknown', reason: 'containers_at_location_dont_fit', ofType };
  const begun = rows
    .filter((each) => each.box.profileId === box.profileId)
    .reduce((sum, each) => sum + each.rows * perRow(box, size) - each.count, 0);
  const fresh = box.size.width === 0 ? 0 : Math.floor((size.width - used) / box.size.width) * perRow(box, size);
  const count = begun + fresh;
  return count > 0
    ? { kind: 'space', count, ofType }
    : { kind: 'no_space', reason: 'location_cannot_fit_container', ofType };
}
