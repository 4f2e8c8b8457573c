// The transaction of a transfer: its cost, and that half of one never shows (contract 5.3).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { JobDeclaration } from '#domain/job.ts';
import type { JsonObject } from '#domain/json.ts';
import { deleteRepository as deleteDeclaration } from '#domain/jobs/delete-repository.ts';
import { transferComponent as componentDeclaration } from '#domain/jobs/transfer-component.ts';
import { transferRecord as declaration } from '#domain/jobs/transfer-record.ts';
import { transferRepository as repositoryDeclaration } from '#domain/jobs/transfer-repository.ts';
import { AnyRow } from '#test/support/rows.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteRecord } from '#store/records/deleting/delete.ts';
import type { Route } from '#store/transfers/carry.ts';
import type { Written } from '#store/records/writing/write.ts';
import { transferComponent } from '#store/transfers/component.ts';
import { transferRecord, transferRepository } from '#store/transfers/transfer.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { beside } from '#test/support/lock-waits.ts';
import { counting } from '#test/support/count-statements.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import type { JobHandler } from '../../../../apps/worker/handler.ts';
import { handler as deleteHandler } from '../../../../apps/worker/jobs/delete-repository.ts';
import { handler as componentHandler } from '../../../../apps/worker/jobs/transfer-component.ts';
import { handler } from '../../../../apps/worker/jobs/transfer-record.ts';
import { handler as repositoryHandler } from '../../../../apps/worker/jobs/transfer-repository.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';

let store: RecordStore;
let target = 0;
let made = 0;
beforeAll(async () => {
  store = await openRecordStore();
  const agent = await store.create('agent_corporate_entity', {
    names: [{ primary_name: 'The archive', source: 'local', sort_name_auto_generate: true }],
  });
  target = (await store.create('repository', { repo_code: 'TARGET', name: 'Target' })).id;
  await store.database.transaction((tx) =>
    tx.run(
      sql`UPDATE record SET body = with_property((body::jsonb || '{"agent_representation": 0}')::json, 'agent_representation', ${JSON.stringify({ ref: agent.uri })}::json) WHERE kind = 'repository' AND id = ${target}`,
    ),
  );
});
afterAll(async () => {
  expect(await checkTrees(store.database.reader)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

/** A resource with so many components, each with a container and an event of its own, and an event that speaks of something else too. */
async function resourceWith(count: number): Promise<number> {
  const root = await store.create('resource', resourceBody(`T${(made += 1)}`));
  const other = await store.create('resource', resourceBody(`T${(made += 1)}`));
  const agents = [{ ref: '/agents/corporate_entities/1', role: 'validator' }];
  const date = { date_type: 'single', label: 'event', begin: '2000' };
  for (let i = 0; i < count; i++) {
    const container = await store.create('top_container', { indicator: String(i), type: 'box' });
    const node = await store.create('archival_object', {
      title: `c${i}`,
      level: 'file',
      resource: { ref: root.uri },
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container.uri } } }],
    });
    await store.create('event', {
      event_type: 'accession',
      date,
      linked_agents: agents,
      linked_records: [{ ref: node.uri, role: 'source' }],
    });
    await store.create('event', {
      event_type: 'accession',
      date,
      linked_agents: agents,
      linked_records: [
        { ref: node.uri, role: 'source' },
        { ref: other.uri, role: 'source' },
      ],
    });
  }
  return root.id;
}

const at = '2026-01-01T00:00:00Z';

test('takes as many statements for sixty components as for three', async () => {
  const spent: number[] = [];
  for (const count of [3, 60]) {
    const id = await resourceWith(count);
    spent.push(
      await store.database.transaction(async (tx) => {
        const counted = counting(tx);
        expect(
          await transferRecord(
            counted.tx,
            kindNamed('resource'),
            id,
            { from: store.repoId, to: target, actor: 'tester' },
            { at, generatedValues },
          ),
        ).toBe(1 + 3 * count);
        return counted.count();
      }),
    );
  }
  expect(spent[1]).toBe(spent[0]);
});

test('killed before its end, leaves everything as it was; run again, is done once; a second one finds nothing to move', async () => {
  const id = await resourceWith(2);
  const payload = { kind: 'resource', id, from: store.repoId, to: target, actor: 'tester' };
  const before = await fingerprint();
  await expect(killedOnce(store.database, declaration, handler, payload)).rejects.toThrow('killed');
  expect(await fingerprint()).toEqual(before);
  expect(await runHandler(store.database, declaration, handler, payload)).toEqual({ moved: 7 });
  const after = await fingerprint();
  await expect(runHandler(store.database, declaration, handler, payload)).rejects.toMatchObject({ code: 'not_found' });
  expect(await fingerprint()).toEqual(after);
});

test('the jobs of repositories and components: killed, run, and run again', async () => {
  const [one, other] = [
    await store.create('repository', { repo_code: `K${(made += 1)}`, name: 'K' }),
    await store.create('repository', { repo_code: `K${(made += 1)}`, name: 'K' }),
  ];
  const [from, to] = [
    await store.create('resource', resourceBody(`T${(made += 1)}`), one.id),
    await store.create('resource', resourceBody(`T${(made += 1)}`), one.id),
  ];
  const node = await store.create(
    'archival_object',
    { title: 'n', level: 'file', resource: { ref: from.uri } },
    one.id,
  );
  const agent = '/agents/corporate_entities/1';
  const move = { repoId: one.id, componentId: node.id, resourceId: to.id, actor: 'tester', agentUri: agent };
  const all = { from: one.id, to: other.id, actor: 'tester' };
  const gone = { repoId: one.id, actor: 'tester', lockVersion: null };
  await isAllOrNothing(componentDeclaration, componentHandler, move, {
    event: expect.stringMatching(/\/events\/\d+$/),
  });
  // A second time the component goes to the end of where it is, and an event tells of that too.
  expect(await runHandler(store.database, componentDeclaration, componentHandler, move)).toEqual({
    event: expect.any(String),
  });
  await isAllOrNothing(repositoryDeclaration, repositoryHandler, all, { moved: 5 });
  expect(await runHandler(store.database, repositoryDeclaration, repositoryHandler, all)).toEqual({ moved: 0 });
  await isAllOrNothing(deleteDeclaration, deleteHandler, gone, { deleted: one.id });
  await expect(runHandler(store.database, deleteDeclaration, deleteHandler, gone)).rejects.toMatchObject({
    code: 'not_found',
  });
});

async function isAllOrNothing<Payload>(
  declared: JobDeclaration<Payload>,
  handle: JobHandler,
  payload: Payload,
  value: unknown,
): Promise<void> {
  const before = await fingerprint();
  await expect(killedOnce(store.database, declared, handle, payload)).rejects.toThrow('killed');
  expect(await fingerprint()).toEqual(before);
  expect(await runHandler(store.database, declared, handle, payload)).toEqual(value);
}

test('refuses a link to what is moving at the same time', async () => {
  const container = await store.create('top_container', { indicator: 'x' });
  const root = await store.create(
    'resource',
    resourceBody(`T${(made += 1)}`, {
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container.uri } } }],
    }),
  );
  const linking = await beside(
    store.database,
    (tx) =>
      transferRecord(
        tx,
        kindNamed('resource'),
        root.id,
        { from: store.repoId, to: target, actor: null },
        { at, generatedValues },
      ),
    () =>
      store
        .create(
          'resource',
          resourceBody(`T${(made += 1)}`, {
            instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container.uri } } }],
          }),
        )
        .catch((error: unknown) => error),
  );
  expect(linking).toMatchObject({ code: 'unknown_reference' });
});

test('leaves no ref in the copy of an event to an agent that is deleted beside it', async () => {
  const person = async (): Promise<string> =>
    (await store.create('agent_person', personBody(`Person ${(made += 1)}`))).uri;
  const [stays, goes] = [await person(), await person()];
  const [root, other] = [
    await store.create('resource', resourceBody(`T${(made += 1)}`)),
    await store.create('resource', resourceBody(`T${(made += 1)}`)),
  ];
  await store.create('event', {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    linked_agents: [stays, goes].map((ref) => ({ ref, role: 'validator' })),
    linked_records: [root, other].map(({ uri }) => ({ ref: uri, role: 'source' })),
  });
  const route = { from: store.repoId, to: target, actor: null };
  await beside(
    store.database,
    (tx) => transferRecord(tx, kindNamed('resource'), root.id, route, { at, generatedValues }),
    () => store.remove(goes),
  );
  expect(
    await store.database.reader.any(
      sql.type(
        AnyRow,
      )`SELECT repo_id FROM record WHERE kind = 'event' AND body::text LIKE ${`%"ref":"${stays}"%`} ORDER BY repo_id`,
    ),
  ).toEqual([{ repo_id: store.repoId }, { repo_id: target }]);
  expect(
    await store.database.reader.any(
      sql.type(AnyRow)`SELECT repo_id FROM record WHERE kind = 'event' AND body::text LIKE ${`%"ref":"${goes}"%`}`,
    ),
  ).toEqual([]);
});

const component = (root: string): JsonObject => ({ title: 'c', level: 'file', resource: { ref: root } });

/** A repository of its own with a resource of two components, and another to which it goes. */
async function ownRepository(): Promise<Route & { readonly root: string; readonly nodes: readonly string[] }> {
  const repository = async (): Promise<number> =>
    (await store.create('repository', { repo_code: `OWN${(made += 1)}`, name: 'Own' })).id;
  const [from, to] = [await repository(), await repository()];
  const root = await store.create('resource', resourceBody(`T${(made += 1)}`), from);
  const nodes = [
    await store.create('archival_object', component(root.uri), from),
    await store.create('archival_object', component(root.uri), from),
  ];
  return { from, to, actor: null, root: root.uri, nodes: nodes.map(({ uri }) => uri) };
}

test('a component that is being made when its repository is transferred goes along', async () => {
  const { root, ...route } = await ownRepository();
  const moved = await beside(
    store.database,
    (tx) => store.createIn(tx, 'archival_object', component(root), route.from),
    () => store.database.transaction((tx) => transferRepository(tx, route)),
  );
  expect(moved).toBe(4);
  const rows = await store.database.reader.any(
    sql.type(AnyRow)`SELECT FROM record WHERE kind = 'archival_object' AND repo_id = ${route.to}`,
  );
  expect(rows).toHaveLength(3);
});

test('what is deleted when its repository is transferred is neither counted nor told to be gone twice', async () => {
  const { nodes, ...route } = await ownRepository();
  const gone = nodes[1] ?? '';
  const moved = await beside(
    store.database,
    (tx) => deleteRecord(tx, kindNamed('archival_object'), Number(gone.split('/').at(-1)), route.from, null),
    () => store.database.transaction((tx) => transferRepository(tx, route)),
  );
  expect(moved).toBe(2);
  expect(await store.database.reader.any(sql.type(AnyRow)`SELECT FROM tombstone WHERE uri = ${gone}`)).toHaveLength(1);
});

test('an event that is being saved to speak of something else stays where that is', async () => {
  const [goes, stays] = [
    await store.create('resource', resourceBody(`T${(made += 1)}`)),
    await store.create('resource', resourceBody(`T${(made += 1)}`)),
  ];
  const event = await store.create('event', {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    linked_agents: [{ ref: '/agents/corporate_entities/1', role: 'validator' }],
    linked_records: [{ ref: goes.uri, role: 'source' }],
  });
  const body = { ...(await store.read(event.uri)), linked_records: [{ ref: stays.uri, role: 'source' }] };
  const route = { from: store.repoId, to: target, actor: null };
  const moved = await beside(
    store.database,
    (tx) => store.updateIn(tx, event.uri, body),
    () =>
      store.database.transaction((tx) =>
        transferRecord(tx, kindNamed('resource'), goes.id, route, { at, generatedValues }),
      ),
  );
  expect(moved).toBe(1);
  expect(await store.read(event.uri)).toMatchObject({ linked_records: [{ ref: stays.uri }] });
});

test('a component that was moved while its transfer waited goes from where it is then', async () => {
  const roots: Written[] = [];
  for (let n = 0; n < 3; n += 1) roots.push(await store.create('resource', resourceBody(`T${(made += 1)}`)));
  const { id: componentId } = await store.create('archival_object', component(roots[0]?.uri ?? ''));
  const move =
    (to: number) =>
    (tx: Transaction): Promise<string> =>
      transferComponent(
        tx,
        {
          repoId: store.repoId,
          componentId,
          resourceId: roots[to]?.id ?? 0,
          actor: null,
          agentUri: '/agents/corporate_entities/1',
        },
        { at, generatedValues },
      );
  const event = await beside(store.database, move(1), () => store.database.transaction(move(2)));
  expect(await store.read(event)).toMatchObject({
    linked_records: [{ ref: roots[1]?.uri }, { ref: roots[2]?.uri }, { role: 'transfer' }],
  });
});

test('moves a repository back and forth without a trace but dates', async () => {
  const rows = async () =>
    store.database.reader.any(sql.type(AnyRow)`
      SELECT kind, id, repo_id, body::text FROM record WHERE repo_id IS NOT NULL AND kind <> 'repository' ORDER BY 1, 2`);
  const before = await rows();
  const moving = async (from: number, to: number): Promise<number> =>
    store.database.transaction((tx) => transferRepository(tx, { from, to, actor: null }));
  const third = (await store.create('repository', { repo_code: 'THIRD', name: 'Third' })).id;
  expect(await moving(target, third)).toBeGreaterThan(0);
  expect(await rows()).not.toEqual(before);
  await moving(third, target);
  expect(await rows()).toEqual(before);
  expect(
    await store.database.reader.any(sql.type(AnyRow)`
      SELECT uri FROM tombstone t WHERE EXISTS (SELECT FROM record r WHERE record_uri(r.kind, r.id, r.repo_id) = t.uri)`),
  ).toEqual([]);
});

/** Everything that a transfer writes, as one value. */
async function fingerprint(): Promise<unknown> {
  return store.database.reader.any(sql.type(AnyRow)`
    SELECT 'record' AS t, kind || id || ' ' || coalesce(repo_id, 0) || body::text || system_mtime AS row FROM record UNION ALL SELECT 'link', source_kind || source_id || ' ' || ordinal || target_kind || target_id || coalesce(repo_id, 0) FROM link
    UNION ALL SELECT 'key', rule || scope || value FROM unique_key UNION ALL SELECT 'tombstone', uri FROM tombstone UNION ALL SELECT 'tree', repo_id || ' ' || id FROM tree_node UNION ALL SELECT 'change', seq::text FROM change ORDER BY 1, 2`);
}
