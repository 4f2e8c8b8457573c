// What an import made: records by kind, and the uris of the tree roots among them, which are what people look for next.

/** Counts the records of an import. */
export type Tally = {
  add(uri: string): void;
  readonly counts: () => { readonly [kind: string]: number };
  readonly total: () => number;
  /** Uris of the resources and classifications: the first thousand. */
  readonly roots: () => readonly string[];
};

const rootKinds: ReadonlySet<string> = new Set(['resource', 'classification']);
const mostRoots = 1000;

/** An empty tally. */
export async function makeTally(): Promise<Tally> {
  // The registry of kinds takes as long to load as the rest of the command line four times over; only imports need it.
  const { parseUri } = await import('#domain/addresses.ts');
  const counts = new Map<string, number>();
  const roots = new Set<string>();
  let total = 0;
  return {
    add: (uri) => {
      total += 1;
      const kind = parseUri(uri)?.kind ?? 'record';
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (rootKinds.has(kind) && roots.size < mostRoots) roots.add(uri);
    },
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    total: () => total,
    roots: () => [...roots],
  };
}

/** Kinds and their numbers in words: '1 resource, 2,624 archival objects, 3 agents (person)'. */
export function wordsOf(counts: { readonly [kind: string]: number }): string {
  const first = Object.entries(counts).sort(([a], [b]) => Number(rootKinds.has(b)) - Number(rootKinds.has(a)));
  return first.map(([kind, number]) => `${number.toLocaleString('en-GB')} ${nameOf(kind, number)}`).join(', ');
}

function nameOf(kind: string, number: number): string {
  const agent = /^agent_(.+)$/.exec(kind)?.[1];
  const plural = number === 1 ? '' : 's';
  return agent === undefined
    ? `${kind.replaceAll('_', ' ')}${plural}`
    : `agent${plural} (${agent.replaceAll('_', ' ')})`;
}
