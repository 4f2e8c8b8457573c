// Custom reports of every record type against what the API gives of the same records: each field, each order, each condition at its
// narrowest, limits, and the parts beside them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '#domain/json.ts';
import { readCustomChoice } from '#domain/reports/custom.ts';
import type { Properties } from '#domain/schema/property.ts';
import { RightsStatement } from '#domain/subrecords/rights-statement.ts';
import { customStatement, readCustomCatalogue } from '#store/reports/custom.ts';
import { withReportRows } from '#store/reports/stream.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

/** The field by which the rows of the test's own records are known; of rights statements that of the part, told apart by their resources. */
const keys: { readonly [type: string]: string } = {
  accession: 'identifier',
  agent: 'name',
  archival_object: 'ref_id',
  assessment: 'purpose',
  classification: 'identifier',
  digital_object: 'digital_object_id',
  digital_object_component: 'component_id',
  event: 'outcome_note',
  location: 'building',
  resource: 'identifier',
  rights_statement: 'license_terms',
  subject: 'title',
  user: 'username',
};
const agentKinds = ['agent_person', 'agent_family', 'agent_corporate_entity', 'agent_person'] as const;
// The second record made comes first in every order, so that no order is that of ids; the last has nothing but its key.
const ranks = ['b', 'a', 'c', 'd'] as const;
type Rank = (typeof ranks)[number];

/** How many values of a list are conditions. */
const mostChosen = 3;
const catalogue = readCustomCatalogue();
type Field = { readonly name: string; readonly type: string; readonly isSortable: boolean };
const fieldsIn = (of: Json | undefined): readonly Field[] =>
  objectsOf(isObject(of) ? of : {}, 'fields').map((field) => ({
    name: textOf(field, 'name') ?? '',
    type: textOf(field, 'data_type') ?? '',
    isSortable: field['sortable'] === true,
  }));

let api: TestApi;
let records: HttpRecords;
type ListValue = { readonly id: number; readonly value: string };
let lists: ReadonlyMap<string, readonly ListValue[]>;
/** The values of a list that no field has, equal to those of the lists that fields have. */
let twins: readonly ListValue[];

beforeAll(async () => {
  api = await startTestApi({ worker: false });
  records = await httpRecords(api);
  const values = await api.database.reader.any(sql.type(
    z.strictObject({ name: column.text, id: column.int, value: column.text }),
  )`SELECT e.name, v.id, v.value FROM enumeration_value v JOIN enumeration e ON e.id = v.enumeration_id
    WHERE NOT v.suppressed AND v.value NOT IN ('otherlevel', 'other_unmapped', 'other') ORDER BY e.name, v.value`);
  lists = Map.groupBy(values, ({ name }) => name);
  const used = Object.keys(keys).flatMap((type) =>
    fieldsIn(catalogue[type]).flatMap(({ name }) =>
      listOf(type, name)
        .slice(0, mostChosen)
        .map(({ value }) => value),
    ),
  );
  const made = await api.post('/config/enumerations', { name: 'twins', values: [...new Set(used)] });
  twins = (await api.get(made.json.uri)).json.enumeration_values;
});
afterAll(() => api[Symbol.asyncDispose]());

const propertiesOf = (type: string): Properties =>
  type === 'rights_statement' ? RightsStatement.properties : type === 'agent' ? {} : kindNamed(type).properties;

/** The values of the list of a field. */
function listOf(type: string, name: string): readonly ListValue[] {
  const property = propertiesOf(type)[name];
  return property?.type === 'string' && property.enumeration !== undefined
    ? (lists.get(property.enumeration) ?? [])
    : [];
}

/** What a record of a rank holds in a field; days of one field follow each other. */
function valueFor(type: string, { name, type: dataType }: Field, rank: Rank, at: number): Json | undefined {
  const place = ['a', 'b', 'c'].indexOf(rank);
  if (dataType === 'Boolean') return rank !== 'b';
  if (dataType === 'Date') return `${2000 + at}-03-${10 + place}`;
  if (dataType === 'Decimal') return ['9.50', '10.25', '100'][place];
  const values = listOf(type, name);
  return dataType === 'Enum' ? values[place % Math.max(1, values.length)]?.value : `${name}-${rank}`;
}

/** Makes the record of a rank; gives it as the API shows it. */
async function make(type: string, rank: Rank, index: number): Promise<JsonObject> {
  const fields = fieldsIn(catalogue[type]);
  const key = keys[type] ?? '';
  const given = Object.fromEntries(
    fields.flatMap((field, at): readonly (readonly [string, Json])[] => {
      const value = rank === 'd' && field.name !== key ? undefined : valueFor(type, field, rank, at);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
  const { identifier, ...rest } = given;
  const uri = await (async () => {
    if (type === 'agent') {
      const kind = agentKinds[index] ?? 'agent_person';
      return records.make(kind, {
        ...(rank === 'd' ? {} : { publish: given['publish'] ?? false }),
        names: [
          {
            sort_name_auto_generate: true,
            [kind === 'agent_family' ? 'family_name' : 'primary_name']: `name-${rank}`,
            name_order: 'direct',
          },
        ],
      });
    }
    if (type === 'subject')
      return records.make(type, {
        ...rest,
        terms: [{ term: `title-${rank}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
      });
    if (type === 'rights_statement')
      return records.make('resource', {
        rights_statements: [
          rank === 'd' ? { rights_type: 'license', license_terms: 'license_terms-d', start_date: '1999-01-01' } : given,
        ],
      });
    if (type === 'accession' || type === 'resource')
      return records.make(type, { ...rest, id_0: String(identifier), id_1: '7' });
    return records.make(type, given);
  })();
  return (await api.get(uri)).json;
}

/** What the API shows of a field. */
function shownOf(type: string, record: JsonObject, { name, type: dataType }: Field): Json {
  const part = type === 'rights_statement' ? (objectsOf(record, 'rights_statements')[0] ?? {}) : record;
  if (dataType === 'Boolean') return part[name] === true;
  if (name === 'create_time' || name === 'user_mtime') return String(record[name]).slice(0, 10);
  if (name === 'created_by' || name === 'last_modified_by') return record[name] ?? null;
  if (type === 'agent') return name === 'type' ? (record['jsonmodel_type'] ?? null) : (record['title'] ?? null);
  if (name === 'identifier' && type !== 'classification')
    return [0, 1, 2, 3].flatMap((n) => record[`id_${n}`] ?? []).join('-');
  return part[name] ?? null;
}

type Data = {
  readonly fields: { readonly [name: string]: JsonObject };
  readonly subreports?: JsonObject;
  readonly sort_by?: string;
};

async function rowsOf(type: string, data: Data, limit = 100_000): Promise<readonly JsonObject[]> {
  const choice = readCustomChoice(JSON.stringify({ custom_record_type: type, ...data }), limit, catalogue);
  expect(choice.leftOut).toEqual([]);
  return withReportRows(api.database, customStatement(choice, [records.repoId, true, null, null]), async (rows) =>
    Array.fromAsync(rows, (row): JsonObject => JSON.parse(row)),
  );
}

const compare = (a: Json | undefined, b: Json | undefined): number => {
  // What is not there comes last.
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [left, right] = [String(a), String(b)];
  const isNumeric = /^\d+\.?\d*$/.test(left) && /^\d+\.?\d*$/.test(right);
  return isNumeric ? Number(left) - Number(right) : Number(left > right) - Number(left < right);
};

describe.each(Object.keys(keys))('a custom report of %s', (type) => {
  const fields = [...fieldsIn(catalogue[type]), ...fieldsIn(catalogue['global'])];
  const key = keys[type] ?? '';
  const keyField = fields.find(({ name }) => name === key) ?? { name: key, type: 'String', isSortable: false };
  let made: readonly JsonObject[] = [];
  beforeAll(async () => {
    const all: JsonObject[] = [];
    for (const [index, rank] of ranks.entries()) all.push(await make(type, rank, index));
    made = all;
  });
  const own = (rows: readonly JsonObject[]): readonly JsonObject[] =>
    rows.filter((row) => made.some((record) => shownOf(type, record, keyField) === row[key]));
  const keysOf = (those: readonly JsonObject[]): readonly Json[] =>
    those.map((record) => shownOf(type, record, keyField));
  /** The keys of the rows under a condition that is not shown. */
  const under = async (name: string, condition: JsonObject): Promise<readonly Json[]> =>
    own(
      await rowsOf(type, {
        fields: {
          [key]: { include: '1', ...(name === key ? condition : {}) },
          ...(name === key ? {} : { [name]: condition }),
        },
      }),
    )
      .map((row) => row[key] ?? null)
      .toSorted(compare);
  const inOrder = (those: readonly JsonObject[]): readonly Json[] => keysOf(those).toSorted(compare);

  test('shows each field as the API does, in the order of the template', async () => {
    const shown = own(
      await rowsOf(type, { fields: Object.fromEntries(fields.map(({ name }) => [name, { include: '1' }])) }),
    );
    expect(shown).toHaveLength(4);
    for (const record of made) {
      const row = shown.find((each) => each[key] === shownOf(type, record, keyField));
      expect(row).toEqual(Object.fromEntries(fields.map((field) => [field.name, shownOf(type, record, field)])));
      expect(Object.keys(row ?? {})).toEqual(fields.map(({ name }) => name));
    }
    for (const field of fieldsIn(catalogue[type]).filter(
      ({ type: dataType, name }) => dataType !== 'Enum' || listOf(type, name).length > 1,
    )) {
      expect(new Set(shown.map((row) => row[field.name])).size, `${field.name} tells records apart`).toBeGreaterThan(1);
    }
  });

  test.each(fields.filter(({ isSortable }) => isSortable).map((field) => [field.name, field] as const))(
    'is sorted by %s, and its limit keeps the first',
    async (name, field) => {
      const data: Data = {
        fields: { [key]: { include: '1' }, ...(name === key ? {} : { [name]: { include: '' } }) },
        sort_by: name,
      };
      const all = await rowsOf(type, data);
      // Of one value the order is that of kinds and ids, in which the records were made.
      const place = (record: JsonObject): string =>
        `${String(record['jsonmodel_type'])} ${String(record['uri']).replace(/^.*\/(\d+)$/, (_, id: string) => id.padStart(9, '0'))}`;
      const expected = made.toSorted(
        (a, b) => compare(shownOf(type, a, field), shownOf(type, b, field)) || (place(a) < place(b) ? -1 : 1),
      );
      expect(own(all).map((row) => row[key])).toEqual(keysOf(expected));
      for (const limit of [0, 1, 3, all.length + 1])
        expect(await rowsOf(type, data, limit)).toEqual(all.slice(0, limit));
    },
  );

  test.each(
    fields
      .map((field) => [field.name, field] as const)
      .filter(([, field]) => ['Boolean', 'Date', 'Enum', 'AgentType', 'User'].includes(field.type)),
  )('keeps to a condition on %s that is not shown', async (name, field) => {
    const valueOf = (record: JsonObject): Json => shownOf(type, record, field);
    if (field.type === 'Boolean') {
      for (const value of [true, false])
        expect(await under(name, { value: String(value) }), String(value)).toEqual(
          inOrder(made.filter((record) => valueOf(record) === value)),
        );
      expect(await under(name, { value: '' })).toEqual(inOrder(made));
    } else if (field.type === 'Date') {
      const day = String(valueOf(made[0] ?? {}));
      const beside = (days: number): string => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
      expect(await under(name, { range_start: beside(-1), range_end: beside(1) })).toEqual(
        inOrder(made.filter((record) => valueOf(record) === day)),
      );
      for (const [from, to] of [
        [0, 1],
        [-1, 0],
        [0, 0],
        [1, -1],
      ] as const)
        expect(await under(name, { range_start: beside(from), range_end: beside(to) }), `${from} to ${to}`).toEqual([]);
      expect(await under(name, { range_start: beside(-2), range_end: beside(2) })).toEqual(
        inOrder(
          made.filter(
            (record) =>
              valueOf(record) !== null && Math.abs(Date.parse(String(valueOf(record))) - Date.parse(day)) <= 86_400_000,
          ),
        ),
      );
    } else if (field.type === 'Enum') {
      const values = listOf(type, name);
      const chosen = values.slice(0, mostChosen);
      for (const { id, value } of chosen)
        expect(await under(name, { values: [String(id)] }), value).toEqual(
          inOrder(made.filter((record) => valueOf(record) === value)),
        );
      if (chosen.length > 0)
        expect(await under(name, { values: chosen.map(({ id }) => id) })).toEqual(
          inOrder(made.filter((record) => chosen.some(({ value }) => value === valueOf(record)))),
        );
      expect(await under(name, { values: [] })).toEqual(inOrder(made));
      expect(await under(name, { values: ['999999999'] })).toEqual([]);
      // The ids of equal values of another list are those of no value of this field.
      const equal = twins.filter(({ value }) => chosen.some((each) => each.value === value));
      expect(equal).toHaveLength(chosen.length);
      if (equal.length > 0) expect(await under(name, { values: equal.map(({ id }) => id) })).toEqual([]);
    } else {
      const first = String(valueOf(made[0] ?? {}));
      expect(await under(name, { values: [first] })).toEqual(
        inOrder(made.filter((record) => valueOf(record) === first)),
      );
      expect(await under(name, { values: ['nobody'] })).toEqual([]);
    }
  });

  test('keeps to several conditions at once, with parts, an order and a limit', async () => {
    const parts = Object.fromEntries(
      objectsOf(objectOf(catalogue, type), 'subreports').map((part) => [textOf(part, 'name') ?? '', { include: '1' }]),
    );
    const flag = fields.find((field) => field.type === 'Boolean');
    const day = String(shownOf(type, made[0] ?? {}, { name: 'create_time', type: 'Date', isSortable: true }));
    const around = {
      range_start: new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10),
      range_end: new Date(Date.parse(day) + 2 * 86_400_000).toISOString().slice(0, 10),
    };
    const data: Data = {
      fields: {
        [key]: { include: '1' },
        create_time: around,
        created_by: { values: ['admin', 'nobody'] },
        ...(flag === undefined ? {} : { [flag.name]: { value: 'true' } }),
      },
      subreports: parts,
      sort_by: keyField.isSortable ? key : 'create_time',
    };
    const expected = inOrder(made.filter((record) => flag === undefined || shownOf(type, record, flag) === true));
    const rows = await rowsOf(type, data);
    // Where the key is no order the records are in that of their ids, as they were made.
    expect(own(rows).map((row) => row[key])).toEqual(keyField.isSortable ? expected : keysOf(made));
    for (const row of rows)
      for (const part of Object.keys(parts).filter((name) => name !== key))
        expect(Array.isArray(row[part]), part).toBe(true);
    expect(await rowsOf(type, data, 1)).toEqual(rows.slice(0, 1));
  });
});
