// How a new index takes the live one's place: not under whoever is at the tables, and whole.
import { describe, expect, it } from 'vitest';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { sql } from '#store/connection/sql.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { holding } from '#test/support/held-table.ts';
import { killAt, nothing, rebuiltIndex, staff } from '#test/support/index-rebuild.ts';
import { AnyRow } from '#test/support/rows.ts';

const { store, indexed, anew, leftOvers, total, jobOfRun, requeue } = await rebuiltIndex();

describe('an index made beside the live one', () => {
  it('is not put in place under a search that has begun, of which both tables are held before its first statement', async () => {
    await indexed();
    const locks = () =>
      store.database.reader.any(sql.type(AnyRow)`
      SELECT DISTINCT c.relname AS table FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE l.mode = 'AccessShareLock' AND c.relname IN ('search_doc', 'search_body')
        AND l.pid IN (SELECT w.pid FROM pg_locks w WHERE NOT w.granted) ORDER BY 1`);
    // Beginnings are looked up in the list of words before any document is.
    await holding(store.database, { table: 'search_lexeme', against: 'all' }, async (isMet) => {
      const found = total('pape*');
      await isMet();
      expect(await locks()).toEqual([{ table: 'search_body' }, { table: 'search_doc' }]);
      return { found };
    }).then(({ found }) => found);
  });

  it('waits for whoever is at the tables beside, and tells what it does', async () => {
    await indexed();
    await expect(anew(killAt('Carrying over'))).rejects.toThrow('killed');
    const jobId = await jobOfRun();
    await requeue(jobId);
    // As an autovacuum is, but that it makes no room.
    await store.database.withClient(async (client) => {
      await client.query('BEGIN; LOCK TABLE beside.search_body IN SHARE UPDATE EXCLUSIVE MODE');
      const made = anew({ jobId });
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect(
        await store.database.reader.one(sql.type(AnyRow)`SELECT count(*)::int AS builds FROM search_build`),
      ).toEqual({
        builds: 1,
      });
      await client.query('ROLLBACK');
      await made;
    });
    expect(await leftOvers()).toEqual(nothing);
  });

  it('is searched all the while: whole before, whole after, never in between', async () => {
    await indexed();
    const facets = async (q: string | undefined): Promise<string> => {
      const { total: found, facets: counted } = await postgresSearch(store.database).search(
        buildSearchRequest(
          { page: 1, ...(q === undefined ? {} : { q }), facet: ['primary_type', 'publish'] },
          { now: Date.now() },
        ),
        staff,
      );
      return JSON.stringify([found, counted]);
    };
    // The first is counted document by document, the second by scopes.
    const [papers, all] = [await facets('papers'), await facets(undefined)];
    const seen: string[] = [];
    let isDone = false;
    const searching = Promise.all(
      [1, 2, 3].map(async () => {
        while (!isDone) seen.push(await facets('papers'), await facets(undefined));
      }),
    );
    await anew();
    await anew();
    isDone = true;
    await searching;
    expect(seen.length).toBeGreaterThan(20);
    expect(new Set(seen)).toEqual(new Set([papers, all]));
  });
});
