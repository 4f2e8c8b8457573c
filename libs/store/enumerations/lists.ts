// Controlled lists as clients read them, and in memory for checking bodies (contract 6.13).
// Changing them is update.ts's and update-value.ts's; imports add values through completed-lists.ts.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { EnumerationList, Enumerations } from '#domain/checking/prepare.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import type { ListRow } from './completed-lists.ts';
import { readLists } from './completed-lists.ts';
import { notifyClients } from '../change-log/notifications.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** The channel that tells every process that a list changed. */
export const enumerationChannel = 'muniment_enumerations';

/** Tells every process, at the commit, to read the lists anew. */
export async function tellProcesses(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT pg_notify(${enumerationChannel}, '')`);
}

/** The same, and clients that the lists changed. */
export async function announceEnumerations(tx: Transaction): Promise<void> {
  await tellProcesses(tx);
  await notifyClients(tx, 'ENUMERATION_CHANGED');
}

/** Lists by name, as checking a body asks for them. */
export function toEnumerations(rows: readonly ListRow[]): Enumerations {
  const lists = new Map(
    rows.map((row): [string, EnumerationList] => {
      const all = new Set(row.all);
      return [row.name, { editable: row.editable, values: row.values, has: (value) => all.has(value) }];
    }),
  );
  return { get: (name) => lists.get(name) };
}

/** How long lists that could not be read stay as they are before they are asked for again. */
const againMs = 1000;

/** The controlled lists in memory. `get` answers at once from what was read last; `reload` after a change here, `catchUp` after one elsewhere. Dispose it where it has to catch up. */
export class EnumerationCache implements Enumerations, Disposable {
  readonly #reader: Reader;
  #again: NodeJS.Timeout | undefined;
  #isDisposed = false;
  #lists: Enumerations = { get: () => undefined };
  #reading: Promise<void> | undefined;
  #isStale = false;

  private constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The lists, read. */
  static async load(reader: Reader): Promise<EnumerationCache> {
    const cache = new EnumerationCache(reader);
    await cache.reload();
    return cache;
  }

  /** A list, or undefined. */
  get(name: string): EnumerationList | undefined {
    return this.#lists.get(name);
  }

  /** Reads the lists anew; resolves when what `get` gives is at least as new as this call. */
  async reload(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Reads the lists anew, and again until that succeeds: nobody else asks for it before the next change. `onError` hears of each failure. */
  catchUp(onError: (error: unknown) => void): void {
    this.reload().catch((error: unknown) => {
      onError(error);
      clearTimeout(this.#again);
      if (!this.#isDisposed) this.#again = setTimeout(() => this.catchUp(onError), againMs).unref();
    });
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    clearTimeout(this.#again);
  }

  /** A call that comes while rows are on their way asks for another round, so that its change is in. */
  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      // Not a loop over records: it ends when nobody asked meanwhile.
      this.#lists = toEnumerations(await readLists(this.#reader));
    }
  }
}

const Audit = z.strictObject({
  lock_version: column.int,
  created_by: column.maybeText,
  last_modified_by: column.maybeText,
  create_time: column.time,
  system_mtime: column.time,
  user_mtime: column.time,
});
type Audit = z.infer<typeof Audit>;
const ListRecord = Audit.extend({
  id: column.int,
  name: column.text,
  default_value: column.maybeText,
  editable: column.bool,
  relationships: column.texts,
});
type ListRecord = z.infer<typeof ListRecord>;
const ValueRecord = Audit.extend({
  id: column.int,
  enumeration_id: column.int,
  value: column.text,
  position: column.int,
  readonly: column.bool,
  suppressed: column.bool,
});
type ValueRecord = z.infer<typeof ValueRecord>;

const audit = sql.fragment`lock_version, created_by, last_modified_by, create_time, system_mtime, user_mtime`;

/** Absent rather than null (contract 1.2). */
function auditOf(row: Audit): JsonObject {
  return {
    lock_version: row.lock_version,
    ...(row.created_by === null ? {} : { created_by: row.created_by }),
    ...(row.last_modified_by === null ? {} : { last_modified_by: row.last_modified_by }),
    create_time: row.create_time,
    system_mtime: row.system_mtime,
    user_mtime: row.user_mtime,
  };
}

const toValue = (row: ValueRecord): JsonObject => ({
  ...auditOf(row),
  value: row.value,
  position: row.position,
  suppressed: row.suppressed,
  jsonmodel_type: 'enumeration_value',
  id: row.id,
  uri: `/config/enumeration_values/${row.id}`,
});

function toList(row: ListRecord, values: readonly ValueRecord[]): JsonObject {
  const shown = values.filter((value) => !value.suppressed);
  return {
    ...auditOf(row),
    name: row.name,
    ...(row.default_value === null ? {} : { default_value: row.default_value }),
    editable: row.editable,
    jsonmodel_type: 'enumeration',
    relationships: row.relationships,
    enumeration_values: values.map(toValue),
    values: shown.map((value) => value.value),
    readonly_values: shown.filter((value) => value.readonly).map((value) => value.value),
    uri: `/config/enumerations/${row.id}`,
  };
}

/** Which lists: all, or one by id or name. */
export type ListChoice = 'all' | { readonly id: number } | { readonly name: string };

/** Lists with their values, as clients read them, by ascending id. Two statements. */
export async function readEnumerations(reader: Reader, choice: ListChoice): Promise<readonly JsonObject[]> {
  const condition =
    choice === 'all'
      ? sql.fragment`true`
      : 'id' in choice
        ? sql.fragment`id = ${choice.id}`
        : sql.fragment`name = ${choice.name}`;
  const lists = await reader.any(sql.type(ListRecord)`
    SELECT id, name, default_value, editable, relationships, ${audit} FROM enumeration WHERE ${condition} ORDER BY id`);
  const values = await reader.any(sql.type(ValueRecord)`
    SELECT id, enumeration_id, value, position, readonly, suppressed, ${audit} FROM enumeration_value
    WHERE enumeration_id = ANY(${sql.array(
      lists.map((list) => list.id),
      'int4',
    )}) ORDER BY enumeration_id, position, id`);
  const byList = Map.groupBy(values, (value) => value.enumeration_id);
  return lists.map((list) => toList(list, byList.get(list.id) ?? []));
}

/** One list as clients read it. Fails with `not_found`. */
export async function readEnumeration(reader: Reader, choice: Exclude<ListChoice, 'all'>): Promise<JsonObject> {
  const [list] = await readEnumerations(reader, choice);
  if (list === undefined) throw fail('not_found', 'Enumeration not found');
  return list;
}

/** One value as clients read it, suppressed or not. Fails with `not_found`. */
export async function readEnumerationValue(reader: Reader, id: number): Promise<JsonObject> {
  const row = await reader.maybeOne(sql.type(ValueRecord)`
    SELECT id, enumeration_id, value, position, readonly, suppressed, ${audit} FROM enumeration_value WHERE id = ${id}`);
  if (row === null) throw fail('not_found', 'EnumerationValue not found');
  return toValue(row);
}

/** A row of the CSV of all lists: list, value, position, whether read-only; suppressed values left out. */
export const ValueLine = z.strictObject({
  list: column.text,
  value: column.text,
  position: column.int,
  readonly: column.bool,
});
export type ValueLine = z.infer<typeof ValueLine>;

/** All unsuppressed values in the order of lists and places. */
export async function readValueLines(reader: Reader): Promise<readonly ValueLine[]> {
  return reader.any(sql.type(ValueLine)`
    SELECT e.name AS list, v.value, v.position, v.readonly FROM enumeration e JOIN enumeration_value v ON v.enumeration_id = e.id
    WHERE NOT v.suppressed ORDER BY e.id, v.position, v.id`);
}
