// Values of controlled lists (contract 6.13).
import { z } from 'zod';
import { enumerationValue } from '../openapi/shapes/enumerations.ts';
import { acceptedReply, suppressed, touched, updated } from '../openapi/shapes/envelopes.ts';
import { largestInt4 } from '#domain/int4.ts';
import { textOf } from '#domain/json.ts';
import { readEnumerationValue } from '#store/enumerations/lists.ts';
import { moveValue, suppressValue, updateValue } from '#store/enumerations/update-value.ts';
import { changeLists } from '../access/accounts.ts';
import { byJob, contextOf, mayChange, renameByJob, writtenReply } from '../record-routes/lists.ts';
import { recordBody } from '../request/body.ts';
import { boolean, id, integerBetween } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

/** What the job tells of a value that was saved. */
const Saved = z.object({ lock_version: z.int() });

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
  doc: `A new text replaces the old one in every record that uses it. ${byJob}`,
  access: mayChange,
  parameters: { enum_val_id: id() },
  body: recordBody('enumeration_value', 'update', { example: { value: 'crate', lock_version: 0 } }),
  replies: {
    200: { says: 'Updated.', shape: updated },
    ...acceptedReply,
    404: 'EnumerationValue not found',
    409: 'The value is suppressed, another update came first, or a value of the list is being renamed.',
  },
  handler: async (call) => {
    const { body, params, services } = call;
    const valueId = params.enum_val_id;
    const stored = await readEnumerationValue(services.database.reader, valueId);
    if ((textOf(body.record, 'value') ?? stored['value']) === stored['value']) {
      const written = await changeLists(services, (tx) =>
        updateValue(tx, valueId, body.record, body.lockVersion, contextOf(call)),
      );
      return writtenReply('Updated', 'enumeration_values', written);
    }
    const end = await renameByJob(call, { valueId, body: body.record, lockVersion: body.lockVersion ?? null });
    if (end.early !== null) return end.early;
    const { lock_version: lockVersion } = Saved.parse(end.value);
    return writtenReply('Updated', 'enumeration_values', { id: valueId, lockVersion });
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
  replies: {
    200: { says: 'Moved.', shape: touched },
    404: 'EnumerationValue not found',
    409: 'A value of the list is being renamed.',
  },
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
    409: 'A value of the list is being renamed.',
  },
  handler: async ({ params, services }) => {
    await changeLists(services, (tx) => suppressValue(tx, params.enum_val_id, params.suppressed));
    return { status: 'Suppressed', id: params.enum_val_id, suppressed_state: params.suppressed };
  },
});

/** The routes of this file. */
export const enumerationValueRoutes: readonly Route[] = [readValue, updateOne, moveOne, suppressOne];
