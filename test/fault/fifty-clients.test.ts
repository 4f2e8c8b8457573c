// Fifty clients write the same few records at once, in every way there is, thousands of times. Afterwards nothing is lost, nothing
// dangles, nothing is there twice, and no client has seen an error of the server.
import { seededRandom } from '#test/support/random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkDatabase } from '#store/check/check-database.ts';
import { column } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';
import { amount, isLong } from '#test/support/long.ts';

const clients = 50;
/** Replies that clients get, all of them together: as many on a machine that is busy. */
const replies = amount(600, 10_000);
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);

let api: TestApi;
let records: HttpRecords;
beforeAll(async () => {
  // What is indexed beside them is read by nobody here, and costs more than the writes: in a long run alone.
  api = await startTestApi({ worker: isLong || 'jobs', environment: { MUNIMENT_WORKER_CONCURRENCY: '4' } });
  records = await httpRecords(api);
});
afterAll(async () => api[Symbol.asyncDispose]());

/** Records by what they are; clients add what they make and take what they delete, without waiting for each other. */
type Shelf = {
  readonly [
    what in 'accessions' | 'agents' | 'subjects' | 'containers' | 'objects' | 'resources' | 'nodes' | 'events'
  ]: string[];
};

/** What the server said that it must not say. */
const bad: string[] = [];
/** Updates that were accepted, by uri. */
const accepted = new Map<string, number>();
const tally = new Map<string, number>();
const answered = (): number => tally.values().reduce((sum, times) => sum + times, 0);

function look(what: string, reply: Reply): Reply {
  tally.set(`${what} ${reply.status}`, (tally.get(`${what} ${reply.status}`) ?? 0) + 1);
  const isExpected =
    [200, 400, 403, 404, 409].includes(reply.status) && !/db_error|deadlock|Another writer/.test(reply.text);
  if (!isExpected && bad.length < 20) bad.push(`${what}: ${reply.status} ${reply.text.slice(0, 300)}`);
  return reply;
}

function client(number: number, shelf: Shelf): Promise<void> {
  const random = seededRandom(seed * 1000 + number);
  const pick = (list: readonly string[]): string =>
    list[Math.floor(random() * list.length)] ?? `/repositories/${records.repoId}/accessions/99999999`;
  const some = (list: readonly string[]): readonly { readonly ref: string }[] =>
    [...new Set([pick(list), pick(list)])].map((ref) => ({ ref }));
  const at = `/repositories/${records.repoId}`;
  let made = 0;
  const links = (): object => ({
    linked_agents: some(shelf.agents).map((link) => ({ ...link, role: 'creator' })),
    subjects: some(shelf.subjects),
    instances:
      random() < 0.5
        ? [{ instance_type: 'text', sub_container: { top_container: { ref: pick(shelf.containers) } } }]
        : [{ instance_type: 'digital_object', digital_object: { ref: pick(shelf.objects) } }],
  });
  const post = async (what: string, path: string, json?: unknown): Promise<Reply> =>
    look(what, await api.ask(path, { method: 'POST', ...(json === undefined ? {} : { json }) }));
  const keep = (reply: Reply, list: string[]): void => {
    if (reply.status === 200) list.push(reply.json.uri);
  };
  const drop = async (list: string[], least: number): Promise<void> => {
    if (list.length <= least) return;
    const uri = list.splice(Math.floor(random() * list.length), 1)[0] ?? '';
    look('delete', await api.del(uri));
  };
  const update = async (uri: string): Promise<void> => {
    const { status, json } = look('read', await api.get(uri));
    if (status !== 200) return;
    const count = Number(/#(\d+)/.exec(String(json.title))?.[1] ?? 0);
    const reply = await post('update', uri, {
      ...json,
      title: `Counted #${count + 1}`,
      ...(random() < 0.5 && !uri.includes('/resources/') ? links() : {}),
    });
    if (reply.status === 200) accepted.set(uri, (accepted.get(uri) ?? 0) + 1);
  };
  const acts: readonly (() => Promise<void>)[] = [
    async () =>
      keep(
        await post('create', `${at}/accessions`, {
          id_0: random() < 0.3 ? `SAME${Math.floor(random() * 40)}` : `${number}-${++made}`,
          accession_date: '2020-01-01',
          title: 'Counted #0',
          ...links(),
        }),
        shelf.accessions,
      ),
    () => update(pick(shelf.accessions)),
    () => update(pick(shelf.nodes)),
    () => update(pick(shelf.resources)),
    async () =>
      keep(
        await post('create', `${at}/archival_objects`, {
          title: 'Counted #0',
          level: 'file',
          resource: { ref: pick(shelf.resources) },
          ...(random() < 0.5 ? { parent: { ref: pick(shelf.nodes) } } : {}),
          ...links(),
        }),
        shelf.nodes,
      ),
    async () =>
      void (await post(
        'publish',
        `${pick(random() < 0.3 ? shelf.resources : shelf.nodes)}/${random() < 0.5 ? 'publish' : 'unpublish'}`,
      )),
    async () =>
      void (await post(
        'suppress',
        `${pick([shelf.accessions, shelf.nodes, shelf.objects, shelf.events, shelf.resources][Math.floor(random() * 5)] ?? [])}/suppressed?suppressed=${random() < 0.4}`,
      )),
    async () =>
      void (await post(
        'move',
        `${pick(shelf.nodes)}/parent?position=${Math.floor(random() * 5)}${random() < 0.5 ? `&parent=${pick(shelf.nodes).split('/').at(-1)}` : ''}`,
      )),
    async () =>
      keep(
        await post('event', `${at}/events`, {
          event_type: 'accession',
          date: { date_type: 'single', label: 'event', begin: '2000' },
          linked_agents: [{ ref: pick(shelf.agents), role: 'validator' }],
          linked_records: some([...shelf.accessions, ...shelf.nodes]).map((link) => ({ ...link, role: 'source' })),
        }),
        shelf.events,
      ),
    async () =>
      keep(
        await post('agent', '/agents/people', {
          names: [{ primary_name: `P${number}-${++made}`, name_order: 'direct', sort_name_auto_generate: true }],
        }),
        shelf.agents,
      ),
    async () =>
      keep(
        await post('subject', '/subjects', {
          vocabulary: '/vocabularies/1',
          source: 'local',
          terms: [{ term: `T${Math.floor(random() * 60)}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
        }),
        shelf.subjects,
      ),
    async () =>
      keep(
        await post('container', `${at}/top_containers`, {
          indicator: String(made),
          barcode: `B${Math.floor(random() * 80)}`,
        }),
        shelf.containers,
      ),
    () => drop(shelf.accessions, 8),
    () => drop(shelf.nodes, 12),
    () => drop(shelf.agents, 3),
    () => drop(shelf.subjects, 3),
    () => drop(shelf.containers, 3),
    async () => {
      const uris = [pick(shelf.accessions), pick(shelf.nodes), pick(shelf.agents)];
      if (shelf.nodes.length > 15)
        look(
          'batch delete',
          await api.ask('/batch_delete', {
            form: new URLSearchParams(uris.map((uri): [string, string] => ['record_uris[]', uri])),
          }),
        );
    },
  ];
  const next = async (): Promise<void> => {
    if (answered() >= replies) return;
    await acts[Math.floor(random() * acts.length)]?.();
    return next();
  };
  return next();
}

test('fifty clients leave a sound database and see no error of the server', async () => {
  const several = (kind: string, count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => records.make(kind)));
  const resources = await several('resource', 2);
  const shelf: Shelf = {
    accessions: await several('accession', 6),
    agents: await several('agent_person', 4),
    subjects: await several('subject', 4),
    containers: await several('top_container', 4),
    objects: await several('digital_object', 3),
    resources,
    nodes: await Promise.all(
      resources.flatMap((ref) =>
        Array.from({ length: 6 }, () => records.make('archival_object', { resource: { ref } })),
      ),
    ),
    events: await several('event', 2),
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number, shelf)));

  const told = `seed ${seed}; ${[...tally]
    .sort()
    .map(([what, times]) => `${what}: ${times}`)
    .join(', ')}`;
  if (process.env['TEST_TELLS'] !== undefined) {
    const { deadlocks } = await api.database.reader.one(sql.type(z.strictObject({ deadlocks: column.int }))`
      SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`);
    process.stdout.write(`${told}; deadlocks ${deadlocks}\n`);
  }
  expect(bad, told).toEqual([]);
  expect(await checkDatabase(api.database), told).toEqual([]);
  // No update is lost: each that was accepted has counted on, and raised the version.
  const rows = await api.database.reader.any(sql.type(
    z.strictObject({ uri: column.text, lock_version: column.int, counted: column.int }),
  )`
    SELECT record_uri(kind, id, repo_id) AS uri, lock_version, coalesce(substring(body->>'title' FROM '#(\\d+)'), '0')::int AS counted FROM record WHERE kind IN ('accession', 'archival_object', 'resource')`);
  const lost = rows.filter(
    (row) => row.lock_version !== row.counted || row.lock_version !== (accepted.get(row.uri) ?? 0),
  );
  expect(lost, told).toEqual([]);
  const twice = await api.database.reader.any(sql.type(AnyRow)`
    SELECT body->>'id_0' FROM record WHERE kind = 'accession' GROUP BY 1 HAVING count(*) > 1`);
  expect(twice, told).toEqual([]);
});
