// What a process remembers of what others change.
import { expect, it } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import { startTestApi } from '#test/support/api.ts';
import { holding } from '#test/support/held-table.ts';
import { lockWaits } from '#test/support/lock-waits.ts';

it('knows a controlled value no more that another process took away, also where the lists could not be read at first', async () => {
  const database = { statementTimeoutMs: 300 };
  await using api = await startTestApi({ worker: false, database });
  await using other = await startTestApi({ url: api.databaseUrl, worker: false, database });
  const repoId = await api.repository();
  const given = { accession_date: '2020-01-01', acquisition_type: 'deposit' };
  let made = 0;
  const send = async (): Promise<number> =>
    (await other.post(`/repositories/${repoId}/accessions`, { ...given, id_0: `A${(made += 1)}` })).status;
  expect(await send()).toBe(200);
  await api.database.transaction(async (tx) => {
    await tx.run(sql`DELETE FROM enumeration_value v USING enumeration e
      WHERE e.id = v.enumeration_id AND e.name = 'accession_acquisition_type' AND v.value = 'deposit'`);
  });
  await holding(api.database, { table: 'enumeration', against: 'all' }, async (isMet) => {
    await api.database.write(sql`SELECT pg_notify('muniment_enumerations', '')`);
    await isMet();
    // Their statements are stopped.
    await expect.poll(() => lockWaits(api.database)).toBe(0);
  });
  await expect.poll(send).toBe(400);
});
