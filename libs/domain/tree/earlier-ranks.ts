// Which ranks a node had before siblings came and went: the list is never read, every shift is undone on the rank alone.

/** Nodes that were taken out of ranks of a list, or put in at them; `ranks` ascend and belong to `ids` one by one. Shifts of one `version` of the tree were never seen apart. */
export type Shift = {
  readonly version: number;
  readonly listId: number;
  readonly isTaken: boolean;
  readonly ids: readonly number[];
  readonly ranks: readonly number[];
};

/** A node in a list of siblings; `listId` is the id of their parent, 0 directly under the root. */
export type Standing = { readonly id: number; readonly listId: number; readonly rank: number };

/** The ranks that a node had before each version of the shifts, which come newest first, in whatever list it was. Its present rank is not among them unless it had that before too. */
export function earlierRanks(now: Standing, shifts: readonly Shift[]): ReadonlySet<number> {
  const ranks = new Set<number>();
  let at: { readonly listId: number; readonly rank: number } | null = now;
  for (const [index, shift] of shifts.entries()) {
    const own = shift.ids.indexOf(now.id);
    // Taken from here, it stood here before; put in here, it was nowhere until the shift before that took it from somewhere.
    if (own !== -1) at = shift.isTaken ? { listId: shift.listId, rank: shift.ranks[own] ?? 0 } : null;
    else if (at !== null && at.listId === shift.listId)
      at = {
        listId: at.listId,
        rank: shift.isTaken ? rankBeforeTaking(at.rank, shift.ranks) : rankBeforePutting(at.rank, shift.ranks),
      };
    if (at !== null && shifts[index + 1]?.version !== shift.version) ranks.add(at.rank);
  }
  return ranks;
}

function rankBeforeTaking(rank: number, taken: readonly number[]): number {
  let before = rank;
  for (const gone of taken) if (gone <= before) before += 1;
  return before;
}

const rankBeforePutting = (rank: number, put: readonly number[]): number =>
  rank - put.filter((each) => each < rank).length;
