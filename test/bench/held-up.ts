// Who waits beside merges, transfers and deletions of much, and a value that becomes another: the longest save of an unrelated record, in another tree of the repository, in another part of the same
// tree (a component saved, and one added), and of a record that holds what is merged, deleted or renamed, each beside the same with nothing else at work. Told besides: the longest
// that a statement of the API waited for a lock, and that the job held a tree. API, worker and PostgreSQL are processes of their own. BENCH_COMPONENTS sets the size; BENCH_PART=holders
// or =trees does one half, as what is written in the first is still indexed beside the second.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';
import type { Client } from './processes/client.ts';
import { connectClient } from './processes/client.ts';
import { besideHolders } from './processes/held-holders.ts';
import { startProcess } from './processes/spawn.ts';
import { acceptMany, componentsAtFront, containersOf, plant } from './processes/trees.ts';
import { watchHolds, watchLocks } from './processes/watched-locks.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 20_000);
const idleMs = Number(process.env['BENCH_IDLE_MS'] ?? 5000);
const part = process.env['BENCH_PART'];
/** What an editor of another part may wait (issue 17, 2). */
const targetMs = 200;

/** An answer; `link`: the header of that name. */
type Reply = { readonly status: number; readonly text: string; readonly link: string };

/** Somebody who does the same again and again, each time to what `at` gives. */
type Editor = { readonly name: string; readonly edit: (n: number) => Promise<number> };

/** Measures; with 20,000 components some three minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const environment = { DATABASE_URL: url, MUNIMENT_DATA_DIR: folder, MUNIMENT_JOB_WAIT_SECONDS: '3600' };
    await using api = await startProcess('apps/api/main.ts', environment);
    await using _worker = await startProcess('apps/worker/main.ts', environment);
    const client = await connectClient(api.url);
    const database = new pg.Client({ connectionString: url });
    await database.connect();
    try {
      return await measure(api.url, client, database, url);
    } finally {
      await database.end();
    }
  });
}

async function measure(api: string, client: Client, database: pg.Client, url: string): Promise<readonly BenchRow[]> {
  const ask = async (path: string, method = 'GET', body?: string): Promise<Reply> => {
    const headers = { 'x-service-session': client.session, 'content-type': 'application/json' };
    const reply = await fetch(`${api}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    return { status: reply.status, text: await reply.text(), link: reply.headers.get('link') ?? '' };
  };
  const must = async (path: string, method = 'GET', body?: string): Promise<Reply> => {
    const reply = await ask(path, method, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 500)}`);
    return reply;
  };
  const made = async (path: string, body: object): Promise<string> => String((await client.post(path, body))['uri']);
  // The repositories' agents stand in the event of a transfer.
  const [repo, other] = [
    await made('/repositories', { repo_code: 'one', name: 'One' }),
    await made('/repositories', { repo_code: 'other', name: 'Other' }),
  ];
  const repoId = Number(repo.split('/').at(-1));

  const save =
    (uris: () => readonly string[]): Editor['edit'] =>
    async (n) => {
      const uri = uris().at(n % uris().length) ?? '';
      const { status, text } = await ask(uri);
      if (status !== 200) return 0;
      const began = performance.now();
      await ask(uri, 'POST', text);
      return performance.now() - began;
    };
  const add =
    (root: () => string, parent: () => string | undefined): Editor['edit'] =>
    async (n) => {
      const above = parent();
      const body = {
        title: `Added ${n}`,
        level: 'file',
        resource: { ref: root() },
        ...(above === undefined ? {} : { parent: { ref: above } }),
      };
      const began = performance.now();
      await ask(`${repo}/archival_objects`, 'POST', JSON.stringify(body));
      return performance.now() - began;
    };

  const unrelated = await made(`${other}/accessions`, { id_0: 'A', title: 'Unrelated', accession_date: '2026-01-01' });
  const bystander = await plant(client, repoId, 'bystander', 1000);
  const tree = await plant(client, repoId, 'tree', components);
  const second = await plant(client, repoId, 'second', 2000);
  // One component with nearly all below it, and a series beside it that stays.
  const [large = '', ...series] = tree.series;
  const stays = series.at(-1) ?? '';
  await must(
    `${large}/accept_children?${series
      .slice(0, -1)
      .map((uri) => `children[]=${uri}`)
      .join('&')}&position=0`,
    'POST',
  );
  await database.query('VACUUM (ANALYZE)');
  const far = tree.components.slice(-900);
  let [home, neighbour] = [tree.root, stays];
  let near: readonly string[] = far;
  const boxesOf = async (uris: readonly string[]): Promise<readonly string[]> =>
    (await containersOf(database, uris)).map((id) => `${repo}/top_containers/${id}`);
  let boxes = await boxesOf(far);
  let shared = boxes;
  const editors: readonly Editor[] = [
    { name: 'a save of a record of another repository', edit: save(() => [unrelated]) },
    { name: 'a save of a component of another tree', edit: save(() => bystander.components) },
    {
      name: 'a component added to another tree',
      edit: add(
        () => bystander.root,
        () => undefined,
      ),
    },
    { name: 'a save in another part of the tree', edit: save(() => near) },
    {
      name: 'a component added to another part of the tree',
      edit: add(
        () => home,
        () => neighbour,
      ),
    },
    { name: 'a save of a record that holds it', edit: save(() => tree.components) },
    { name: 'a save of a container of another part', edit: save(() => boxes) },
    { name: 'a save of a container of what goes', edit: save(() => shared) },
  ];

  const over = new AbortController();
  const longest = new Map<string, number>();
  const editing = Promise.all(
    editors.map(async ({ name, edit }) => {
      for (let n = 1; !over.signal.aborted; n++) {
        const ms = await edit(n * 7).catch(() => 0);
        longest.set(name, Math.max(longest.get(name) ?? 0, ms));
        await sleep(40);
      }
    }),
  );
  const locks = watchLocks(url, over.signal);
  let passed: readonly number[] = [];
  const holds = watchHolds(url, () => passed, over.signal);
  await sleep(2000);
  longest.clear();
  await sleep(idleMs);
  const idle = new Map(longest);
  locks.take();
  const rows: BenchRow[] = [];
  const beside = async (job: string, names: readonly number[], work: () => Promise<unknown>): Promise<void> => {
    await sleep(500);
    longest.clear();
    locks.take();
    holds.take();
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    // Who waited for a lock looks again after a second at most (decision 0020), and is counted once it has been served.
    await sleep(1500);
    rows.push({ name: `${job}, the whole`, value: rounded(seconds), unit: 's' });
    for (const at of names) {
      const name = editors[at]?.name ?? '';
      const value = longest.get(name) ?? 0;
      rows.push({
        name: `${job}: ${name}, the longest`,
        value: rounded(value),
        unit: 'ms',
        baseline: rounded(idle.get(name) ?? 0),
        target: targetMs,
        pass: value <= targetMs,
      });
    }
    const waited = locks.take();
    rows.push({ name: `${job}: the longest wait of a statement for a lock`, value: rounded(waited.ms), unit: 'ms' });
    const { tree, notices } = holds.take();
    rows.push({
      name: `${job}: the longest that it held a tree in whose other parts somebody may work`,
      value: rounded(tree.ms),
      unit: 'ms',
      target: targetMs,
      pass: tree.ms <= targetMs,
    });
    // Who saves or adds needs no such lock; it lasts as long as the log takes to the disk, for which they wait as well.
    rows.push({
      name: `${job}: the longest that a commit held the lock on notices`,
      value: rounded(notices.ms),
      unit: 'ms',
    });
    if (process.env['BENCH_TELL'] === '1')
      process.stderr.write(
        `${[`${job} ${seconds.toFixed(1)} s`, ...waited.told, ' the tree', ...tree.told, ' notices', ...notices.told].join('\n')}\n`,
      );
  };
  const size = components.toLocaleString('en-GB');
  const merge = async (what: string, into: string, from: string): Promise<string> => {
    const asked = { merge_destination: { ref: into }, merge_candidates: [{ ref: from }] };
    const { link } = await must(`/merge_requests/${what}`, 'POST', JSON.stringify(asked));
    return /[/]merge_requests[/][0-9]+/.exec(link)?.[0] ?? '';
  };
  if (part !== 'trees')
    await besideHolders({ client, database, repo, components: tree.components, beside, must, made, merge });
  if (part !== 'holders') await besideTrees();
  over.abort();
  await editing;
  await Promise.all([locks.over, holds.over]);
  return rows;

  async function besideTrees(): Promise<void> {
    await beside(`transfer of a component of ${size} to another resource`, [0, 1, 2, 3, 4, 6], () =>
      must(`${repo}/component_transfers?target_resource=${second.root}&component=${large}`, 'POST'),
    );
    [home, neighbour] = [second.root, second.series.at(-1) ?? ''];
    near = second.components.slice(-900);
    boxes = await boxesOf(near);
    // The large one goes: it is the other that editors work in.
    const mergeIn = async (name: string, count: number, perSeries?: number): Promise<string> => {
      const third = await plant(client, repoId, name, count, perSeries);
      let job = '';
      await beside(`merge of a resource of ${name} into the other`, [0, 1, 2, 3, 4], async () => {
        passed = [Number(third.root.split('/').at(-1))];
        job = await merge(`resource?repo_id=${repoId}`, second.root, third.root);
      });
      passed = [];
      return job;
    };
    await mergeIn(size, components);
    await mergeIn('2,000 without series', 2000, 1);
    const merged = await mergeIn(`${size} without series`, components, 1);
    await beside(`undoing that merge`, [0, 1, 2, 3, 4], () => must(`${merged}/undo`, 'POST'));
    // The boxes stay, whether anything else is in them or not.
    shared = await boxesOf(tree.components.slice(0, components / 2));
    await beside(`deletion of a component of ${size}`, [0, 1, 2, 3, 4, 6, 7], () => must(large, 'DELETE'));
    const flat = await plant(client, repoId, 'moves', components, 1);
    const [target = '', neighbourOfTarget = '', ...moving] = flat.components;
    [home, neighbour, near] = [flat.root, neighbourOfTarget, [neighbourOfTarget]];
    await beside(`move of ${size} components to another list by one request`, [0, 1, 2, 3, 4], () =>
      acceptMany(api, client, target, moving),
    );
    await beside(`move of ${size} components within their list by one request`, [0, 1, 2, 3, 4], () =>
      acceptMany(api, client, target, moving.toReversed()),
    );
    await acceptMany(
      api,
      client,
      flat.root,
      moving.filter((_, n) => n % 2 === 0),
    );
    await beside(
      `move of ${size} components, every other of which is in the list, by one request`,
      [0, 1, 2, 3, 4],
      () => acceptMany(api, client, target, moving),
    );
    await beside(`import of ${size} components to the front of a list`, [0, 1, 2, 3, 4], () =>
      client.importBatch(repoId, componentsAtFront(repoId, flat.root, components)),
    );
    [home, neighbour] = [second.root, second.series.at(-1) ?? ''];
    near = second.components.slice(-900);
    passed = [Number(second.root.split('/').at(-1))];
    await beside(`transfer of a resource of ${size} to another repository`, [0, 1, 2], () =>
      must(`${second.root}/transfer?target_repo=${other}`, 'POST', '{}'),
    );
    shared = (await boxesOf(near)).map((uri) => uri.replace(repo, other));
    await beside(`deletion of a resource of ${size}`, [0, 1, 2, 7], () =>
      must(second.root.replace(repo, other), 'DELETE'),
    );
  }
}

if (import.meta.main) console.table(await run());
