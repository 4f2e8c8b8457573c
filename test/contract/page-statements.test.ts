// Reading a page costs the same number of statements whatever it holds: for every kind that is listed in pages, with links resolved.
// A service of its own without a worker, so that nothing else talks to the database.
// Contract: behaviour-records.md, section 7.3.
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { allKinds } from '#domain/kinds/index.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

// Listed whole, and those of which there can be one for each owner.
const arrays = new Set(['repository', 'group', 'vocabulary', 'preference', 'rde_template']);
const paged = allKinds.filter((kind) => kind.may.create !== undefined && !arrays.has(kind.name));

let api: TestApi;
let records: HttpRecords;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  records = await httpRecords(api);
});
afterAll(async () => api[Symbol.asyncDispose]());

it.each(paged.map((kind) => [kind.name, kind] as const))(
  'lists twelve records of %s with as many statements as one',
  async (name, kind) => {
    for (let more = 0; more < 12; more += 1) await records.make(name);
    const address = records.collection(kind).split('?')[0] ?? '';
    const resolve = 'resolve[]=repository&resolve[]=linked_agents&resolve[]=resource&resolve[]=agent_record';
    const one = await statementsOf(() => api.get(`${address}?page=1&page_size=1&${resolve}`));
    const twelve = await statementsOf(() => api.get(`${address}?page=1&page_size=12&${resolve}`));
    expect(twelve).toBe(one);
    expect(one).toBeGreaterThan(1);
    expect(one).toBeLessThanOrEqual(5);
  },
);

/** The fewest statements of five runs: uses of sessions are written now and then beside them. */
async function statementsOf(work: () => Promise<{ readonly status: number }>): Promise<number> {
  let fewest = Infinity;
  for (let run = 0; run < 5; run += 1) {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    expect((await work()).status).toBe(200);
    fewest = Math.min(fewest, query.mock.calls.length);
    query.mockRestore();
  }
  return fewest;
}
