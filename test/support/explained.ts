// What the statements of a search cost, as EXPLAIN tells it: the same whatever else the machine does.
import type { Database, Transaction } from '#store/connection/database.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import { PlanRow } from './rows.ts';

/** What `work` gives, the pages of the database that its statements look at, and the lines of their plans. They are planned as those of searches are. */
export function explained<Result>(
  database: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<{ readonly result: Result; readonly pages: number; readonly plans: readonly string[] }> {
  return database.transaction(async (tx) => {
    await tx.run(
      sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '32MB', true)`,
    );
    let pages = 0;
    const plans: string[] = [];
    const explain = async (query: { readonly sql: string; readonly values: readonly unknown[] }): Promise<void> => {
      const plan = await tx.any({
        sql: `EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off, SUMMARY off) ${toStatement(query)}`,
        values: query.values,
        parser: PlanRow,
      });
      const lines = plan.map((line) => line['QUERY PLAN']);
      plans.push(...lines);
      const buffers = lines.find((line) => line.includes('Buffers: ')) ?? '';
      pages += [...buffers.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const counted: Transaction = {
      ...tx,
      one: async (query) => {
        await explain(query);
        return tx.one(query);
      },
      any: async (query) => {
        await explain(query);
        return tx.any(query);
      },
    };
    const result = await work(counted);
    return { result, pages, plans };
  });
}
