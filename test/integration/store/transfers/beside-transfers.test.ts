// What others write while a record goes to another repository, or a component to another resource, begun at the statements in turn: nobody waits in a circle, and what was moved out meanwhile stays where it is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import { transferComponent } from '#store/transfers/component.ts';
import { transferRecord } from '#store/transfers/transfer.ts';
import { atEachStatement, beginAt } from '#test/support/begin-at.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';

let store: RecordStore;
let target = 0;
let agent = '';
beforeAll(async () => {
  store = await openRecordStore();
  agent = (await store.create('agent_person', personBody('Archivist'))).uri;
  target = (await store.create('repository', { repo_code: 'TARGET', name: 'Target' })).id;
  await store.database.transaction((tx) =>
    tx.run(
      sql`UPDATE record SET body = with_property((body::jsonb || '{"agent_representation": 0}')::json, 'agent_representation', ${JSON.stringify({ ref: agent })}::json) WHERE kind = 'repository' AND id = ${target}`,
    ),
  );
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

let made = 0;
type World = { readonly [name: string]: string };
/** Two resources, one with components and a related accession, and an event that speaks of both. */
async function world(): Promise<World> {
  const n = (made += 1);
  return store.database.transaction(async (tx) => {
    const make = async (kind: string, body: object): Promise<string> =>
      (await store.createIn(tx, kind, { ...body })).uri;
    const accession = await make('accession', { id_0: `A${n}`, accession_date: '2020-01-01' });
    const resource = await make('resource', resourceBody(`R${n}`, { related_accessions: [{ ref: accession }] }));
    const other = await make('resource', resourceBody(`O${n}`));
    const component = (title: string, more: object = {}): Promise<string> =>
      make('archival_object', { title, level: 'series', resource: { ref: resource }, ...more });
    const series = await component('s');
    const file = await component('f', { parent: { ref: series } });
    const event = await make('event', {
      event_type: 'accession',
      date: { date_type: 'single', label: 'event', begin: '2000' },
      linked_agents: [{ ref: agent, role: 'validator' }],
      linked_records: [resource, other].map((ref) => ({ ref, role: 'source' })),
    });
    return { accession, resource, other, series, file, event };
  });
}

const idOf = (uri: string | undefined): number => parseUri(uri ?? '')?.id ?? 0;
const time = { at: '2026-01-01T00:00:00Z', generatedValues };
type Work = (tx: Transaction, all: World) => Promise<unknown>;
const transfer: Work = (tx, all) =>
  transferRecord(
    tx,
    kindNamed('resource'),
    idOf(all['resource']),
    { from: store.repoId, to: target, actor: 'tester' },
    time,
  );
const carrySeries: Work = (tx, all) =>
  transferComponent(
    tx,
    {
      repoId: store.repoId,
      componentId: idOf(all['series']),
      resourceId: idOf(all['other']),
      actor: 'tester',
      agentUri: agent,
    },
    time,
  );
const remove =
  (name: string): Work =>
  (tx, all) =>
    deleteRecord(tx, kindNamed('resource'), idOf(all[name]), store.repoId, 'tester');
/** A save of what was read before: `change` is made to it. */
const save =
  (name: string, change: (all: World) => object = () => ({})): Work =>
  async (tx, all) => {
    const uri = all[name] ?? '';
    return store.updateIn(tx, uri, { ...(await store.read(uri)), ...change(all) });
  };
const giveSeries = save('series', (all) => ({ resource: { ref: all['other'] }, position: null }));

/** Does the one with the other begun at a statement of it: each is done, or refused since the other was faster, at the first try. */
async function besides(one: Work, other: Work, nth: number): Promise<{ readonly isReached: boolean }> {
  const all = await world();
  const refused = (error: unknown): void =>
    expect(['unknown_reference', 'not_found', 'stale_record']).toContain(Object(error).code);
  let tries = 0;
  const outcome = await beginAt(
    store.database,
    nth,
    // Taken back where it is refused, as the transaction would be.
    (tx) => tx.nested(() => one(tx, all)).catch(refused),
    () =>
      store.database
        .transaction((tx) => {
          tries += 1;
          return other(tx, all);
        })
        .catch(refused),
  );
  expect(tries).toBe(outcome.isReached ? 1 : 0);
  return outcome;
}

// A transfer to another repository takes a hundred statements.
test.each([
  ['a resource goes to another repository', 'an event that speaks of it is saved', transfer, save('event'), 11],
  [
    'a resource goes to another repository',
    'an accession that it is related to is saved',
    transfer,
    save('accession'),
    11,
  ],
  ['a component goes to another resource', 'the resource that it is in is deleted', carrySeries, remove('resource'), 5],
  ['a component goes to another resource', 'that resource is deleted', carrySeries, remove('other'), 5],
  ['a component goes to another resource', 'its own goes to another repository', carrySeries, transfer, 5],
])('%s, and %s', async (_, __, one, other, every) => {
  await atEachStatement((nth) => besides(one, other, nth), { every, few: 15 });
});

test('a save gives a component another resource, and its own goes to another repository: what went with the component stays', async () => {
  await atEachStatement((nth) => besides(giveSeries, transfer, nth), { every: 4, few: 10 });
});
