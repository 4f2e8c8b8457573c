// What a load brings beside records: lists with their values, forms, definitions of assessments, the OAI provider, as they are stored.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import type { LoadedSetting } from '#domain/loading/index-block.ts';
import type { SettingType } from '#domain/loading/lines.ts';
import { Database } from '#store/connection/database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { readEnumeration } from '#store/enumerations/lists.ts';
import { writeSettings } from '#store/loading/settings.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { undone } from './undone.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

describe('settings', () => {
  it('replace the values of a list, and keep the read-only ones that the source lacks', async () => {
    const list = await undone(database, async (tx) => {
      const old = await readEnumeration(tx, { name: 'date_label' });
      const value = {
        uri: '/config/enumeration_values/90001',
        value: 'mine',
        position: 0,
        suppressed: true,
        lock_version: 2,
      };
      const record: JsonObject = {
        ...old,
        values: [],
        readonly_values: [],
        enumeration_values: [value],
        lock_version: 7,
      };
      await writeSettings(tx, [
        { type: 'enumeration', number: 0, record },
        { type: 'oai_config', number: 1, record: { oai_repository_name: 'Mine', lock_version: 4 } },
        {
          type: 'required_fields',
          number: 2,
          record: { uri: '/repositories/2/required_fields/event', record_type: 'event', required: {} },
        },
        {
          type: 'assessment_attribute_definitions',
          number: 3,
          record: {
            uri: '/repositories/2/assessment_attribute_definitions',
            definitions: [{ id: 900, label: 'Mine', type: 'rating', global: false, readonly: false, position: 0 }],
          },
        },
      ]);
      const { n } = await tx.one(
        sql.type(
          NumberRow,
        )`SELECT (SELECT count(*) FROM form_setting) + (SELECT count(*) FROM assessment_attribute_definition WHERE id = 900) + (SELECT lock_version FROM oai_config) AS n`,
      );
      return { n: Number(n), ...(await readEnumeration(tx, { name: 'date_label' })), id: old['uri'] };
    });
    expect(list).toMatchObject({ n: 6, lock_version: 7, uri: list.id });
    expect(list).toMatchObject({
      enumeration_values: expect.arrayContaining([
        expect.objectContaining({ uri: '/config/enumeration_values/90001', suppressed: true, lock_version: 2 }),
      ]),
    });
  });

  // Times are told where they are not those of the load.
  const audit = sql.fragment`e.lock_version, e.created_by, e.last_modified_by, nullif(e.create_time, now()) AS made, nullif(e.system_mtime, now()) AS touched, nullif(e.user_mtime, now()) AS changed`;
  const Told = z.strictObject({ told: column.text });
  const toldBy = async (tx: Transaction, rows: Fragment): Promise<readonly unknown[]> =>
    (await tx.any(sql.type(Told)`SELECT to_json(r)::text AS told FROM (${rows}) AS r`)).map(({ told }) =>
      JSON.parse(told),
    );
  const said = {
    lock_version: 3,
    created_by: 'jane',
    last_modified_by: 'joe',
    create_time: '2001-01-01T00:00:00Z',
    system_mtime: '2002-01-01T00:00:00Z',
    user_mtime: '2003-01-01T00:00:00Z',
  };
  const asSaid = {
    lock_version: 3,
    created_by: 'jane',
    last_modified_by: 'joe',
    made: '2001-01-01T00:00:00+00:00',
    touched: '2002-01-01T00:00:00+00:00',
    changed: '2003-01-01T00:00:00+00:00',
  };
  const unsaid = {
    lock_version: 0,
    created_by: null,
    last_modified_by: null,
    made: null,
    touched: null,
    changed: null,
  };

  it('are lists with all that the source says of them and of their values, and with what it does not say as it is for new ones', async () => {
    const found = await undone(database, async (tx) => {
      await tx.run(
        sql`DELETE FROM enumeration_value v USING enumeration e WHERE e.id = v.enumeration_id AND e.name <> ALL(ARRAY['linked_agent_role', 'extent_portion'])`,
      );
      const lists: readonly JsonObject[] = [
        {
          uri: '/config/enumerations/900',
          name: 'mine',
          default_value: 'b',
          editable: true,
          relationships: ['one', 'two'],
          readonly_values: ['b'],
          enumeration_values: [
            { uri: '/config/enumeration_values/9001', value: 'a', position: 5, suppressed: true, ...said },
            { uri: '/config/enumeration_values/9002', value: 'b' },
          ],
          ...said,
        },
        { uri: '/config/enumerations/901', name: 'bare', editable: false },
        {
          uri: '/config/enumerations/902',
          name: 'linked_agent_role',
          editable: false,
          enumeration_values: [{ uri: '/config/enumeration_values/9003', value: 'source', position: 0 }],
        },
      ];
      await writeSettings(
        tx,
        lists.map((record, number) => ({ type: 'enumeration', number, record })),
      );
      const names = sql.array(['mine', 'bare', 'linked_agent_role'], 'text');
      return {
        lists: await toldBy(
          tx,
          sql.fragment`SELECT e.id, e.name, e.default_value, e.editable, e.relationships, ${audit} FROM enumeration e WHERE e.name = ANY(${names}) ORDER BY e.id`,
        ),
        values: await toldBy(
          tx,
          sql.fragment`SELECT e.id, e.enumeration_id AS list, e.value, e.position, e.readonly, e.suppressed, ${audit} FROM enumeration_value e WHERE e.id BETWEEN 9001 AND 9003 ORDER BY e.id`,
        ),
        // What the service needs of a list that nobody edits stands behind what the source has of it.
        kept: await toldBy(
          tx,
          sql.fragment`SELECT e.value, e.position FROM enumeration_value e WHERE e.enumeration_id = 902 AND e.id <> 9003 ORDER BY e.position`,
        ),
        // A list that the source does not have comes back as it was, under a number behind those of the source.
        others: await toldBy(
          tx,
          sql.fragment`SELECT count(*)::int AS n FROM enumeration_value v JOIN enumeration e ON e.id = v.enumeration_id WHERE e.name = 'extent_portion' AND e.id > 902 AND v.id > 9003 GROUP BY e.id`,
        ),
      };
    });
    expect(found).toEqual({
      lists: [
        { id: 900, name: 'mine', default_value: 'b', editable: true, relationships: ['one', 'two'], ...asSaid },
        { id: 901, name: 'bare', default_value: null, editable: false, relationships: [], ...unsaid },
        { id: 902, name: 'linked_agent_role', default_value: null, editable: false, relationships: [], ...unsaid },
      ],
      values: [
        { id: 9001, list: 900, value: 'a', position: 5, readonly: false, suppressed: true, ...asSaid },
        { id: 9002, list: 900, value: 'b', position: 1, readonly: true, suppressed: false, ...unsaid },
        { id: 9003, list: 902, value: 'source', position: 0, readonly: false, suppressed: false, ...unsaid },
      ],
      kept: [
        { value: 'creator', position: 1 },
        { value: 'subject', position: 3 },
      ],
      others: [{ n: 2 }],
    });
  });

  it('are forms, definitions and the OAI provider, each as the last line says it', async () => {
    const settings: readonly LoadedSetting[] = (
      [
        ['oai_config', { jsonmodel_type: 'oai_config', uri: '/oai_config', oai_repository_name: 'First' }],
        [
          'default_values',
          {
            uri: '/repositories/2/default_values/event',
            repository: { ref: '/repositories/2' },
            defaults: { a: 1 },
            ...said,
          },
        ],
        ['default_values', { repository: { ref: '/repositories/3' }, record_type: 'event', defaults: {} }],
        ['required_fields', { uri: '/repositories/2/required_fields/event', required: {} }],
        [
          'assessment_attribute_definitions',
          {
            uri: '/repositories/2/assessment_attribute_definitions',
            definitions: [
              { id: 900, label: 'Of all', type: 'rating', global: true, readonly: true, position: 4 },
              { id: 901, label: 'Own', type: 'format' },
            ],
          },
        ],
        [
          'assessment_attribute_definitions',
          {
            uri: '/repositories/3/assessment_attribute_definitions',
            definitions: [
              { id: 900, label: 'Of all', type: 'rating', global: true, readonly: true, position: 4 },
              { id: 902, label: 'Own', type: 'format', position: 1 },
            ],
          },
        ],
        ['oai_config', { jsonmodel_type: 'oai_config', uri: '/oai_config', oai_repository_name: 'Second', ...said }],
      ] as const
    ).map(([type, record], number) => ({ type, number, record }));
    const found = await undone(database, async (tx) => {
      await writeSettings(tx, settings);
      // Once more with another body: a form is replaced.
      await writeSettings(tx, [
        {
          type: 'required_fields',
          number: 0,
          record: { uri: '/repositories/2/required_fields/event', required: { b: 2 }, ...said },
        },
      ]);
      return {
        oai: await toldBy(tx, sql.fragment`SELECT e.body, ${audit} FROM oai_config e`),
        forms: await toldBy(
          tx,
          sql.fragment`SELECT e.kind, e.repo_id, e.record_type, e.body, ${audit} FROM form_setting e ORDER BY e.kind, e.repo_id`,
        ),
        definitions: await toldBy(
          tx,
          sql.fragment`SELECT e.* FROM assessment_attribute_definition e WHERE e.id >= 900 ORDER BY e.id`,
        ),
        next: await toldBy(
          tx,
          sql.fragment`SELECT nextval(pg_get_serial_sequence('assessment_attribute_definition', 'id'))::int AS id`,
        ),
      };
    });
    const form = { repo_id: 2, record_type: 'event' };
    expect(found).toEqual({
      oai: [{ body: { oai_repository_name: 'Second' }, ...asSaid }],
      forms: [
        { ...form, kind: 'default_values', body: { defaults: { a: 1 } }, ...asSaid },
        { ...form, kind: 'default_values', repo_id: 3, body: { record_type: 'event', defaults: {} }, ...unsaid },
        { ...form, kind: 'required_fields', body: { required: { b: 2 } }, ...asSaid },
      ],
      definitions: [
        { id: 900, repo_id: null, type: 'rating', label: 'Of all', readonly: true, position: 4 },
        { id: 901, repo_id: 2, type: 'format', label: 'Own', readonly: false, position: 0 },
        { id: 902, repo_id: 3, type: 'format', label: 'Own', readonly: false, position: 1 },
      ],
      next: [{ id: 903 }],
    });
  });

  it('of no repository are refused, each with its line', async () => {
    const refused = (type: SettingType, record: JsonObject): Promise<unknown> =>
      database.transaction((tx) => writeSettings(tx, [{ type, number: 6, record }])).catch((error: unknown) => error);
    expect(await refused('assessment_attribute_definitions', { definitions: [] })).toMatchObject({
      code: 'import_failed',
      error: { record_number: 7, errors: { uri: ['The repository is missing'] } },
    });
    for (const record of [{ uri: '/repositories/2' }, { record_type: 'event' }])
      expect(await refused('default_values', record)).toMatchObject({
        code: 'import_failed',
        error: { record_number: 7, errors: { uri: ['The repository and the type of record are missing'] } },
      });
  });

  it('of nobody are refused', async () => {
    await expect(
      database.transaction((tx) => writeSettings(tx, [{ type: 'required_fields', number: 4, record: {} }])),
    ).rejects.toMatchObject({ code: 'import_failed', error: { record_number: 5 } });
  });

  const list = (id: number, name: string): JsonObject => ({
    uri: `/config/enumerations/${id}`,
    name,
    values: [],
    enumeration_values: [],
  });
  const form = (uri: string): JsonObject => ({ uri, record_type: 'event' });
  const [here, other] = ['/repositories/2/default_values/event', '/repositories/3/default_values/event'];
  it.each([
    { of: 'a list', type: 'enumeration', records: [list(900, 'one'), list(901, 'two'), list(900, 'three')] },
    { of: 'the name of a list', type: 'enumeration', records: [list(900, 'one'), list(901, 'two'), list(902, 'two')] },
    { of: 'a form', type: 'default_values', records: [form(here), form(other), form(here)] },
  ] as const)('of which two are those of $of are refused', async ({ type, records }) => {
    const settings = records.map((record, number) => ({ type, number, record }));
    await expect(database.transaction((tx) => writeSettings(tx, settings))).rejects.toMatchObject({
      code: 'import_failed',
      error: { record_number: 3, errors: { uri: ['The address occurs more than once'] } },
    });
  });
});
