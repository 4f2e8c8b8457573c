// Records by kind and id: as rows that statements give, and as tables that they look records up by.
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** A record by kind and id. */
export const RecordKey = z.strictObject({ kind: column.text, id: column.int });
export type RecordKey = z.infer<typeof RecordKey>;

/** Records as rows (kind, id), to be named: `FROM ${keyTable(records)} AS u (kind, id)`. Records that are found by them say which kinds these are (of-kinds.ts). */
export const keyTable = (records: readonly RecordKey[]): Fragment =>
  sql.fragment`${sql.unnest(
    records.map(({ kind, id }) => [kind, id]),
    ['text', 'int4'],
  )}`;
