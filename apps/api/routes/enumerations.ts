// Controlled lists and their values (contract 6.13).
import { enumerationValue } from '../openapi/shapes/enumerations.ts';
import { shape } from '../openapi/shape.ts';
import { created, updated, touched, suppressed } from '../openapi/shapes/envelopes.ts';
import { largestInt4 } from '#domain/int4.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import { csvLine } from '#domain/formats/csv/write.ts';
import { readEnumeration, readEnumerations, readEnumerationValue, readValueLines } from '#store/enumerations/lists.ts';
import type { ListContext, ListWritten } from '#store/enumerations/update.ts';
import {
  createEnumeration,
  migrateValue,
  moveValue,
  suppressValue,
  updateEnumeration,
  updateValue,
} from '#store/enumerations/update.ts';
import { changeLists } from '../access/accounts.ts';
import { recordBody } from '../request/body.ts';
import { boolean, id, integerBetween, text } from '../request/parameters.ts';
import { text as textReply } from '../reply/reply.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const mayChange = { all: ['update_enumeration_record'] } as const;
// Renaming a value goes through every record that uses it.
const long = { statementTimeoutMs: 3_600_000 };

const contextOf = ({ caller, release }: Pick<Call<unknown, unknown>, 'caller' | 'release'>): ListContext => ({
  actor: caller.username,
  trims: release === 'R-B',
});

const writtenReply = (status: 'Created' | 'Updated', path: string, written: ListWritten): JsonObject => ({
  status,
  id: written.id,
  lock_version: written.lockVersion,
  stale: null,
  uri: `/config/${path}/${written.id}`,
  warnings: [],
});

const list = defineRoute({
  method: 'GET',
  path: '/config/enumerations',
  operation: 'listEnumerations',
  area: 'enumerations',
  summary: 'List controlled lists',
  access: 'public',
  parameters: {},
  replies: {
    200: { says: 'An array of all lists with their values.', shape: shape.list(shape.record('enumeration')) },
  },
  handler: async ({ services }) => [...(await readEnumerations(services.database.reader, 'all'))],
});

const csv = defineRoute({
  method: 'GET',
  path: '/config/enumerations/csv',
  operation: 'exportEnumerationsCsv',
  area: 'enumerations',
  summary: 'Controlled lists as CSV',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'A line for each value that is not suppressed.', contentType: 'text/csv' } },
  handler: async ({ services }) => {
    const lines = await readValueLines(services.database.reader);
    const header = ['Enumeration code', 'Enumeration', 'Value code', 'Value', 'Position', 'Read-only'];
    const rows = lines.map((line) => [
      line.list,
      toLabel(line.list),
      line.value,
      toLabel(line.value),
      String(line.position),
      String(line.readonly),
    ]);
    return textReply([header, ...rows].map(csvLine).join(''), 'text/csv; charset=utf-8');
  },
});

const toLabel = (code: string): string => code.replaceAll('_', ' ');

const create = defineRoute({
  method: 'POST',
  path: '/config/enumerations',
  operation: 'createEnumeration',
  area: 'enumerations',
  summary: 'Create one controlled list',
  access: mayChange,
  parameters: {},
  body: recordBody('enumeration', 'create', { example: { name: 'shelf_mark', values: ['A', 'B', 'C'] } }),
  replies: { 200: { says: 'Created.', shape: created }, 400: 'The name is in use.' },
  handler: async (call) =>
    writtenReply(
      'Created',
      'enumerations',
      await changeLists(call.services, (tx) => createEnumeration(tx, call.body.record, contextOf(call))),
    ),
});

const migrate = defineRoute({
  method: 'POST',
  path: '/config/enumerations/migration',
  operation: 'migrateEnumerationValue',
  area: 'enumerations',
  summary: 'Move all uses of a value to another value, then drop it',
  access: mayChange,
  parameters: {},
  body: recordBody('enumeration_migration', 'create', {
    example: { enum_uri: '/config/enumerations/16', from: 'carton', to: 'box' },
  }),
  replies: {
    200: { says: 'The list after the move.', shape: shape.record('enumeration') },
    400: 'The list or the value may not be changed, or two records would become the same.',
    404: 'No such list or value.',
  },
  handler: async (call) => {
    const { record } = call.body;
    const listId = Number(/^\/config\/enumerations\/(\d{1,9})$/.exec(textOf(record, 'enum_uri') ?? '')?.[1] ?? 0);
    if (listId === 0)
      throw fail(
        'invalid_record',
        {
          enum_uri: [
            'Must be a JSONModel(:enumeration) uri (you provided a String) (malformed or invalid uri? check if referenced object exists.)',
          ],
        },
        { warning: {}, invalid_object: JSON.stringify(record) },
      );
    return changeLists(
      call.services,
      (tx) => migrateValue(tx, listId, textOf(record, 'from') ?? '', textOf(record, 'to') ?? '', contextOf(call)),
      long,
    );
  },
});

const readByName = defineRoute({
  method: 'GET',
  path: '/config/enumerations/names/:enum_name',
  operation: 'getEnumerationByName',
  area: 'enumerations',
  summary: 'Read a controlled list by name',
  access: 'public',
  parameters: { enum_name: text({ doc: 'Name of the list.' }) },
  replies: { 200: { says: 'The list.', shape: shape.record('enumeration') }, 404: 'Enumeration not found' },
  handler: async ({ params, services }) => readEnumeration(services.database.reader, { name: params.enum_name }),
});

const read = defineRoute({
  method: 'GET',
  path: '/config/enumerations/:enum_id',
  operation: 'getEnumeration',
  area: 'enumerations',
  summary: 'Read a controlled list',
  access: 'public',
  parameters: { enum_id: id({ example: 20 }) },
  replies: { 200: { says: 'The list.', shape: shape.record('enumeration') }, 404: 'Enumeration not found' },
  handler: async ({ params, services }) => readEnumeration(services.database.reader, { id: params.enum_id }),
});

const update = defineRoute({
  method: 'POST',
  path: '/config/enumerations/:enum_id',
  operation: 'updateEnumeration',
  area: 'enumerations',
  summary: 'Replace one controlled list',
  doc: 'New values come last, values that are left out go; the order of `values` does not change places.',
  access: mayChange,
  parameters: { enum_id: id({ example: 20 }) },
  body: recordBody('enumeration', 'update', {
    example: {
      name: 'resource_resource_type',
      values: ['collection', 'papers', 'publications', 'records', 'series'],
      lock_version: 0,
    },
  }),
  replies: {
    200: { says: 'Updated.', shape: updated },
    403: 'The list or a value may not be changed.',
    409: 'A value is in use, or another update came first.',
  },
  handler: async (call) => {
    const { body, params, services } = call;
    return writtenReply(
      'Updated',
      'enumerations',
      await changeLists(
        services,
        (tx) => updateEnumeration(tx, params.enum_id, body.record, body.lockVersion, contextOf(call)),
        long,
      ),
    );
  },
});

const readValue = defineRoute({
  method: 'GET',
  path: '/config/enumeration_values/:enum_val_id',
  operation: 'getEnumerationValue',
  area: 'enumerations',
  summary: 'Read one value',
  access: 'public',
  parameters: { enum_val_id: id() },
  replies: { 200: { says: 'The value.', shape: enumerationValue }, 404: 'EnumerationValue not found' },
  handler: async ({ params, services }) => readEnumerationValue(services.database.reader, params.enum_val_id),
});

const updateOne = defineRoute({
  method: 'POST',
  path: '/config/enumeration_values/:enum_val_id',
  operation: 'updateEnumerationValue',
  area: 'enumerations',
  summary: 'Replace one value',
  doc: 'A new text replaces the old one in every record that uses it.',
  access: mayChange,
  parameters: { enum_val_id: id() },
  body: recordBody('enumeration_value', 'update', { example: { value: 'crate', lock_version: 0 } }),
  replies: {
    200: { says: 'Updated.', shape: updated },
    404: 'EnumerationValue not found',
    409: 'The value is suppressed, or another update came first.',
  },
  handler: async (call) => {
    const { body, params, services } = call;
    return writtenReply(
      'Updated',
      'enumeration_values',
      await changeLists(
        services,
        (tx) => updateValue(tx, params.enum_val_id, body.record, body.lockVersion, contextOf(call)),
        long,
      ),
    );
  },
});

const moveOne = defineRoute({
  method: 'POST',
  path: '/config/enumeration_values/:enum_val_id/position',
  operation: 'moveEnumerationValue',
  area: 'enumerations',
  summary: 'Change the place of a value',
  doc: 'The value that has the position takes the old one.',
  access: mayChange,
  parameters: { enum_val_id: id(), position: integerBetween(0, largestInt4)({ doc: 'Place from 0.' }) },
  replies: { 200: { says: 'Moved.', shape: touched }, 404: 'EnumerationValue not found' },
  handler: async ({ params, services }) => {
    const lockVersion = await changeLists(services, (tx) => moveValue(tx, params.enum_val_id, params.position));
    return { status: 'Updated', id: params.enum_val_id, lock_version: lockVersion, stale: null };
  },
});

const suppressOne = defineRoute({
  method: 'POST',
  path: '/config/enumeration_values/:enum_val_id/suppressed',
  operation: 'suppressEnumerationValue',
  area: 'enumerations',
  summary: 'Suppress or unsuppress a value',
  access: mayChange,
  parameters: { enum_val_id: id(), suppressed: boolean({ doc: 'The wanted state.' }) },
  replies: {
    200: { says: 'Done.', shape: suppressed },
    404: 'EnumerationValue not found',
  },
  handler: async ({ params, services }) => {
    await changeLists(services, (tx) => suppressValue(tx, params.enum_val_id, params.suppressed));
    return { status: 'Suppressed', id: params.enum_val_id, suppressed_state: params.suppressed };
  },
});

/** The routes of this file. */
export const enumerationRoutes: readonly Route[] = [
  list,
  csv,
  create,
  migrate,
  readByName,
  read,
  update,
  readValue,
  updateOne,
  moveOne,
  suppressOne,
];
