// Rows are what their statements say: the one place where what came from PostgreSQL gets its type.
import { fail } from '#domain/errors.ts';
import type { RowSchema } from './sql.ts';

/**
 * Checks the first `most` rows of a statement, which `what` names in the log, and gives all of them its row type. Fails with `internal`. They
 * stay as they came, and not as the schema would copy them: so it makes no difference to anybody which of them were checked.
 */
export function checkRows<Row>(
  schema: RowSchema<Row>,
  rows: readonly unknown[],
  most: number,
  what: string,
): asserts rows is readonly Row[] {
  const count = Math.min(rows.length, most);
  for (let n = 0; n < count; n++) {
    const result = schema.safeParse(rows[n]);
    if (result.success) continue;
    // Names of columns and sorts of values alone: what is in a row is nobody's business in a log.
    const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    const cause = new Error(
      `row ${n + 1} of ${rows.length} is not as its statement says: ${faults} (${what.slice(0, 300)})`,
    );
    throw fail('internal', 'A row is not as its statement says', {}, cause);
  }
}
