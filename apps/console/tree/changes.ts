// Changing a tree: which rows are picked and cut, moving them and taking the last move back, publishing.
import { useRef, useState } from 'preact/hooks';
import type { JobPhase } from '../../../libs/client/jobs.ts';
import { textOf } from '../../../libs/domain/json.ts';
import { said } from '../saying.ts';
import { move, publish } from './changing.ts';
import type { Picked, Step, Target } from './moving.ts';
import { isWithin, planMove, planUndo, topmost } from './moving.ts';
import type { TreeState } from './state.ts';
import type { Branch, Row } from './waypoints.ts';
import { above, childrenOf, rowAt, uriOf } from './waypoints.ts';
import { b } from './words.ts';

/** Where something comes to, seen from a row. */
export type Zone = 'before' | 'into' | 'after';

/** What runs just now: what it is called, and how far its job is. */
type Busy = { readonly text: string; readonly phase: JobPhase | null };

/** What can be done with the rows of a tree. Nothing happens while something runs. */
export type Changes = {
  readonly picked: ReadonlyMap<string, Picked>;
  readonly cut: readonly Picked[];
  readonly busy: Busy | null;
  readonly canUndo: boolean;
  /** What is acted on: what is picked, else the row somebody is on. */
  readonly meant: () => readonly Picked[];
  /** Picks a row, or no longer; `isOnly`: and none beside it. */
  readonly pick: (index: number, isOnly?: boolean) => void;
  /** Picks all rows from one to another, those too that are not there yet: all of them or none, and no more than so many. */
  readonly pickTo: (from: number, to: number) => Promise<void>;
  readonly clear: () => void;
  readonly cutMeant: () => void;
  readonly paste: (zone: Zone) => Promise<void>;
  /** Moves nodes to where a row is. */
  readonly moveTo: (nodes: readonly Picked[], row: Row, zone: Zone) => Promise<void>;
  readonly undo: () => Promise<void>;
  /** Publishes records with everything below them, or takes them back. */
  readonly publishAll: (uris: readonly string[], isPublic: boolean) => Promise<void>;
};

const mostPicked = 2000;

/** How many rows are picked; it is told where more cannot be. */
export const saidOfPicked = (count: number): string => b(count < mostPicked ? 'picked' : 'picked_most', { count });

/** What can be done with a tree. */
export function useChanges(tree: TreeState): Changes {
  const [picked, setPicked] = useState<ReadonlyMap<string, Picked>>(new Map());
  const [cut, setCut] = useState<readonly Picked[]>([]);
  // As it is when rows have come that were waited for.
  const latest = useRef(picked);
  latest.current = picked;
  const [busy, setBusy] = useState<Busy | null>(null);
  const [last, setLast] = useState<{ readonly nodes: readonly Picked[]; readonly to: string | null } | null>(null);

  const at = (index: number): Picked | null => pickedAt(tree.root, rowAt(tree.root, index));
  const meant = (): readonly Picked[] => {
    const active = at(tree.active);
    return topmost(picked.size > 0 ? [...picked.values()] : active === null ? [] : [active]);
  };
  const run = async (
    text: string,
    work: (onPhase: (phase: JobPhase | null) => void) => Promise<void>,
  ): Promise<boolean> => {
    setBusy({ text, phase: null });
    said.value = text;
    tree.setFault(null);
    try {
      await work((phase) => setBusy((now) => (now === null ? null : { ...now, phase })));
      return true;
    } catch (error) {
      tree.setFault(error);
      return false;
    } finally {
      setBusy(null);
    }
  };
  const runSteps = async (steps: readonly Step[], shown: string, end: string): Promise<void> => {
    const isDone = await run(b('moving'), async (onPhase) => {
      try {
        await move(tree.uri, steps, onPhase);
      } finally {
        // Whatever came of it, what is shown is what there is.
        setPicked(new Map());
        setCut([]);
        await tree.reload(shown);
      }
    });
    if (isDone) said.value = end;
  };
  const moveTo = async (nodes: readonly Picked[], row: Row, zone: Zone): Promise<void> => {
    const target = targetAt(tree.root, row, zone);
    if (busy !== null || nodes.length === 0 || target === null) return;
    if (isWithin(nodes, target)) {
      said.value = b('own_below');
      return;
    }
    setLast({ nodes, to: target.parent });
    await runSteps(planMove(nodes, target), nodes[0]?.uri ?? '', b('was_moved', { count: nodes.length }));
  };
  return {
    picked,
    cut,
    busy,
    canUndo: last !== null,
    meant,
    pick(index, isOnly = false) {
      const node = at(index);
      if (node === null) return;
      const next = new Map(isOnly ? [] : picked);
      if (!isOnly && next.delete(node.uri)) setPicked(next);
      else setPicked(next.set(node.uri, node));
      said.value = saidOfPicked(next.size);
    },
    async pickTo(from, to) {
      const step = to < from ? -1 : 1;
      const indexes = Array.from({ length: Math.min(Math.abs(to - from) + 1, mostPicked) }, (_, n) => from + n * step);
      if (indexes.some((index) => at(index) === null)) await tree.load(from, indexes.at(-1) ?? from);
      const nodes = indexes.map(at).filter((node) => node !== null);
      // What is wrong is told above the tree.
      if (nodes.length < indexes.length) return;
      const next = new Map(latest.current);
      for (const node of nodes) if (next.size < mostPicked) next.set(node.uri, node);
      setPicked(next);
      said.value = saidOfPicked(next.size);
    },
    clear() {
      setPicked(new Map());
      setCut([]);
    },
    cutMeant() {
      const nodes = meant();
      setCut(nodes);
      setPicked(new Map());
      said.value = b('was_cut', { count: nodes.length });
    },
    async paste(zone) {
      const row = rowAt(tree.root, tree.active);
      if (row !== undefined) await moveTo(cut, row, zone);
    },
    moveTo,
    async undo() {
      if (last === null || busy !== null) return;
      setLast(null);
      await runSteps(planUndo(last.nodes, last.to), last.nodes[0]?.uri ?? '', b('was_undone'));
    },
    async publishAll(uris, isPublic) {
      if (busy !== null) return;
      const isDone = await run(b('publishing', { done: 0, count: uris.length }), async (onPhase) => {
        for (const [index, uri] of uris.entries()) {
          setBusy({ text: b('publishing', { done: index + 1, count: uris.length }), phase: null });
          await publish(uri, isPublic, onPhase);
        }
        setPicked(new Map());
        await tree.reload(null);
      });
      if (isDone) said.value = b('was_published');
    },
  };
}

/** A row as what is picked; null where it is not there yet. */
export function pickedAt(root: Branch, row: Row | undefined): Picked | null {
  if (row?.entry === undefined) return null;
  const { nodes, places } = wayTo(root, row.parent);
  return {
    uri: uriOf(row.entry),
    title: textOf(row.entry, 'title') ?? '',
    parent: row.parent.uri,
    position: row.position,
    above: nodes,
    path: [...places, row.position],
  };
}

/** Where something comes to that is put before, into or after a row; null where the row is not there yet. */
function targetAt(root: Branch, row: Row, zone: Zone): Target | null {
  if (row.entry === undefined) return null;
  const { nodes } = wayTo(root, row.parent);
  const inside = { parent: uriOf(row.entry), above: [...nodes, uriOf(row.entry)] };
  if (zone === 'into') return { ...inside, position: childrenOf(row.entry) };
  // Behind an open row is, to the eye, in front of its first child.
  if (zone === 'after' && row.parent.open.has(row.position)) return { ...inside, position: 0 };
  return { parent: row.parent.uri, above: nodes, position: row.position + (zone === 'after' ? 1 : 0) };
}

/** The nodes above the children of a branch, from the root down, with their places. */
function wayTo(
  root: Branch,
  branch: Branch,
): { readonly nodes: readonly string[]; readonly places: readonly number[] } {
  const up = above(root, branch);
  if (up === undefined) return { nodes: [], places: [] };
  const { nodes, places } = wayTo(root, up.parent);
  return { nodes: [...nodes, branch.uri ?? ''], places: [...places, up.position] };
}
