// Somebody adds components to a tree, somebody moves those of another one about, and somebody publishes and unpublishes a third one whole.
import { resourceBody } from '#test/support/records.ts';
import type { Actor, Stage } from './actor.ts';
import { idOf, pick } from './actor.ts';
import type { Client } from './client.ts';

/** A new resource for an actor. */
async function plant({ client, repo }: Stage, name: string): Promise<string> {
  return String((await client.certain(`${repo}/resources`, { json: resourceBody(name) }))['uri']);
}
const component = (root: string, title: string, level: string): object => ({ title, level, resource: { ref: root } });

/** Adds components. */
export async function componentsActor(stage: Stage, name: string): Promise<Actor> {
  const { client, repo } = stage;
  const root = await plant(stage, name);
  const sent = new Set<string>();
  const acknowledged = new Map<string, string>();
  return {
    name,
    acknowledged: () => acknowledged.size,
    act: async () => {
      const title = `${name} ${sent.size}`;
      sent.add(title);
      const outcome = await client.ask(`${repo}/archival_objects`, { json: component(root, title, 'file') });
      if (outcome.is === 'done') acknowledged.set(String(outcome.body['uri']), title);
      if (outcome.is === 'refused') client.faults.push(`${title}: ${outcome.status} ${outcome.text}`);
    },
    verify: async (stored) => {
      const found = new Map<string, string>();
      for (const { uri, title } of await stored.all(`${repo}/archival_objects`))
        if (String(title).startsWith(`${name} `)) found.set(String(uri), String(title));
      const titles = [...found.values()];
      const faults = [...acknowledged]
        .filter(([uri, title]) => found.get(uri) !== title)
        .map(([uri, title]) => `${uri} was acknowledged as ${title} and is ${found.get(uri) ?? 'not there'}`);
      faults.push(
        ...titles.filter((title) => !sent.has(title)).map((title) => `${title} is there, and nobody sent it`),
      );
      if (new Set(titles).size !== titles.length) faults.push(`components of ${name} are there twice`);
      const { child_count: count } = await client.certain(`${root}/tree/root`);
      if (count !== found.size) faults.push(`${root} counts ${String(count)} components and has ${found.size}`);
      return faults;
    },
  };
}

type Order = Map<string | null, string[]>;

/** The order of a tree: uris of the children of each node that has some, those of the root under null. */
async function orderOf(client: Client, root: string): Promise<Order> {
  const order: Order = new Map();
  const walk = (parent: string | null, children: unknown): void => {
    if (!Array.isArray(children) || children.length === 0) return;
    order.set(
      parent,
      children.map((child) => String(Object(child).record_uri)),
    );
    for (const child of children) walk(String(Object(child).record_uri), Object(child).children);
  };
  walk(null, (await client.certain(`${root}/tree`))['children']);
  return order;
}

/** Moves components between two series and the root. */
export async function movesActor(stage: Stage, name: string): Promise<Actor> {
  const { client, random, repo } = stage;
  const root = await plant(stage, name);
  const make = async (title: string, level: string): Promise<string> =>
    String((await client.certain(`${repo}/archival_objects`, { json: component(root, title, level) }))['uri']);
  const series = [await make(`${name} series 1`, 'series'), await make(`${name} series 2`, 'series')];
  const files: string[] = [];
  for (let n = 0; n < 10; n++) files.push(await make(`${name} file ${n}`, 'file'));
  let order = await orderOf(client, root);
  /** Where a node may be beside where it was last moved to: moves of which nothing is known. While there are some, the places among siblings are not known. */
  let perhaps = new Map<string, Set<string | null>>();
  let acknowledged = 0;
  const parentOf = (node: string): string | null =>
    [...order].find(([, children]) => children.includes(node))?.[0] ?? null;
  return {
    name,
    acknowledged: () => acknowledged,
    act: async () => {
      const node = pick(random, files) ?? '';
      const parent = pick(random, [null, ...series]) ?? null;
      const position = Math.floor(random() * 6);
      const query = parent === null ? '' : `&parent=${idOf(parent)}`;
      const outcome = await client.ask(`${node}/parent?position=${position}${query}`, { method: 'POST' });
      if (outcome.is === 'refused') client.faults.push(`move of ${node}: ${outcome.status} ${outcome.text}`);
      if (outcome.is === 'refused') return;
      // Also where it is known to be done: one of which nothing is known may be done after it yet.
      if (outcome.is === 'unknown' || perhaps.has(node))
        perhaps.set(node, new Set([...(perhaps.get(node) ?? [parentOf(node)]), parent]));
      if (outcome.is === 'unknown') return;
      acknowledged += 1;
      for (const [above, children] of order)
        order.set(
          above,
          children.filter((each) => each !== node),
        );
      const siblings = order.get(parent) ?? [];
      order.set(parent, siblings.toSpliced(Math.min(position, siblings.length), 0, node));
    },
    verify: async () => {
      const actual = await orderOf(client, root);
      const faults: string[] = [];
      const all = [...actual.values()].flat().sort();
      if (JSON.stringify(all) !== JSON.stringify([...series, ...files].sort()))
        faults.push(`the tree ${root} holds ${all.join(' ')}, and should hold ${[...series, ...files].join(' ')}`);
      for (const [parent, children] of actual)
        for (const node of children)
          if (!(perhaps.get(node) ?? new Set([parentOf(node)])).has(parent))
            faults.push(`${node} is under ${String(parent)} and was moved to ${String(parentOf(node))}`);
      const told = (given: Order): string => JSON.stringify([null, ...series].map((parent) => given.get(parent) ?? []));
      if (perhaps.size === 0 && told(actual) !== told(order))
        faults.push(`the tree ${root} has the order ${told(actual)}, and should have ${told(order)}`);
      // At rest nothing is under way: from here on it is known again.
      order = actual;
      perhaps = new Map();
      return faults;
    },
  };
}

/** Publishes and unpublishes a whole tree. */
export async function publishingActor(stage: Stage, name: string): Promise<Actor> {
  const { client, random, repo } = stage;
  const root = await plant(stage, name);
  const nodes: string[] = [];
  for (let n = 0; n < 8; n++)
    nodes.push(
      String(
        (await client.certain(`${repo}/archival_objects`, { json: component(root, `${name} ${n}`, 'file') }))['uri'],
      ),
    );
  let states = new Set([false]);
  let acknowledged = 0;
  return {
    name,
    acknowledged: () => acknowledged,
    act: async () => {
      const isPublished = random() < 0.5;
      const outcome = await client.ask(`${root}/${isPublished ? 'publish' : 'unpublish'}`, { method: 'POST' });
      if (outcome.is === 'refused') client.faults.push(`publishing of ${root}: ${outcome.status} ${outcome.text}`);
      if (outcome.is === 'unknown') states.add(isPublished);
      if (outcome.is !== 'done') return;
      acknowledged += 1;
      // One of which nothing is known may be done after it yet.
      states = states.size === 1 ? new Set([isPublished]) : states;
    },
    verify: async () => {
      const found = new Set<boolean>();
      for (const uri of [root, ...nodes]) found.add((await client.read(uri))?.['publish'] === true);
      const [state] = found;
      if (found.size !== 1 || state === undefined) return [`the tree ${root} is published in half`];
      const faults = states.has(state) ? [] : [`the tree ${root} is ${state ? '' : 'not '}published`];
      states = found;
      return faults;
    },
  };
}
