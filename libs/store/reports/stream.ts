// Runs the statement of a report with a cursor: a thousand rows in memory at a time, one view of the data.
import type pg from 'pg';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { toFailure } from '../connection/pg-errors.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { ReportStatement } from './definition.ts';
import { readOn } from '../connection/reader.ts';

const rowsAtOnce = 1000;
const statementTimeoutMs = 3_600_000;

const nextRows = { sql: `FETCH ${rowsAtOnce} FROM report`, values: [], parser: z.strictObject({ row: column.text }) };

/** Gives the rows as JSON texts to `take`, and its value. Holds a connection until `take` has ended. */
export async function withReportRows<T>(
  database: Database,
  { text, values }: ReportStatement,
  take: (rows: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const run = async (client: pg.PoolClient): Promise<T> => {
    async function* rows(): AsyncGenerator<string> {
      for (;;) {
        const some = await readOn(client, nextRows);
        for (const { row } of some) yield row;
        if (some.length < rowsAtOnce) return;
      }
    }
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query(`SET LOCAL statement_timeout = ${statementTimeoutMs}`);
      await client.query(`DECLARE report NO SCROLL CURSOR FOR ${text}`, [...values]);
      return await take(rows());
    } catch (error) {
      throw toFailure(error);
    } finally {
      // It only read, so there is nothing to keep; a connection that is gone is replaced by the pool.
      await client.query('ROLLBACK').catch(() => undefined);
    }
  };
  return database.withClient(run, { statementTimeoutMs });
}

const NameRow = z.strictObject({ name: column.maybeText });

/** What a repository is called, for the head of a report; empty where it is gone. */
export async function readRepositoryName(database: Database, repoId: number): Promise<string> {
  return (
    (
      await database.reader.maybeOne(sql.type(NameRow)`
        SELECT body->>'name' AS name FROM record WHERE kind = 'repository' AND id = ${repoId}`)
    )?.name ?? ''
  );
}
