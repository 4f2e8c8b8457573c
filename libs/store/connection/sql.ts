// The one way to write SQL: a tagged template whose values are always parameters (slonik builds, pg runs; docs/decisions/0004).
// Composition as in slonik: sql.fragment, sql.join, sql.unnest, sql.array, sql.identifier. What a statement's rows are stands with it: sql.type.
import { createHash } from 'node:crypto';
import { createSqlTag } from '@slonik/sql-tag';
import type { z } from 'zod';

const tag = createSqlTag();

/** A statement with its values, ready to run. Its rows, if it has any, are nobody's business: Transaction.run tells how many it changed. */
export type Query = { readonly sql: string; readonly values: readonly unknown[] };

/**
 * What the rows of a statement are: a zod schema that checks and changes nothing, as rows are handed on whether they were checked or not. Of its type
 * only what is needed: to compare the whole with z.ZodType took the compiler half of its time.
 */
export type RowSchema<Row> = {
  readonly _zod: Pick<z.core.$ZodTypeInternals<Row, Row>, 'output' | 'input'>;
  readonly safeParse: (row: unknown) => z.ZodSafeParseResult<unknown>;
};

/** A statement that gives rows, with what they are. */
export type RowQuery<Row> = Query & { readonly parser: RowSchema<Row> };

/** A statement that is prepared once per connection under a name, with $1, $2 … in its text, and what its rows are; '' as name: planned at each execution. */
export type Prepared<Row> = { readonly name: string; readonly text: string; readonly parser: RowSchema<Row> };

type Part = Parameters<typeof tag.unsafe>[1];

/**
 * Builds a statement: sql`DELETE FROM session WHERE id = ${id}`. Interpolated values become parameters; fragments, joins and identifiers
 * are spliced. One that gives rows says what they are: sql.type(Body)`SELECT body FROM record WHERE kind = ${kind}`, where Body is a
 * z.strictObject made once in its file, of the columns in columns.ts.
 */
export const sql = Object.assign(
  (strings: TemplateStringsArray, ...parts: readonly Part[]): Query => {
    // Without the schema that slonik gives to what has none: by that the two sorts of statements are told apart.
    const { sql: text, values } = tag.unsafe(strings, ...parts);
    return { sql: text, values };
  },
  {
    type:
      <Row>(parser: RowSchema<Row>) =>
      (strings: TemplateStringsArray, ...parts: readonly Part[]): RowQuery<Row> => {
        const { sql: text, values } = tag.unsafe(strings, ...parts);
        return { sql: text, values, parser };
      },
    fragment: tag.fragment,
    join: tag.join,
    unnest,
    array,
    identifier: tag.identifier,
    json: (value: unknown) => tag.fragment`${JSON.stringify(value)}::json`,
  },
);

/** A piece of a statement. */
export type Fragment = ReturnType<typeof tag.fragment>;

type Value = Parameters<typeof tag.array>[0][number];

const integerArrays: Partial<Record<string, (literal: string) => Fragment>> = {
  int2: (literal) => tag.fragment`${literal}::int2[]`,
  int4: (literal) => tag.fragment`${literal}::int4[]`,
  int8: (literal) => tag.fragment`${literal}::int8[]`,
};

/**
 * Values as an array of a type of PostgreSQL's, one parameter. Integers go as the text of the array: the driver quotes each element of an array by itself,
 * 6 ms for 20,000 ids, which a thread would spend between two statements with locks held.
 */
function array(values: readonly Value[], type: string): Fragment {
  const integers = integerArrays[type];
  return integers === undefined ? tag.fragment`${tag.array(values, type)}` : integers(integersText(values));
}

function integersText(values: readonly Value[]): string {
  const strange = values.find((value) => !Number.isSafeInteger(value) && value !== null && !isDigits(value));
  if (strange !== undefined) throw new TypeError(`${typeof strange} among integers`);
  return `{${values.map((value) => (value === null ? 'NULL' : String(value))).join(',')}}`;
}

const isDigits = (value: Value): boolean =>
  typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+$/.test(value));

/** Rows as a set, one array for each column: `FROM ${sql.unnest([[1, 'a']], ['int4', 'text'])} AS u (id, name)`. All rows are as long as the list of types. */
function unnest(rows: readonly (readonly Value[])[], types: readonly string[]): Fragment {
  if (rows.some((row) => row.length !== types.length)) throw new TypeError('a row has not one value for each column');
  const columns = types.map((type, at) =>
    array(
      rows.map((row) => row[at] ?? null),
      type,
    ),
  );
  return tag.fragment`unnest(${tag.join(columns, tag.fragment`, `)})`;
}

/**
 * What `named` takes for a statement whose text is one of a few, whatever its values: it is planned once for each connection, under a name that changes
 * with the text.
 */
export function prepared<Row>(query: RowQuery<Row>): readonly [statement: Prepared<Row>, values: readonly unknown[]] {
  const text = toStatement(query);
  return [{ name: statementName(text), text, parser: query.parser }, query.values];
}

const names = new Map<string, string>();

/** The name of a statement by its text. */
export function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `m_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  names.set(text, name);
  return name;
}

const placeholders = /\$slonik_(\d+)/g;

/** The text of a query as PostgreSQL wants it: $1, $2 … in place of slonik's own placeholders. */
export function toStatement(query: Query): string {
  return query.sql.replace(placeholders, '$$$1');
}
