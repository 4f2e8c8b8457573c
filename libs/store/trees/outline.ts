// The outline of a whole tree: ids and depths in reading order, and the texts that replies make of it, a chunk of records at a time.
// An outline of a million nodes is 8 MB; bodies are in memory by the hundred, and no connection is held while a client reads slowly.
import type { Json, JsonObject } from '#domain/json.ts';
import type { Reader } from '../connection/database.ts';
import type { Visibility } from './read.ts';
import type { TreeKey } from './conditions.ts';
import { walkTree } from './walk.ts';

/** Ids and depths of nodes in reading order; depth is 1 for the children of the root. */
export type Outline = { readonly ids: Int32Array; readonly depths: Int32Array };

/** Walks a tree once. Run it in a read-only transaction, or a move meanwhile may show a node twice or not at all. */
export async function readOutline(reader: Reader, tree: TreeKey, options: Visibility = {}): Promise<Outline> {
  const ids: number[] = [];
  const depths: number[] = [];
  for await (const step of walkTree(reader, tree, options)) {
    ids.push(step.id);
    depths.push(step.depth);
  }
  return { ids: Int32Array.from(ids), depths: Int32Array.from(depths) };
}

/** A node of an outline. */
export type OutlineNode = { readonly id: number; readonly depth: number };

/** Gives what a reply says of nodes, by id; ids without a record are left out. Called with some hundred nodes at a time. */
export type Describe<Said> = (nodes: readonly OutlineNode[]) => Promise<ReadonlyMap<number, Said>>;

const nodesAtOnce = 500;

function* chunks(outline: Outline): Generator<{ readonly first: number; readonly nodes: readonly OutlineNode[] }> {
  for (let first = 0; first < outline.ids.length; first += nodesAtOnce) {
    const depths = outline.depths.subarray(first, first + nodesAtOnce);
    yield {
      first,
      nodes: [...outline.ids.subarray(first, first + nodesAtOnce)].map((id, index) => ({
        id,
        depth: depths[index] ?? 1,
      })),
    };
  }
}

/** JSON text of what is said of the nodes in reading order, with commas between, and before unless `isFirst`; in chunks. */
export async function* flatTexts(
  outline: Outline,
  describe: Describe<readonly JsonObject[]>,
  isFirst: boolean,
): AsyncGenerator<string> {
  let isEmpty = isFirst;
  for (const { nodes } of chunks(outline)) {
    const said = await describe(nodes);
    const texts = nodes.flatMap(({ id }) => (said.get(id) ?? []).map((each) => JSON.stringify(each)));
    if (texts.length === 0) continue;
    yield `${isEmpty ? '' : ','}${texts.join(',')}`;
    isEmpty = false;
  }
}

/**
 * JSON text of the nested tree below `root`, in chunks: each object is what is said of it, `has_children` for nodes, and `children`. A
 * node without a record stands as an object with its children alone, which a consistent tree never has.
 */
export async function* nestedTexts(
  root: JsonObject,
  outline: Outline,
  describe: Describe<JsonObject>,
): AsyncGenerator<string> {
  let depth = 0;
  yield opened(root);
  for (const { first, nodes } of chunks(outline)) {
    const said = await describe(nodes);
    let text = '';
    for (const [index, { id, depth: here }] of nodes.entries()) {
      // After a parent comes its first child; after anything else what is deeper or as deep is closed first.
      if (here <= depth) text += `${']}'.repeat(depth - here + 1)},`;
      const hasChildren = (outline.depths[first + index + 1] ?? 0) > here;
      text += opened({ ...said.get(id), has_children: hasChildren });
      depth = here;
    }
    yield text;
  }
  yield ']}'.repeat(depth + 1);
}

/** An object's text up to the list of its children. */
function opened(object: { readonly [key: string]: Json | undefined }): string {
  const text = JSON.stringify(object);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"children":[`;
}
