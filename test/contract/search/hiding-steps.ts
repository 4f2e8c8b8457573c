// Ways in which records are hidden and shown, over HTTP, of a small world of records.
import { seededRandom } from '#test/support/random.ts';
import type { TestApi } from '#test/support/api.ts';

/** The records of a test: their uris by what they are, with the unique word of each title. `leaves` are among `nodes`. */
export type World = {
  readonly api: TestApi;
  readonly repositories: number[];
  readonly resources: string[];
  readonly nodes: string[];
  readonly leaves: string[];
  readonly others: string[];
  readonly words: Map<string, string>;
};

/** Takes one of a list. */
export type Pick = <T>(list: readonly T[]) => T;

/** Does something with what is picked, and says what. */
export type Step = (pick: Pick) => Promise<string>;

/** Picks the same for a seed. */
export function pickFrom(seed: number): Pick {
  const next = seededRandom(seed);
  return (list) => {
    const one = list[Math.floor(next() * list.length)];
    if (one === undefined) throw new Error('nothing to pick from');
    return one;
  };
}

/** The steps of a world. `showAll` shows again what can be. */
export function stepsOf({ api, repositories, resources, nodes, leaves, others, words }: World): {
  readonly hiding: readonly Step[];
  readonly showing: readonly Step[];
  showAll(): Promise<void>;
} {
  const known = (): readonly string[] => [...resources, ...nodes, ...others];
  const save = async (uri: string, change: object): Promise<number> =>
    (await api.post(uri, { ...(await api.get(uri)).json, ...change })).status;
  const suppress = (uri: string, state: boolean): Promise<unknown> => api.post(`${uri}/suppressed?suppressed=${state}`);

  const hiding: readonly Step[] = [
    async (pick) => {
      const uri = pick([...resources, ...nodes]);
      return `${uri} unpublished with all below: ${(await api.post(`${uri}/unpublish`)).status}`;
    },
    async (pick) => {
      const uri = pick(resources);
      return `${uri} saved as unpublished: ${await save(uri, { publish: false })}`;
    },
    async (pick) => {
      const uri = pick(nodes);
      return `${uri} saved as unpublished: ${await save(uri, { publish: false })}`;
    },
    async (pick) => {
      const uri = pick(others);
      return `${uri} saved as unpublished: ${await save(uri, { publish: false })}`;
    },
    async (pick) => {
      const uri = pick(known());
      await suppress(uri, true);
      return `${uri} suppressed`;
    },
    async (pick) => {
      const uri = pick([...leaves, ...others]);
      return `${uri} deleted: ${(await api.del(uri)).status}`;
    },
    async (pick) => {
      const uri = pick(repositories);
      return `${uri} of the repositories unpublished: ${await save(`/repositories/${uri}`, { publish: false })}`;
    },
    async (pick) => {
      const [uri, parent] = [pick(leaves), pick(nodes)];
      const id = parent.split('/').at(-1);
      return `${uri} moved below ${parent}: ${(await api.post(`${uri}/parent?parent=${id}&position=0`)).status}`;
    },
    async (pick) => {
      const uri = pick([...resources, ...others]);
      const from = Number(/\d+/.exec(uri)?.[0]);
      const to = repositories.find((id) => id !== from) ?? 0;
      const { status } = await api.post(`${uri}/transfer?target_repo=${encodeURIComponent(`/repositories/${to}`)}`);
      if (status === 200) await relocate();
      return `${uri} transferred to ${to}: ${status}`;
    },
  ];
  const showing: readonly Step[] = [
    async (pick) => {
      const uri = pick(resources);
      await suppress(uri, false);
      await api.post(`${uri}/publish`);
      return `${uri} shown again`;
    },
    async (pick) => {
      const uri = pick(nodes);
      await save(uri, { publish: true });
      return `${uri} saved as published`;
    },
    async (pick) => {
      const id = pick(repositories);
      await save(`/repositories/${id}`, { publish: true });
      return `${id} published`;
    },
  ];

  /** What was transferred has another uri: adds those under which records may be found now. */
  async function relocate(): Promise<void> {
    for (const list of [resources, nodes, leaves, others]) {
      for (const uri of [...list]) {
        for (const id of repositories) {
          const other = uri.replace(/^\/repositories\/\d+/, `/repositories/${id}`);
          if (!list.includes(other)) {
            list.push(other);
            words.set(other, words.get(uri) ?? '');
          }
        }
      }
    }
  }

  const showAll = async (): Promise<void> => {
    for (const uri of resources) {
      await suppress(uri, false);
      await api.post(`${uri}/publish`);
    }
    for (const id of repositories) await save(`/repositories/${id}`, { publish: true });
  };
  return { hiding, showing, showAll };
}
