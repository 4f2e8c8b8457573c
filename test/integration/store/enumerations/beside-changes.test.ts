// What others write while a value of a controlled list is renamed, merged into another or deleted, begun at the statements of each in turn: nobody waits in a circle, and no use of the value is left that nobody follows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { readEnumeration } from '#store/enumerations/lists.ts';
import { updateValue } from '#store/enumerations/update-value.ts';
import { migrateValue, updateEnumeration } from '#store/enumerations/update.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { besideEachOther } from '#test/support/begin-at.ts';
import { isLong } from '#test/support/long.ts';
import { addressOf, friends, linkedRecords } from '#test/support/make/linked-records.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody } from '#test/support/records.ts';

let store: RecordStore;
let make: ReturnType<typeof linkedRecords>;
beforeAll(async () => {
  store = await openRecordStore();
  make = linkedRecords(store);
});
afterAll(async () => {
  expect(await checkDatabase(store.database)).toEqual([]);
  await store[Symbol.asyncDispose]();
});

type World = { readonly [name: string]: string };
const file = (use: string): JsonObject => ({ file_versions: [{ file_uri: 'http://x.org/1', use_statement: use }] });
const context = { actor: 'tester', trims: false };
type List = { readonly id: number; readonly version: number; readonly values: readonly JsonObject[] };
const listOf = async (name: string): Promise<List> => {
  const list = await readEnumeration(store.database.reader, { name });
  return {
    id: Number(String(list['uri']).split('/').at(-1)),
    version: Number(list['lock_version']),
    values: list['enumeration_values'] as JsonObject[],
  };
};
const uses = 'file_version_use_statement';
const eras = 'date_era';

/** A digital object with two pages, of which the files have one use; and two related agents, of whom each and their relation have dates of one era. */
async function world(): Promise<World> {
  const n = make.next();
  const create = async (kind: string, body: JsonObject): Promise<string> => (await store.create(kind, body)).uri;
  const date = {
    jsonmodel_type: 'structured_date_label',
    date_label: 'existence',
    date_type_structured: 'single',
    date_era: 'ce',
    structured_date_single: { date_role: 'begin', date_expression: '1900' },
  };
  const object = await create('digital_object', {
    title: `D${n}`,
    digital_object_id: `D${n}`,
    ...file('image-service'),
  });
  const page = (title: string) =>
    create('digital_object_component', {
      title: `${title}${n}`,
      digital_object: { ref: object },
      ...file('image-service'),
    });
  const [one, two] = [await page('1'), await page('2')];
  const third = await create('agent_person', personBody(`Third ${n}`));
  const first = await create('agent_person', personBody(`First ${n}`, { dates_of_existence: [date] }));
  const second = await create('agent_person', personBody(`Second ${n}`, { dates_of_existence: [date] }));
  await store.update(third, {
    ...(await store.read(third)),
    related_agents: [
      { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: first, dates: date },
    ],
  });
  return { n, object, one, two, first, second, third };
}

type Work = (all: World) => Promise<(tx: Transaction) => Promise<unknown>>;
const deleting =
  (name: string): Work =>
  async (all) =>
    make.deleting(all[name] ?? '');
const saving =
  (name: string, change: (all: World) => JsonObject = () => ({})): Work =>
  (all) =>
    make.saving(all[name] ?? '', change(all));

/** The value under a new name, and back. */
const renaming =
  (name: string, value: string): Work =>
  async () => {
    const { values } = await listOf(name);
    const row = values.find((each) => String(each['value']).startsWith(value));
    const next = row?.['value'] === value ? `${value}x` : value;
    return (tx) => updateValue(tx, Number(row?.['id']), { value: next }, row?.['lock_version'], context);
  };

type Case = readonly [string, string, string, Work];
const met: readonly Case[] = [
  ['the deletion of a page', uses, 'image-service', deleting('one')],
  ['a save of an agent that drops a relation', eras, 'ce', saving('third', () => ({ related_agents: [] }))],
];
// These found nothing, or met the same.
const more: readonly Case[] = [
  [
    'the publishing of the digital object',
    uses,
    'image-service',
    async (all) => (tx) =>
      publishRecord(tx, { ...addressOf(all['object'] ?? ''), publish: true, seesSuppressed: true, actor: 'tester' }),
  ],
  ['a save of the other agent that drops it', eras, 'ce', saving('first', () => ({ related_agents: [] }))],
  ['the deletion of an agent', eras, 'ce', deleting('first')],
  ['a save that relates others', eras, 'ce', saving('second', (all) => friends(all['third'] ?? ''))],
];

test.each(isLong ? [...met, ...more] : met)('a value is renamed beside %s', async (_, list, value, other) => {
  await besideEachOther(store.database, async () => {
    const all = await world();
    return { one: await renaming(list, value)(all), other: await other(all) };
  });
});

/** How many records use a value that is in no list, beside those that the service follows. */
const left = async (list: string): Promise<number> =>
  (
    await store.database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM record r CROSS JOIN LATERAL jsonb_path_query(r.body::jsonb, '$.file_versions[*].use_statement') AS v
      WHERE r.kind IN ('digital_object', 'digital_object_component')
        AND NOT EXISTS (SELECT FROM enumeration_value e JOIN enumeration l ON l.id = e.enumeration_id WHERE l.name = ${list} AND to_jsonb(e.value) = v)
        AND NOT EXISTS (SELECT FROM retired_value t JOIN enumeration l ON l.id = t.enumeration_id WHERE l.name = ${list} AND to_jsonb(t.value) = v)`)
  ).n;

const adding = async (value: string): Promise<void> => {
  const { id, version, values } = await listOf(uses);
  await store.database.transaction((tx) =>
    updateEnumeration(tx, id, { values: [...values.map((each) => String(each['value'])), value] }, version, context),
  );
};

// The store of these tests checks bodies by the lists as they are delivered, as a process does that has not heard of a change yet.
test.each<readonly [string, (list: List) => (tx: Transaction) => Promise<unknown>]>([
  [
    'deleted',
    ({ id, version, values }) =>
      (tx) =>
        updateEnumeration(
          tx,
          id,
          { values: values.map((each) => String(each['value'])).filter((value) => value !== 'audio-service') },
          version,
          context,
        ),
  ],
  [
    'merged into another',
    ({ id }) =>
      (tx) =>
        migrateValue(tx, id, 'audio-service', 'audio-clip', context),
  ],
])('a value is %s beside a save that uses it', async (_, change) => {
  await besideEachOther(
    store.database,
    async () => {
      const { values } = await listOf(uses);
      if (!values.some((each) => each['value'] === 'audio-service')) await adding('audio-service');
      const object = (await store.create('digital_object', { title: 'D', digital_object_id: `U${make.next()}` })).uri;
      return {
        one: change(await listOf(uses)),
        other: await make.saving(object, file('audio-service')),
        check: async () => expect(await left(uses)).toBe(0),
      };
    },
    { every: 4 },
  );
});
