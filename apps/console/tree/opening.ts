// Opening a tree as far as a node, and anew as far as it was open.
import { ServiceError } from '../../../libs/client/errors.ts';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { service } from '../session.ts';
import type { Branch } from './waypoints.ts';
import { childrenOf, indexOf, newBranch, takePiece, uriOf, waypointSize } from './waypoints.ts';

/** Asks for a piece of a branch that is not there yet. */
export type AskPiece = (branch: Branch, number: number) => Promise<void>;

// So many nodes are opened again after a change; what else was open is closed.
const mostOpenedAgain = 100;

/** The root with its first piece, which comes with it. */
export function firstBranch(top: JsonObject): Branch {
  const root = newBranch(null, 1, childrenOf(top));
  const piece = objectOf(objectOf(top, 'precomputed_waypoints'), '')?.['0'];
  if (Array.isArray(piece)) takePiece(root, 0, piece);
  return root;
}

/** Opens whatever is above a node, and gives its row; -1 where it is not in the tree. */
export async function openTo(uri: string, node: string, root: Branch, ask: AskPiece): Promise<number> {
  const found = await openEach(uri, [node], root, ask);
  const place = found.get(node);
  return place === undefined ? -1 : indexOf(root, place.branch, place.position);
}

/** Opens the nodes that were open in another state of the tree, where they still are. */
export async function openAgain(uri: string, before: Branch, root: Branch, ask: AskPiece): Promise<void> {
  const nodes = openIn(before).slice(0, mostOpenedAgain);
  // Where one of them is gone meanwhile, the tree begins closed.
  const places = await openEach(uri, nodes, root, ask).catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 404) return new Map<string, Place>();
    throw error;
  });
  for (const { branch, position, entry } of places.values())
    if (childrenOf(entry) > 0 && !branch.open.has(position))
      branch.open.set(position, newBranch(uriOf(entry), branch.level + 1, childrenOf(entry)));
}

const openIn = (branch: Branch): readonly string[] =>
  [...branch.open.values()].flatMap((child) => [child.uri ?? '', ...openIn(child)]);

type Place = { readonly branch: Branch; readonly position: number; readonly entry: JsonObject | undefined };

async function openEach(
  uri: string,
  nodes: readonly string[],
  root: Branch,
  ask: AskPiece,
): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  if (nodes.length === 0) return places;
  const ids = nodes.map((node) => node.split('/').at(-1) ?? '');
  const answer = await service.ask(`${uri}/tree/node_from_root`, { query: { node_ids: ids } });
  for (const node of nodes) {
    const steps = isObject(answer) ? objectsOf(answer, node.split('/').at(-1) ?? '') : [];
    const place = await follow(steps, node, root, ask);
    if (place !== null) places.set(node, place);
  }
  return places;
}

async function follow(steps: readonly JsonObject[], node: string, root: Branch, ask: AskPiece): Promise<Place | null> {
  let branch = root;
  for (const [n, step] of steps.entries()) {
    const number = Number(step['offset'] ?? 0);
    // Each branch hangs on the piece before it.
    await ask(branch, number);
    const wanted = textOf(steps[n + 1], 'node') ?? node;
    const at = branch.pieces.get(number)?.findIndex((entry) => uriOf(entry) === wanted) ?? -1;
    if (at < 0) return null;
    const position = number * waypointSize + at;
    const entry = branch.pieces.get(number)?.[at];
    if (n === steps.length - 1) return { branch, position, entry };
    const next = branch.open.get(position) ?? newBranch(wanted, branch.level + 1, childrenOf(entry));
    branch.open.set(position, next);
    branch = next;
  }
  return null;
}
