// Runs statements on a connection or a pool, and gives their rows as the service has them: times, json and numbers in one form.
import pg from 'pg';
import { toFailure } from './pg-errors.ts';
import { checkRows } from './row-checks.ts';
import { observed } from '../observing/statements.ts';
import type { Prepared, RowQuery } from './sql.ts';
import { toStatement } from './sql.ts';
import type { ListMemory } from '../records/reading/list-memory.ts';
import type { ResolvedTexts } from '../records/reading/resolved-texts.ts';
import type { PositionMemory } from '../trees/position-memory.ts';

/**
 * Runs statements that read; one that writes fails with `internal` (25006), but in a Transaction. Rows have the type that stands with the
 * statement (sql.type), and fail with `internal` where they are found to be otherwise. Times come as 'YYYY-MM-DDTHH:MM:SSZ', json as text,
 * jsonb parsed, bigint and numeric as number.
 */
export type Reader = {
  /** All rows. */
  any<Row>(query: RowQuery<Row>): Promise<readonly Row[]>;
  /** The only row, or null where there is none. */
  maybeOne<Row>(query: RowQuery<Row>): Promise<Row | null>;
  /** The only row; fails with `internal` where there is none. */
  one<Row>(query: RowQuery<Row>): Promise<Row>;
  /** All rows of a statement prepared once per connection under a name; for the hottest statements alone. */
  named<Row>(statement: Prepared<Row>, values: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * The row of an id from a named statement whose only parameter is an int[] of ids and whose rows have `id`; undefined where there is
   * none. Outside transactions, reads that come together share a statement (batched-reads.ts).
   */
  byId<Row>(statement: Prepared<Row>, id: number): Promise<Row | undefined>;
  /** Positions in trees that are known already; absent in transactions. */
  readonly positions?: PositionMemory;
  /** Texts of linked records that are known already; absent in transactions. */
  readonly resolved?: ResolvedTexts;
  /** What is known of long lists already; absent in transactions. */
  readonly lists?: ListMemory;
};

const isoTime = (text: string): string => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;
const parsers = new Map<number, (text: string) => unknown>([
  [20, Number],
  [114, (text) => text],
  [1184, isoTime],
  [1082, (text) => text],
  [1700, Number],
]);
/** How values come from PostgreSQL; Reader says what of them. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format ?? 'text'),
};

/** What a reader needs of a connection, a pool, or a pool whose statements end with a signal. */
type Queried = { query(config: pg.QueryConfig): Promise<{ readonly rows: readonly unknown[] }> };

/** The rows of a statement on this client, as they come. */
export async function rowsOn(client: Queried, query: pg.QueryConfig): Promise<readonly unknown[]> {
  try {
    return (await client.query(query)).rows;
  } catch (error) {
    throw toFailure(error);
  }
}

/**
 * The rows of a statement on a connection that is no reader's: of migrations, backups and the embedded server. Values are as that connection
 * parses them, so bigint is text; errors are as pg throws them. All rows are checked.
 */
export async function readOn<Row>(client: Queried, query: RowQuery<Row>): Promise<readonly Row[]> {
  const { rows }: { readonly rows: readonly unknown[] } = await client.query({
    text: toStatement(query),
    values: [...query.values],
  });
  checkRows(query.parser, rows, Infinity, query.sql);
  return rows;
}

/**
 * A reader on a connection, a pool, or a pool whose statements end with a signal. Whether it may write is that connection's affair. Of the
 * rows of each statement so many are checked.
 */
export function readerOn(client: Queried, rowsChecked = Infinity): Reader {
  const any = async <Row>(query: RowQuery<Row>): Promise<readonly Row[]> => {
    const statement = { text: toStatement(query), values: [...query.values] };
    const rows = await observed(statement, () => rowsOn(client, statement));
    checkRows(query.parser, rows, rowsChecked, query.sql);
    return rows;
  };
  const named = async <Row>(statement: Prepared<Row>, values: readonly unknown[]): Promise<readonly Row[]> => {
    const { name, text, parser } = statement;
    const prepared = { name, text, values: [...values] };
    const rows = await observed(prepared, () => rowsOn(client, prepared));
    checkRows(parser, rows, rowsChecked, name);
    return rows;
  };
  return {
    any,
    maybeOne: async <Row>(query: RowQuery<Row>) => (await any(query))[0] ?? null,
    one: async <Row>(query: RowQuery<Row>) => {
      const row = (await any(query))[0];
      if (row === undefined) throw new Error(`no row: ${query.sql.slice(0, 200)}`);
      return row;
    },
    named,
    byId: async (statement, id) => (await named(statement, [[id]]))[0],
  };
}
