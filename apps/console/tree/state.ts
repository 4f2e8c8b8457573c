// A tree as it is shown: what of it is open, which row somebody is on, and which are in sight. Only pieces that are in sight are asked for.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject } from '../../../libs/domain/json.ts';
import { query } from '../address.ts';
import { service } from '../session.ts';
import { firstBranch, openAgain, openTo } from './opening.ts';
import type { Branch, Row } from './waypoints.ts';
import { childrenOf, newBranch, rowAt, rowsOf, takePiece, uriOf, waypointSize } from './waypoints.ts';

/** Of a row, in pixels; the style sheet has the same. */
export const rowHeight = 34;
// Rows beyond both ends of what is in sight, so that quick scrolling shows few gaps.
const spare = 12;

/** A tree and what is done with it. Rows are counted from 0 over all that is open. */
export type TreeState = {
  readonly uri: string;
  readonly root: Branch;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly total: number;
  /** The row somebody is on. */
  readonly active: number;
  /** The first row that is made, those from there on, and how many the box has room for. */
  readonly from: number;
  readonly rows: readonly (Row | undefined)[];
  readonly room: number;
  readonly fault: unknown;
  readonly setFault: (fault: unknown) => void;
  /** Takes away what is told to be wrong, and asks again for what could not be had. */
  readonly goOn: () => void;
  readonly look: () => void;
  /** Goes to a row. */
  readonly show: (index: number) => void;
  /** Opens or closes a row. */
  readonly toggle: (row: Row) => void;
  /** Asks for what is not there yet of the rows between two, as far as it can be had. */
  readonly load: (from: number, to: number) => Promise<void>;
  /** Opens whatever is above a node, and goes to it. */
  readonly find: (node: string) => Promise<void>;
  /** Asks for the tree anew, opens what was open, and goes to a node. */
  readonly reload: (node: string | null) => Promise<void>;
};

/** The state of the tree of this root. */
export function useTree(uri: string, top: JsonObject): TreeState {
  const [root, setRoot] = useState(() => firstBranch(top));
  const [, setTurn] = useState(0);
  const [active, setActive] = useState(0);
  const [sight, setSight] = useState({ first: 0, count: 20 });
  const [fault, setFault] = useState<unknown>(null);
  // Why a piece could not be had. What goes wrong otherwise stays in sight whatever pieces come.
  const [missing, setMissing] = useState<unknown>(null);
  const box = useRef<HTMLDivElement>(null);
  const asked = useRef(new Map<Branch, Map<number, Promise<void>>>());
  // What was closed is there again when it is opened again.
  const closed = useRef(new Map<string, Branch>());
  const changed = (): void => setTurn((turn) => turn + 1);

  const fetchPiece = async (branch: Branch, number: number): Promise<void> => {
    try {
      const parent = branch.uri === null ? {} : { parent_node: branch.uri };
      takePiece(branch, number, await service.ask(`${uri}/tree/waypoint`, { query: { offset: number, ...parent } }));
      setMissing(null);
    } catch (error) {
      setMissing(error);
    } finally {
      asked.current.get(branch)?.delete(number);
      changed();
    }
  };
  // Who asks for what is on its way already waits for it too.
  const ask = async (branch: Branch, number: number): Promise<void> => {
    if (branch.pieces.has(number)) return;
    const waiting = asked.current.get(branch) ?? new Map<number, Promise<void>>();
    asked.current.set(branch, waiting);
    const piece = waiting.get(number) ?? fetchPiece(branch, number);
    waiting.set(number, piece);
    await piece;
  };
  const load = async (from: number, to: number): Promise<void> => {
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
      const row = rowAt(root, index);
      // One after the other: what comes says what is still missing.
      if (row !== undefined && row.entry === undefined) await ask(row.parent, Math.floor(row.position / waypointSize));
      if (rowAt(root, index)?.entry === undefined) return;
    }
  };
  const look = (): void => {
    const { scrollTop, clientHeight } = box.current ?? { scrollTop: 0, clientHeight: 600 };
    setSight({ first: Math.floor(scrollTop / rowHeight), count: Math.ceil(clientHeight / rowHeight) });
  };
  const show = (index: number): void => {
    setActive(index);
    const { current } = box;
    if (current === null) return;
    const [from, to] = [index * rowHeight, (index + 1) * rowHeight];
    if (from < current.scrollTop) current.scrollTop = from;
    else if (to > current.scrollTop + current.clientHeight) current.scrollTop = to - current.clientHeight;
  };
  const toggle = ({ parent, position, entry }: Row): void => {
    const open = parent.open.get(position);
    if (open !== undefined) {
      parent.open.delete(position);
      closed.current.set(uriOf(entry), open);
    } else if (childrenOf(entry) > 0)
      parent.open.set(
        position,
        closed.current.get(uriOf(entry)) ?? newBranch(uriOf(entry), parent.level + 1, childrenOf(entry)),
      );
    changed();
  };
  const goTo = async (node: string, branch: Branch): Promise<void> => {
    const index = await openTo(uri, node, branch, ask);
    // The rows that are made follow the next drawing; the box has its new height then.
    changed();
    if (index >= 0) requestAnimationFrame(() => show(index));
  };
  const reload = async (node: string | null): Promise<void> => {
    const next = await service.ask(`${uri}/tree/root`);
    const fresh = firstBranch(isObject(next) ? next : {});
    closed.current.clear();
    await openAgain(uri, root, fresh, ask);
    setRoot(fresh);
    if (node !== null) await goTo(node, fresh);
  };

  const total = rowsOf(root);
  const from = Math.max(0, Math.min(sight.first, total) - spare);
  const rows = Array.from({ length: Math.max(0, Math.min(total, sight.first + sight.count + spare) - from) }, (_, n) =>
    rowAt(root, from + n),
  );
  useEffect(() => {
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  useEffect(() => {
    if (missing !== null) return;
    for (const row of rows)
      if (row !== undefined && row.entry === undefined) void ask(row.parent, Math.floor(row.position / waypointSize));
  });
  useEffect(() => {
    const node = query.value.get('node');
    if (node !== null) goTo(node, root).catch(setFault);
  }, []);
  return {
    uri,
    root,
    box,
    total,
    active,
    from,
    rows,
    room: sight.count,
    fault: fault ?? missing,
    setFault,
    goOn: () => {
      setFault(null);
      setMissing(null);
    },
    look,
    show,
    toggle,
    load,
    find: (node) => goTo(node, root),
    reload,
  };
}
