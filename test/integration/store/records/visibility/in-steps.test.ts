// Steps of publishing and suppressing, two records at a time: after all of them everything is as after one transaction, and between them searches are told of all that is hidden.
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Step } from '#store/records/visibility/in-steps.ts';
import { publishRecord, publishSteps } from '#store/records/visibility/publish.ts';
import { suppressRecord, suppressSteps } from '#store/records/visibility/suppress.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, resourceBody } from '#test/support/records.ts';
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
