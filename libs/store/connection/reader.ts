// Runs statements on a connection or a pool, and gives their rows as the service has them: times, json and numbers in one form.
import pg from 'pg';
import { toFailure } from './pg-errors.ts';
import type { Query } from './sql.ts';
import { toStatement } from './sql.ts';
import type { PositionMemory } from '../trees/position-memory.ts';

/** Runs statements that read; one that writes fails with `internal` (25006), but in a Transaction. Times come as 'YYYY-MM-DDTHH:MM:SSZ', json as text, jsonb parsed, bigint as number. */
export type Reader = {
  /** All rows. */
  any<Row>(query: Query): Promise<readonly Row[]>;
  /** The only row, or null where there is none. */
  maybeOne<Row>(query: Query): Promise<Row | null>;
  /** The only row; fails with `internal` where there is none. */
  one<Row>(query: Query): Promise<Row>;
  /** All rows of a statement prepared once per connection under a name; for the hottest statements alone. */
  named<Row>(name: string, text: string, values: readonly unknown[]): Promise<readonly Row[]>;
  /**
   * The row of an id from a named statement whose only parameter is an int[] of ids and whose rows have `id`; undefined where there is
   * none. Outside transactions, reads that come together share a statement (batched-reads.ts).
   */
  byId<Row>(name: string, text: string, id: number): Promise<Row | undefined>;
  /** Positions in trees that are known already; absent in transactions. */
  readonly positions?: PositionMemory;
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

/** A reader on a connection, a pool, or a pool whose statements end with a signal. Whether it may write is that connection's affair. */
export function readerOn(client: Queried): Reader {
  const rows = async <Row>(query: pg.QueryConfig): Promise<readonly Row[]> => {
    try {
      const result = await client.query(query);
      // The statement's author states the row type where it is run; tests check the shapes over HTTP.
      return result.rows as readonly Row[];
    } catch (error) {
      throw toFailure(error);
    }
  };
  const reader: Reader = {
    any: (query) => rows({ text: toStatement(query), values: [...query.values] }),
    maybeOne: async <Row>(query: Query) =>
      (await rows<Row>({ text: toStatement(query), values: [...query.values] }))[0] ?? null,
    one: async <Row>(query: Query) => {
      const row = (await rows<Row>({ text: toStatement(query), values: [...query.values] }))[0];
      if (row === undefined) throw new Error(`no row: ${query.sql.slice(0, 200)}`);
      return row;
    },
    named: (name, text, values) => rows({ name, text, values: [...values] }),
    byId: async <Row>(name: string, text: string, id: number) => (await rows<Row>({ name, text, values: [[id]] }))[0],
  };
  return reader;
}
