// A report as data: of which records, in which order, with which fields; and the one statement that it becomes.
import type { ReportColumn } from '#domain/reports/table.ts';
import type { ReportFields } from './parts.ts';

/** The records of a report (FROM and WHERE over `r`), in their order, and its fields. Constants of this folder alone: it becomes SQL as it is. */
export type Definition = { readonly of: string; readonly order: string; readonly fields: ReportFields };

/** A statement that gives one row of JSON text (`row`) for each record, the values of its parameters, and the columns of the report. */
export type ReportStatement = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly columns: readonly ReportColumn[];
};

const built = (fields: readonly (readonly [string, string])[]): string =>
  `json_build_object(${fields.map(([key, expression]) => `'${key}', ${expression}`).join(', ')})`;

/** The statement of a report. Its first four values are those of parts.ts; `limit` is the place of the parameter that holds the most rows. */
export function statementOf(
  { of, order, fields }: Definition,
  values: readonly unknown[],
  limit?: string,
): ReportStatement {
  const pairs = Object.entries(fields).map(
    ([key, field]) =>
      [
        key,
        typeof field === 'string'
          ? field
          : `(SELECT coalesce(json_agg(${built(Object.entries(field.parts))} ORDER BY ${field.order}), '[]') FROM ${field.from})`,
      ] as const,
  );
  return {
    // A parameter that nothing else names has no type.
    text: `SELECT ${built(pairs)}::text AS row FROM ${of} AND ($1::int IS NOT NULL AND $2::boolean IS NOT NULL AND ($3::text IS NULL OR true) AND ($4::text IS NULL OR true)) ORDER BY ${order}${limit === undefined ? '' : ` LIMIT ${limit}`}`,
    values,
    columns: Object.entries(fields).map(([key, field]) =>
      typeof field === 'string' ? { key } : { key, parts: Object.keys(field.parts) },
    ),
  };
}
