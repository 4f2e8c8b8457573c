// PostgreSQL's plan of a statement, asked for without running it, and without the values that stand in it: what people searched for is nobody's
// business in a log.
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import type { Statement } from './statements.ts';

/** A step of a plan, of which conditions and outputs are left out. */
type Step = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  readonly 'CTE Name'?: string | undefined;
  readonly 'Join Type'?: string | undefined;
  readonly 'Plan Rows': number;
  readonly 'Total Cost': number;
  readonly Plans?: readonly Step[] | undefined;
};

const StepSchema: z.ZodType<Step> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'CTE Name': z.string().optional(),
    'Join Type': z.string().optional(),
    'Plan Rows': z.number(),
    'Total Cost': z.number(),
    Plans: z.array(StepSchema).optional(),
  }),
);
const Explained = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: StepSchema })) }));

const planLimitMs = 2000;

/** Whether a statement reads and does nothing else, as far as its text tells: what is uncertain is not asked about. */
export const isSelect = (text: string): boolean =>
  /^\s*(?:SELECT|WITH)\b/i.test(text) && !/\b(?:INSERT|UPDATE|DELETE|MERGE|INTO|LOCK|nextval|setval)\b/i.test(text);

/**
 * The plan that PostgreSQL makes of a SELECT with its values, a line for each step, indented; null where it is no SELECT. It is not run. Takes a connection that may
 * only read. Throws what PostgreSQL says where it cannot be planned.
 */
export async function planOf(database: Database, { text, values }: Statement): Promise<readonly string[] | null> {
  if (!isSelect(text)) return null;
  const rows = await database.withClient(async (client) => {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${planLimitMs}; SET LOCAL lock_timeout = 100`);
    try {
      // By the protocol that takes one statement alone, whatever its text holds.
      const query = { text: `EXPLAIN (FORMAT JSON) ${text}`, values: [...values], queryMode: 'extended' };
      const { rows: explained }: { readonly rows: readonly unknown[] } = await client.query(query);
      return explained;
    } finally {
      await client.query('ROLLBACK');
    }
  });
  const plan = Explained.parse(rows.map(parsed))[0]?.['QUERY PLAN'][0]?.Plan;
  return plan === undefined ? null : [...linesOf(plan, 0)];
}

/** json comes as text from the pools of the service. */
const parsed = (row: unknown): unknown =>
  typeof row === 'object' && row !== null && 'QUERY PLAN' in row && typeof row['QUERY PLAN'] === 'string'
    ? { 'QUERY PLAN': JSON.parse(row['QUERY PLAN']) }
    : row;

function* linesOf(step: Step, depth: number): Generator<string> {
  const using = step['Index Name'] === undefined ? '' : ` using ${step['Index Name']}`;
  const on = step['Relation Name'] ?? step['CTE Name'];
  const join = step['Join Type'] === undefined ? '' : ` (${step['Join Type']})`;
  yield `${'  '.repeat(depth)}${step['Node Type']}${join}${using}${on === undefined ? '' : ` on ${on}`} rows=${step['Plan Rows']} cost=${step['Total Cost']}`;
  for (const below of step.Plans ?? []) yield* linesOf(below, depth + 1);
}
