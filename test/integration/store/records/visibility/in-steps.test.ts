// Steps of publishing and suppressing, two records at a time: after all of them everything is as after one transaction, and between them searches are told of all that is hidden.
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { z } from 'zod';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Transaction } from '#store/connection/database.ts';
import { transferRecord } from '#store/transfers/transfer.ts';
import { transferComponent } from '#store/transfers/component.ts';
import type { Step } from '#store/records/visibility/in-steps.ts';
import { publishRecord, publishSteps } from '#store/records/visibility/publish.ts';
import { suppressRecord, suppressSteps } from '#store/records/visibility/suppress.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { beside } from '#test/support/lock-waits.ts';
import { AnyRow } from '#test/support/rows.ts';

let store: RecordStore;
let made = 0;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => {
  expect((await checkDatabase(store.database)).filter(({ count }) => count > 0)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

type Planted = { readonly root: number; readonly series: number; readonly ids: readonly number[] };

/** A published resource of a series with three files, one of them unpublished, and a file beside the series; in two boxes that nothing else uses. */
async function plant(): Promise<Planted> {
  const name = `T${(made += 1)}`;
  const boxes = [
    await store.create('top_container', { indicator: `${name}a`, type: 'box' }),
    await store.create('top_container', { indicator: `${name}b`, type: 'box' }),
  ];
  const root = await store.create('resource', resourceBody(name, { publish: true }));
  const part = (n: number, more: object): ReturnType<typeof store.create> =>
    store.create('archival_object', {
      title: `Part ${n}`,
      level: 'file',
      publish: n !== 2,
      resource: { ref: root.uri },
      notes: [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: n === 1, content: ['A'] }],
      instances: [
        { instance_type: 'mixed_materials', sub_container: { top_container: { ref: boxes[n % 2]?.uri ?? '' } } },
      ],
      ...more,
    });
  const series = await part(0, {});
  const below = { parent: { ref: series.uri } };
  const others = [await part(1, below), await part(2, below), await part(3, below), await part(4, {})];
  return { root: root.id, series: series.id, ids: [series, ...others].map(({ id }) => id) };
}

/** What jobs change of a tree, with nothing that tells two such trees apart. */
const stateOf = async ({ root, ids }: Planted): Promise<unknown> =>
  store.database.reader.any(sql.type(AnyRow)`
    WITH own AS (SELECT 'resource'::text AS kind, ${root}::int AS id, 0::bigint AS n UNION ALL SELECT 'archival_object', id, n FROM unnest(${sql.array([...ids], 'int4')}) WITH ORDINALITY AS u (id, n))
    SELECT o.n, r.publish, r.suppressed, (SELECT string_agg(f[1], ',') FROM regexp_matches(r.body::text, '"publish":(true|false)', 'g') AS f) AS flags, t.visible,
      (SELECT string_agg(concat_ws(' ', v.op, v.actor, v.publish, v.suppressed), ', ' ORDER BY v.n) FROM revision v WHERE v.kind = o.kind AND v.id = o.id) AS history,
      (SELECT string_agg(l.suppressed::text, ',' ORDER BY l.ordinal) FROM link l WHERE l.source_kind = o.kind AND l.source_id = o.id) AS marks
    FROM own o JOIN record r ON r.kind = o.kind AND r.id = o.id LEFT JOIN tree_node t ON t.kind = 1 AND t.id = o.id AND o.kind = 'archival_object' ORDER BY o.n`);

const HiddenRow = z.strictObject({ key: column.text });
/** What searches leave out for the public, but for what was hidden before. */
async function hiddenIn(work: () => Promise<void>): Promise<readonly string[]> {
  await store.database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
  await work();
  const rows = await store.database.reader.any(
    sql.type(
      HiddenRow,
    )`SELECT DISTINCT kind || ' ' || id AS key FROM search_hidden WHERE reach IN ('public', 'suppressed') ORDER BY 1`,
  );
  return rows.map(({ key }) => key);
}

async function runAll(steps: readonly Step[]): Promise<number> {
  let written = 0;
  for (const step of steps) written += await store.database.transaction((tx) => step.work(tx));
  return written;
}

const works = (of: Planted, top: 'root' | 'series') => {
  const common = {
    kind: kindNamed(top === 'root' ? 'resource' : 'archival_object'),
    id: of[top],
    repoId: store.repoId,
    actor: 'tester',
  };
  const { database } = store;
  const publishing = (publish: boolean) => ({ ...common, publish, seesSuppressed: true });
  const suppressing = (suppressed: boolean) => ({ ...common, suppressed });
  return [
    {
      whole: () => database.transaction((tx) => publishRecord(tx, publishing(false))),
      steps: () => publishSteps(database.reader, publishing(false), 2),
    },
    {
      whole: () => database.transaction((tx) => publishRecord(tx, publishing(true))),
      steps: () => publishSteps(database.reader, publishing(true), 2),
    },
    {
      whole: () => database.transaction((tx) => suppressRecord(tx, suppressing(true))),
      steps: () => suppressSteps(database.reader, suppressing(true), 2),
    },
    {
      whole: () => database.transaction((tx) => suppressRecord(tx, suppressing(false))),
      steps: () => suppressSteps(database.reader, suppressing(false), 2),
    },
  ];
};

test.each(['root', 'series'] as const)(
  'all steps of a %s together do what one transaction does, and again nothing',
  async (top) => {
    const [one, other] = [await plant(), await plant()];
    const [whole, inSteps] = [works(one, top), works(other, top)];
    for (const [n, work] of whole.entries()) {
      const steps = (await inSteps[n]?.steps()) ?? [];
      expect(steps.length).toBeGreaterThan(2);
      expect(await runAll(steps)).toBe(await work.whole());
      expect(await stateOf(other)).toEqual(await stateOf(one));
      await runAll((await inSteps[n]?.steps()) ?? []);
      expect(await stateOf(other)).toEqual(await stateOf(one));
    }
  },
);

test.each([0, 2])('work %i hides all from searches with its first step', async (n) => {
  const [one, other] = [await plant(), await plant()];
  // The third component is unpublished already.
  const visible = ({ root, ids }: Planted): readonly string[] =>
    [`resource ${root}`, ...ids.filter((_, at) => at !== 2).map((id) => `archival_object ${id}`)].toSorted();
  const records = (keys: readonly string[]): readonly string[] =>
    keys.filter((key) => !key.startsWith('top_container'));
  const first = await hiddenIn(async () => {
    const [step] = (await works(one, 'root')[n]?.steps()) ?? [];
    await store.database.transaction(async (tx) => step?.work(tx));
  });
  expect(records(first)).toEqual(visible(one));
  // And the boxes that nothing else uses.
  expect(first.length - records(first).length).toBe(2);
  const whole = await hiddenIn(async () => void (await works(other, 'root')[n]?.whole()));
  expect(whole).toHaveLength(first.length + (n === 2 ? 1 : 0));
});

it('tells of each record where somebody shows the top between two steps', async () => {
  const planted = await plant();
  const [first, ...rest] = await publishSteps(
    store.database.reader,
    {
      kind: kindNamed('resource'),
      id: planted.root,
      repoId: store.repoId,
      actor: null,
      publish: false,
      seesSuppressed: true,
    },
    2,
  );
  await runAll(first === undefined ? [] : [first]);
  const uri = `/repositories/${store.repoId}/resources/${planted.root}`;
  await store.update(uri, { ...(await store.read(uri)), publish: true });
  const hidden = await hiddenIn(async () => void (await runAll(rest)));
  for (const id of planted.ids.filter((_, n) => n !== 2)) expect(hidden).toContain(`archival_object ${id}`);
});

/** Suppresses or shows a record of the store's repository by its uri. */
const suppress =
  (uri: string, suppressed: boolean) =>
  async (tx: Transaction): Promise<number> => {
    const { kind, id, repoId } = parseUri(uri) ?? { kind: '', id: 0, repoId: null };
    return suppressRecord(tx, { kind: kindNamed(kind), id, repoId, suppressed, actor: 'tester' });
  };
const inTransaction = async (work: (tx: Transaction) => Promise<unknown>): Promise<unknown> =>
  store.database.transaction(work).catch((error: unknown) => error);

async function accession(more: object = {}): Promise<string> {
  const body = { id_0: `A${(made += 1)}`, title: 'A', accession_date: '2000-01-01', ...more };
  return (await store.create('accession', body)).uri;
}

/** An event of these records. */
async function eventOf(...uris: readonly string[]): Promise<string> {
  const agent = await store.create('agent_person', personBody(`P${(made += 1)}`));
  const event = await store.create('event', {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    linked_agents: [{ ref: agent.uri, role: 'validator' }],
    linked_records: uris.map((ref) => ({ ref, role: 'source' })),
  });
  return event.uri;
}

test.each([
  [false, true, true],
  [true, false, false],
])(
  'of an event whose two records change at once (the first suppressed before: %s) each is heeded',
  async (before, first, isSuppressed) => {
    const [one, other] = [await accession(), await accession()];
    const event = await eventOf(one, other);
    if (before) await store.database.transaction(suppress(one, true));
    await beside(store.database, suppress(one, first), () => inTransaction(suppress(other, true)));
    expect(await store.read(event)).toMatchObject({ suppressed: isSuppressed });
  },
);

test('the event of a root alone is shown with it when it is shown in steps', async () => {
  const { root } = await plant();
  const event = await eventOf(`/repositories/${store.repoId}/resources/${root}`);
  const { database, repoId } = store;
  for (const suppressed of [true, false]) {
    const suppressing = { kind: kindNamed('resource'), id: root, repoId, suppressed, actor: null };
    await runAll(await suppressSteps(database.reader, suppressing, 2));
    expect(await store.read(event)).toMatchObject({ suppressed });
  }
});

test('a link between a record that is shown and one that is suppressed at once stays marked', async () => {
  const digital = await store.create('digital_object', { title: 'D', digital_object_id: `D${(made += 1)}` });
  const holder = await accession({
    instances: [{ instance_type: 'digital_object', digital_object: { ref: digital.uri } }],
  });
  await store.database.transaction(suppress(holder, true));
  await beside(store.database, suppress(digital.uri, true), () => inTransaction(suppress(holder, false)));
  expect(
    await store.database.reader.any(
      sql.type(AnyRow)`SELECT suppressed FROM link WHERE target_kind = 'digital_object' AND target_id = ${digital.id}`,
    ),
  ).toEqual([{ suppressed: true }]);
});

const time = { at: '2026-01-01T00:00:00Z', generatedValues: { newHexId: () => '0', publishDefault: false } };

test('what was transferred to another repository while it was waited for is not suppressed there', async () => {
  const agent = await store.create('agent_corporate_entity', {
    names: [{ primary_name: 'A', source: 'local', sort_name_auto_generate: true }],
  });
  const target = await store.create('repository', { repo_code: 'OTHER', name: 'Other' });
  await store.database.transaction((tx) =>
    tx.run(
      sql`UPDATE record SET body = with_property((body::jsonb || '{"agent_representation": 0}')::json, 'agent_representation', ${JSON.stringify({ ref: agent.uri })}::json) WHERE kind = 'repository' AND id = ${target.id}`,
    ),
  );
  const uri = await accession();
  const id = Number(uri.split('/').at(-1));
  const route = { from: store.repoId, to: target.id, actor: null };
  const refused = await beside(
    store.database,
    (tx) => transferRecord(tx, kindNamed('accession'), id, route, time),
    () => inTransaction(suppress(uri, true)),
  );
  expect(refused).toMatchObject({ code: 'not_found' });
  expect(await store.read(`/repositories/${target.id}/accessions/${id}`)).toMatchObject({ suppressed: false });
});

test.each([
  ['publishing', async (of: Planted) => works(of, 'root')[0]?.whole()],
  ['publishing in steps', async (of: Planted) => runAll((await works(of, 'root')[0]?.steps()) ?? [])],
  ['suppressing', async (of: Planted) => works(of, 'root')[2]?.whole()],
  ['suppressing in steps', async (of: Planted) => runAll((await works(of, 'root')[2]?.steps()) ?? [])],
])('%s knows in which tree a component is that was moved to another one meanwhile', async (_, work) => {
  const [planted, other] = [await plant(), await plant()];
  const move = { repoId: store.repoId, resourceId: other.root, componentId: planted.series };
  await beside(
    store.database,
    (tx) => transferComponent(tx, { ...move, actor: null, agentUri: null }, time),
    () => work(planted),
  );
  // That flags of trees and records are the same is looked at when all tests have run.
  expect((await checkDatabase(store.database)).filter(({ count }) => count > 0)).toEqual([]);
});
