// Controlled lists (contract 6.13); their values: enumeration-values.ts.
import { shape } from '../openapi/shape.ts';
import { acceptedReply, created, updated } from '../openapi/shapes/envelopes.ts';
import { textOf } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import { csvLine } from '#domain/formats/csv/write.ts';
import { readEnumeration, readEnumerations, readValueLines } from '#store/enumerations/lists.ts';
import { createEnumeration, updateEnumeration } from '#store/enumerations/update.ts';
import { changeLists } from '../access/accounts.ts';
import { byJob, contextOf, long, mayChange, renameByJob, writtenReply } from '../record-routes/lists.ts';
import { recordBody } from '../request/body.ts';
import { id, text } from '../request/parameters.ts';
import { text as textReply } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

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
  doc: byJob,
  access: mayChange,
  parameters: {},
  body: recordBody('enumeration_migration', 'create', {
    example: { enum_uri: '/config/enumerations/16', from: 'carton', to: 'box' },
  }),
  replies: {
    200: { says: 'The list after the move.', shape: shape.record('enumeration') },
    ...acceptedReply,
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
    const change = { listId, from: textOf(record, 'from') ?? '', to: textOf(record, 'to') ?? '' };
    const { early } = await renameByJob(call, change);
    return early ?? readEnumeration(call.services.database.reader, { id: listId });
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
    409: 'A value is in use, another update came first, or a value of the list is being renamed.',
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

/** The routes of this file. */
export const enumerationRoutes: readonly Route[] = [list, csv, create, migrate, readByName, read, update];
