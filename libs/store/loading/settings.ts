// What a load brings that is no record: controlled lists as the source has them, form settings, definitions of assessments, the OAI provider.
import type { LoadedSetting } from '#domain/loading/index-block.ts';
import { lineFailure, placeOfSetting } from '#domain/loading/lines.ts';
import type { SettingType } from '#domain/loading/lines.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf, textOf, textsOf } from '#domain/json.ts';
import type { Transaction } from '../connection/database.ts';
import { NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { announceEnumerations } from '../enumerations/lists.ts';
import { begunRenamings } from '../enumerations/renaming.ts';

/** Writes the settings. Fails with `import_failed` where one lacks what tells whose it is, and where two lists, or two forms, are the same; with `conflict` while a value of a list is being renamed. */
export async function writeSettings(tx: Transaction, settings: readonly LoadedSetting[]): Promise<void> {
  const of = (type: SettingType): readonly LoadedSetting[] => settings.filter((each) => each.type === type);
  const lists = of('enumeration');
  refuseTwice(lists, (list) => idOf(list));
  refuseTwice(lists, (list) => textOf(list, 'name'));
  await writeLists(
    tx,
    lists.map(({ record }) => record),
  );
  for (const kind of ['default_values', 'required_fields'] as const) await writeForms(tx, kind, of(kind));
  await writeDefinitions(tx, of('assessment_attribute_definitions'));
  const oai = of('oai_config').at(-1)?.record;
  if (oai !== undefined)
    await tx.run(sql`
      UPDATE oai_config SET body = ${JSON.stringify(withoutAudit(oai, ['jsonmodel_type', 'uri']))}::json, ${auditColumns(oai)}`);
}

/** As of records, two lines of one address are told: nobody could say which of them is meant. */
function refuseTwice(settings: readonly LoadedSetting[], keyOf: (record: JsonObject) => unknown): void {
  const seen = new Set<unknown>();
  for (const { record, number } of settings) {
    const key = keyOf(record);
    if (seen.has(key)) throw lineFailure(record, number, { uri: ['The address occurs more than once'] });
    seen.add(key);
  }
}

const auditProperties = [
  'lock_version',
  'created_by',
  'last_modified_by',
  'create_time',
  'system_mtime',
  'user_mtime',
] as const;

const withoutAudit = (record: JsonObject, more: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name]) => !more.includes(name) && !auditProperties.some((property) => property === name),
    ),
  );

function auditColumns(record: JsonObject): ReturnType<typeof sql.fragment> {
  const [version, createdBy, modifiedBy, created, system, modified] = auditOf(record);
  return sql.fragment`lock_version = ${version}::int, created_by = ${createdBy}::text, last_modified_by = ${modifiedBy}::text,
    create_time = coalesce(${created}::timestamptz, now()), system_mtime = coalesce(${system}::timestamptz, now()), user_mtime = coalesce(${modified}::timestamptz, now())`;
}

type AuditValues = readonly [number, string | null, string | null, string | null, string | null, string | null];

const auditOf = (record: JsonObject): AuditValues => [
  Number(record['lock_version'] ?? 0),
  textOf(record, 'created_by') ?? null,
  textOf(record, 'last_modified_by') ?? null,
  textOf(record, 'create_time') ?? null,
  textOf(record, 'system_mtime') ?? null,
  textOf(record, 'user_mtime') ?? null,
];

const auditTypes = ['int4', 'text', 'text', 'text', 'text', 'text'] as const;
const auditNames = sql.fragment`lock_version, created_by, last_modified_by, create_time, system_mtime, user_mtime`;
const auditValues = sql.fragment`u.lock_version, u.created_by, u.last_modified_by, coalesce(u.create_time::timestamptz, now()), coalesce(u.system_mtime::timestamptz, now()), coalesce(u.user_mtime::timestamptz, now())`;

const idOf = (record: JsonObject): number => Number((textOf(record, 'uri') ?? '').split('/').at(-1));

/**
 * Replaces the controlled lists that the source has by its own: ids, values, order, what is suppressed. Values that the source lacks stay where
 * nobody may edit the list, and where they are read-only: the service needs them.
 */
async function writeLists(tx: Transaction, lists: readonly JsonObject[]): Promise<void> {
  if (lists.length === 0) return;
  const rows = lists.map((list) => [
    idOf(list),
    textOf(list, 'name') ?? '',
    textOf(list, 'default_value') ?? null,
    list['editable'] !== false,
    textsOf(list, 'relationships').join(' '),
    ...auditOf(list),
  ]);
  const values = lists.flatMap((list) => {
    const readonly = new Set(textsOf(list, 'readonly_values'));
    return objectsOf(list, 'enumeration_values').map((value, index) => [
      idOf(value),
      idOf(list),
      textOf(value, 'value') ?? '',
      typeof value['position'] === 'number' ? value['position'] : index,
      readonly.has(textOf(value, 'value') ?? ''),
      value['suppressed'] === true,
      ...auditOf(value),
    ]);
  });
  const names = sql.array(
    lists.map((list) => textOf(list, 'name') ?? ''),
    'text',
  );
  await tx.client.query(
    'CREATE TEMP TABLE load_value ON COMMIT DROP AS SELECT e.name, e.editable, v.* FROM enumeration e JOIN enumeration_value v ON v.enumeration_id = e.id',
  );
  await tx.client.query('CREATE TEMP TABLE load_list ON COMMIT DROP AS SELECT * FROM enumeration');
  await refuseBegunRenamings(tx);
  // All go and come back, so that no id of the source meets one of a list that is still to be moved.
  await tx.run(sql`DELETE FROM enumeration_value`);
  await tx.run(sql`DELETE FROM enumeration`);
  await tx.run(sql`
    INSERT INTO enumeration (id, name, default_value, editable, relationships, ${auditNames})
    SELECT u.id, u.name, u.default_value, u.editable, string_to_array(u.relationships, ' '), ${auditValues}
    FROM ${sql.unnest(rows, ['int4', 'text', 'text', 'bool', 'text', ...auditTypes])} AS u (id, name, default_value, editable, relationships, lock_version, created_by, last_modified_by, create_time, system_mtime, user_mtime)`);
  await tx.run(sql`
    INSERT INTO enumeration_value (id, enumeration_id, value, position, readonly, suppressed, ${auditNames})
    SELECT u.id, u.list, u.value, u.position, u.readonly, u.suppressed, ${auditValues}
    FROM ${sql.unnest(values, ['int4', 'int4', 'text', 'int4', 'bool', 'bool', ...auditTypes])} AS u (id, list, value, position, readonly, suppressed, lock_version, created_by, last_modified_by, create_time, system_mtime, user_mtime)`);
  await raiseSerial(tx, 'enumeration');
  await raiseSerial(tx, 'enumeration_value');
  await tx.run(sql`
    INSERT INTO enumeration (name, default_value, editable, relationships, ${auditNames})
    SELECT name, default_value, editable, relationships, ${auditNames} FROM load_list u WHERE u.name <> ALL(${names}) ORDER BY u.id`);
  await tx.run(sql`
    INSERT INTO enumeration_value (enumeration_id, value, position, readonly, suppressed, ${auditNames})
    SELECT e.id, u.value, CASE WHEN e.name = ANY(${names}) THEN (SELECT coalesce(max(v.position), -1) + 1 FROM enumeration_value v WHERE v.enumeration_id = e.id) + u.position ELSE u.position END,
      u.readonly, u.suppressed, ${sql.fragment`u.lock_version, u.created_by, u.last_modified_by, u.create_time, u.system_mtime, u.user_mtime`}
    FROM load_value u JOIN enumeration e ON e.name = u.name WHERE (e.name <> ALL(${names}) OR NOT u.editable OR u.readonly)
      AND NOT EXISTS (SELECT FROM enumeration_value v WHERE v.enumeration_id = e.id AND v.value = u.value) ORDER BY e.id, u.position`);
  await announceEnumerations(tx);
}

/** Holds the lists; refuses where records have two texts of a value of one, of which the lists that come may know neither. */
async function refuseBegunRenamings(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT FROM enumeration ORDER BY id FOR UPDATE`);
  if ((await begunRenamings(tx)).length > 0)
    throw fail('conflict', 'A value of a controlled list is being renamed; try again when that has ended');
}

/** Sets the sequence of a table behind its highest id. */
async function raiseSerial(tx: Transaction, table: string): Promise<void> {
  await tx.any(sql.type(NumberRow)`
    SELECT setval(pg_get_serial_sequence(${table}, 'id'), (SELECT max(id) FROM ${sql.identifier([table])}))::int AS n`);
}

async function writeForms(
  tx: Transaction,
  kind: 'default_values' | 'required_fields',
  settings: readonly LoadedSetting[],
): Promise<void> {
  if (settings.length === 0) return;
  refuseTwice(settings, (record) => Object.values(placeOfSetting(record)).join(' '));
  const rows = settings.map(({ record, number }) => {
    const { repoId, recordType } = placeOfSetting(record);
    if (repoId === null || recordType === null)
      throw lineFailure(record, number, { uri: ['The repository and the type of record are missing'] });
    return [kind, repoId, recordType, JSON.stringify(withoutAudit(record, ['uri', 'repository'])), ...auditOf(record)];
  });
  await tx.run(sql`
    INSERT INTO form_setting (kind, repo_id, record_type, body, ${auditNames})
    SELECT u.kind, u.repo_id, u.record_type, u.body::json, ${auditValues}
    FROM ${sql.unnest(rows, ['text', 'int4', 'text', 'text', ...auditTypes])} AS u (kind, repo_id, record_type, body, lock_version, created_by, last_modified_by, create_time, system_mtime, user_mtime)
    ON CONFLICT (kind, repo_id, record_type) DO UPDATE SET body = excluded.body, lock_version = excluded.lock_version, created_by = excluded.created_by,
      last_modified_by = excluded.last_modified_by, create_time = excluded.create_time, system_mtime = excluded.system_mtime, user_mtime = excluded.user_mtime`);
}

/** Definitions by id; those of all repositories come with each. */
async function writeDefinitions(tx: Transaction, settings: readonly LoadedSetting[]): Promise<void> {
  const byId = new Map<number, readonly [number, number | null, string, string, boolean, number]>();
  for (const { record, number } of settings) {
    const { repoId } = placeOfSetting(record);
    if (repoId === null) throw lineFailure(record, number, { uri: ['The repository is missing'] });
    for (const entry of objectsOf(record, 'definitions')) {
      const id = Number(entry['id']);
      byId.set(id, [
        id,
        entry['global'] === true ? null : repoId,
        textOf(entry, 'type') ?? '',
        textOf(entry, 'label') ?? '',
        entry['readonly'] === true,
        Number(entry['position'] ?? 0),
      ]);
    }
  }
  if (byId.size === 0) return;
  await tx.run(sql`DELETE FROM assessment_attribute_definition WHERE id = ANY(${sql.array([...byId.keys()], 'int4')})`);
  await tx.run(sql`
    INSERT INTO assessment_attribute_definition (id, repo_id, type, label, readonly, position)
    SELECT * FROM ${sql.unnest([...byId.values()], ['int4', 'int4', 'text', 'text', 'bool', 'int4'])} AS u`);
  await raiseSerial(tx, 'assessment_attribute_definition');
}
