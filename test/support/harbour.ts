// The records of a harbour board's archive (test/fixtures/harbour): at least one of each kind with something in every property, as a client sends
// it, and what replies show of it besides. They name each other, so that documents, exports and lists can be made of them without a database.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { kindNamed } from '#domain/addresses.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectsOf, textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { Property, Schema } from '#domain/schema/property.ts';
import { resolvedProperties } from '#domain/search/declared.ts';
import { testContext } from './make/prepare-context.ts';

/** What a fixture says of a record: its address, the body that a client sends, and what other rows add to replies. */
export type HarbourRecord = {
  readonly kind: Kind;
  readonly uri: string;
  readonly sent: JsonObject;
  readonly shown: JsonObject;
};

const folder = join(import.meta.dirname, '../fixtures/harbour');

/** All of them, by kind in the order of names. */
export const harbourRecords: readonly HarbourRecord[] = readdirSync(folder)
  .sort()
  .flatMap((file) => {
    // Our own files: lists of objects of this shape.
    const records = JSON.parse(readFileSync(join(folder, file), 'utf8')) as JsonObject[];
    return records.map((record) => ({
      kind: kindNamed(file.replace('.json', '')),
      uri: textOf(record, 'uri') ?? '',
      sent: partOf(record, 'sent'),
      shown: partOf(record, 'shown'),
    }));
  });

function partOf(record: JsonObject, property: string): JsonObject {
  const part = record[property];
  return isObject(part) ? part : {};
}

/** The kinds that have records, each once. */
export const harbourKinds: readonly Kind[] = [...new Set(harbourRecords.map(({ kind }) => kind))];

/** A record as it is made of what was sent: checked, completed, with generated values; links stay in it. */
function madeOf({ kind, sent }: HarbourRecord): JsonObject {
  const context = testContext();
  const { body } = prepare(kind, sent, context);
  return kind.generate === undefined ? body : kind.generate(body, context.generatedValues, null);
}

/** Who made and changed each record, and when. */
export const audit = {
  created_by: 'ishbel',
  last_modified_by: 'calum',
  create_time: '2024-05-06T07:08:09Z',
  system_mtime: '2024-06-07T08:09:10Z',
  user_mtime: '2024-07-08T09:10:11Z',
};

/** A record as its GET answers it, links unresolved. */
export function replyOf(record: HarbourRecord): JsonObject {
  const { kind, uri, shown } = record;
  const made = madeOf(record);
  const label = kind.labelProperty === null ? {} : { [kind.labelProperty]: kind.label(made) };
  const repository = /^\/repositories\/\d+(?=\/)/.exec(uri)?.[0];
  return {
    ...made,
    ...label,
    uri,
    ...audit,
    ...(kind.suppressible === true ? { suppressed: false } : {}),
    ...(repository === undefined ? {} : { repository: { ref: repository } }),
    ...shown,
  };
}

const replies: ReadonlyMap<string, JsonObject> = new Map(harbourRecords.map((record) => [record.uri, replyOf(record)]));

/** A record as search documents are made of it: the refs that documents show carry the records that they name. */
export function resolvedReplyOf(record: HarbourRecord): JsonObject {
  const properties = resolvedProperties(record.kind.name);
  const visit = (value: Json, isResolved: boolean): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => visit(item, isResolved));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, item]): [string, Json] => [
      key,
      visit(item ?? null, properties.has(key)),
    ]);
    const target = isResolved ? replies.get(textOf(value, 'ref') ?? '') : undefined;
    return { ...Object.fromEntries(entries), ...(target === undefined ? {} : { _resolved: briefly(target) }) };
  };
  const resolved = visit(replyOf(record), false);
  return isObject(resolved) ? resolved : {};
}

// As the indexer has them: what is named is not told at length.
function briefly(target: JsonObject): JsonObject {
  const { notes: _notes, instances: _instances, agent_contacts: contacts, ...rest } = target;
  return contacts === undefined ? rest : { ...rest, agent_contacts: [] };
}

/** What records are found by of their ancestors: titles, and the identifier of the root. */
export const ancestorTextsOf = (record: JsonObject): readonly string[] =>
  objectsOf(record, 'ancestors').flatMap((ancestor) => {
    const target = replies.get(textOf(ancestor, 'ref') ?? '');
    const identifier = [textOf(target, 'id_0'), textOf(target, 'id_1')].filter((part) => part !== undefined).join('-');
    return [textOf(target, 'title') ?? '', identifier].filter((text) => text !== '');
  });

/** Calls back for each sub-record of what clients send of all records, however deep, with its schema. */
export function visitSubrecords(onEach: (schema: Schema, value: JsonObject) => void): void {
  const visitObject = (schema: Schema, object: JsonObject): void => {
    for (const [name, property] of Object.entries(schema.properties)) visit(property, object[name]);
  };
  const visit = (property: Property, value: Json | undefined): void => {
    if (property.type === 'list') {
      if (Array.isArray(value)) value.forEach((item: Json) => visit(property.of, item));
    } else if (property.type === 'either') property.of.forEach((one) => visit(one, value));
    else if (property.type === 'sub_record' && isObject(value)) {
      const schemas = property.of();
      const schema = schemas.find(({ name }) => name === value['jsonmodel_type']) ?? schemas[0];
      if (schema === undefined) return;
      onEach(schema, value);
      visitObject(schema, value);
    }
  };
  for (const { kind, sent } of harbourRecords) visitObject(kind.schema, sent);
}
