// A making beside the live index that is cut off: gone on with, begun anew, or nothing is left of it.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Progress } from '#domain/job.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { dropAbandoned, finishRebuild } from '#store/search/postgres/rebuild.ts';
import { writersOf } from '#test/support/index-contents.ts';
import { killAt, nothing, rebuiltIndex } from '#test/support/index-rebuild.ts';
import { AnyRow } from '#test/support/rows.ts';

const { store, indexed, stopIndexer, anew, contents, definitions, leftOvers, jobOfRun, requeue, expectCounted } =
  await rebuiltIndex();

describe('a making that is cut off', () => {
  it.each(['Indexing', 'Making the indexes', 'Carrying over'])(
    'in "%s" is gone on with by the next run of the job',
    async (phase) => {
      await indexed();
      const before = [await contents(), await definitions()];
      const written = await writersOf(store.database);
      await expect(anew(killAt(phase))).rejects.toThrow('killed');
      expect(await writersOf(store.database)).toEqual(written);
      const jobId = await jobOfRun();
      await requeue(jobId);
      await expect
        .poll(
          async () =>
            (
              await store.database.reader.one(sql.type(NumberRow)`
                SELECT count(*)::int AS n FROM reindex_due WHERE lane = 2`)
            ).n,
        )
        .toBe(0);
      const { made } = await store.database.reader.one(sql.type(z.strictObject({ made: column.int }))`
        SELECT 'beside.search_doc'::regclass::oid::int AS made`);
      await anew({ jobId });
      expect([await contents(), await definitions()]).toEqual(before);
      expect(
        await store.database.reader.one(sql.type(AnyRow)`SELECT 'search_doc'::regclass::oid::int AS made`),
      ).toEqual({ made });
      expect(await leftOvers()).toEqual(nothing);
      // Once more after its end, as where only the word of that was lost: nothing is made again.
      const ended = await writersOf(store.database);
      await anew({ jobId });
      expect(await writersOf(store.database)).toEqual(ended);
    },
  );

  it('and whose job another worker has ended since does not put the next one in place', async () => {
    await indexed();
    await expect(anew(killAt('Making the indexes'))).rejects.toThrow('killed');
    const lost = await jobOfRun();
    await dropAbandoned(store.database);
    await expect(anew(killAt('Making the indexes'))).rejects.toThrow('killed');
    const next = await jobOfRun();
    expect(next).not.toBe(lost);
    await requeue(next);
    const controller = new AbortController();
    await expect(finishRebuild(store.database, lost, controller.signal, () => undefined)).rejects.toThrow(
      `not of job ${lost}`,
    );
    await stopIndexer();
    await store.database.transaction((tx) =>
      tx.run(sql`INSERT INTO reindex_due (lane, kind, id) VALUES (2, 'resource', 1000000)`),
    );
    await expect(finishRebuild(store.database, next, controller.signal, () => undefined)).rejects.toThrow(/not done/);
    await store.database.transaction((tx) => tx.run(sql`UPDATE job SET status = 'failed' WHERE id = ${next}`));
    await dropAbandoned(store.database);
    expect(await leftOvers()).toEqual(nothing);
  });

  it('by an upgrade that changed the tables is begun anew', async () => {
    await indexed();
    const before = await contents();
    await expect(anew(killAt('Carrying over'))).rejects.toThrow('killed');
    const jobId = await jobOfRun();
    await requeue(jobId);
    await store.database.transaction((tx) => tx.run(sql`ALTER TABLE search_doc ADD later int`));
    await anew({ jobId });
    await store.database.transaction((tx) => tx.run(sql`ALTER TABLE search_doc DROP later`));
    expect(await contents()).toEqual(before);
    expect(await leftOvers()).toEqual(nothing);
  });

  it('for good, or canceled, leaves nothing behind', async () => {
    await indexed();
    const written = await writersOf(store.database);
    await expect(anew(killAt('Carrying over'))).rejects.toThrow('killed');
    // The job has failed.
    await dropAbandoned(store.database);
    expect(await leftOvers()).toEqual(nothing);
    const stopping = new AbortController();
    const progress = ({ label }: Progress): void => {
      if (label === 'Indexing') stopping.abort(new Error('canceled'));
    };
    await stopIndexer();
    await expect(anew({ signal: stopping.signal, progress })).rejects.toThrow();
    await dropAbandoned(store.database);
    expect(await leftOvers()).toEqual(nothing);
    expect(await writersOf(store.database)).toEqual(written);
    await indexed();
    await expectCounted();
  });
});
