// Walks a tree of the service from its root down, in order, by the waypoints of 200 children that it answers with (contract trees 1.2, 1.4).
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsIn, objectsOf, textOf } from '#domain/json.ts';
import type { Client } from './client.ts';

/** A place of a tree: the root has depth 0. `dates` are as expressions, or begin and end. */
export type Place = {
  readonly depth: number;
  readonly uri: string;
  readonly title: string | null;
  readonly level: string | null;
  readonly identifier: string | null;
  readonly dates: readonly string[];
  readonly child_count: number;
};

// So many first waypoints of the next siblings are asked for while the present one is walked.
const ahead = 4;

/** The root and everything below it down to `depth`, depth first. Holds one waypoint a level. */
export async function* walkTree(
  client: Client,
  rootUri: string,
  depth: number,
): AsyncGenerator<Place, void, undefined> {
  const reply = await client.ask(`${rootUri}/tree/root`);
  const root = isObject(reply) ? reply : {};
  yield toPlace(root, 0);
  if (depth > 0)
    yield* walkChildren(
      client,
      { rootUri, most: depth },
      root,
      null,
      1,
      objectsOf(objectOf(objectOf(root, 'precomputed_waypoints'), ''), '0'),
    );
}

type Walk = { readonly rootUri: string; readonly most: number };

async function* walkChildren(
  client: Client,
  walk: Walk,
  parent: JsonObject,
  parentUri: string | null,
  depth: number,
  first: readonly JsonObject[],
): AsyncGenerator<Place, void, undefined> {
  const waypoints = Number(parent['waypoints'] ?? 0);
  for (let offset = 0; offset < waypoints; offset++) {
    const children = offset === 0 ? first : await readWaypoint(client, walk, parentUri, offset);
    const started = new Map<number, Promise<readonly JsonObject[]>>();
    for (const [index, child] of children.entries()) {
      yield toPlace(child, depth);
      if (depth >= walk.most || !hasChildren(child)) continue;
      startAhead(client, walk, children, index, started);
      const found = await started.get(index);
      started.delete(index);
      yield* walkChildren(client, walk, child, textOf(child, 'uri') ?? '', depth + 1, found ?? []);
    }
  }
}

/** Asks for the first waypoints of this child and the next ones that have children. */
function startAhead(
  client: Client,
  walk: Walk,
  children: readonly JsonObject[],
  from: number,
  started: Map<number, Promise<readonly JsonObject[]>>,
): void {
  let wanted = ahead;
  for (let index = from; index < children.length && wanted > 0; index++) {
    const child = children[index];
    if (child === undefined || !hasChildren(child)) continue;
    wanted -= 1;
    if (started.has(index)) continue;
    const asked = readWaypoint(client, walk, textOf(child, 'uri') ?? '', 0);
    // Whoever awaits it hears of the failure; a walk that ends before that does not care.
    asked.catch(() => undefined);
    started.set(index, asked);
  }
}

async function readWaypoint(
  client: Client,
  { rootUri }: Walk,
  parentUri: string | null,
  offset: number,
): Promise<readonly JsonObject[]> {
  const reply = await client.ask(`${rootUri}/tree/waypoint`, {
    query: { offset, parent_node: parentUri ?? undefined },
  });
  return objectsIn(reply);
}

const hasChildren = (record: JsonObject): boolean => Number(record['child_count'] ?? 0) > 0;

function toPlace(record: JsonObject, depth: number): Place {
  return {
    depth,
    uri: textOf(record, 'uri') ?? '',
    title: textOf(record, 'title') ?? null,
    level: textOf(record, 'level') ?? null,
    identifier: textOf(record, 'identifier') ?? null,
    dates: objectsOf(record, 'dates')
      .map(toDate)
      .filter((date) => date !== ''),
    child_count: Number(record['child_count'] ?? 0),
  };
}

function toDate(date: JsonObject): string {
  const expression = textOf(date, 'expression');
  if (expression !== undefined) return expression;
  return [textOf(date, 'begin'), textOf(date, 'end')].filter((end) => end !== undefined).join('–');
}
