// The index made anew beside the live one: it takes the live one's place whole, with all that was written meanwhile, or leaves nothing.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { reindex } from '#domain/jobs/reindex.ts';
import type { Progress } from '#domain/job.ts';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { renewOldIndex } from '#store/search/document-version.ts';
import { dropAbandoned, finishRebuild } from '#store/search/postgres/rebuild.ts';
import { AnyRow } from '#test/support/rows.ts';
import { IdRow, column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/reindex.ts';
import type { JobContext } from '../../../../apps/worker/handler.ts';
import { contentsOf, countsBothWays, countsOf, writersOf } from '#test/support/index-contents.ts';
import { holding } from '#test/support/held-table.ts';
import { indexerOnDemand, untilIndexed } from '#test/support/indexer.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore, personBody, resourceBody } from '#test/support/records.ts';
import { runHandler } from '#test/support/run-handler.ts';
import { amount } from '#test/support/long.ts';

const everything = { kinds: null, repoId: null, rewrite: true };
const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true } as const;

let store: RecordStore;
const { indexed, stop: stopIndexer } = indexerOnDemand(() => store.database, 20);
beforeAll(async () => {
  store = await openRecordStore();
  const repository = `/repositories/${store.repoId}`;
  await store.update(repository, { ...(await store.read(repository)), publish: true });
  for (let n = 0; n < 40; n++)
    await store.create('resource', resourceBody(`B${n}`, { title: `Papers ${n}`, publish: n % 2 === 0 }));
});
afterEach(stopIndexer);
afterAll(() => store[Symbol.asyncDispose]());

const anew = (around: Partial<JobContext> = {}): Promise<unknown> =>
  runHandler(store.database, reindex, handler, everything, around);
const contents = () => contentsOf(store.database);
const total = async (q: string): Promise<number> =>
  (await postgresSearch(store.database).search(buildSearchRequest({ page: 1, q }, { now: Date.now() }), staff)).total;
const suppress = (uri: string, suppressed: boolean): Promise<number> => {
  const { kind, id, repoId } = parseUri(uri) ?? { kind: '', id: 0, repoId: 0 };
  return store.database.transaction((tx) =>
    suppressRecord(tx, { kind: kindNamed(kind), id, repoId, suppressed, actor: 'tester' }),
  );
};

/** All there is of the tables of documents: columns, what they are stored like, indexes, constraints (whether checked for older rows or not), triggers, the sequence. */
const definitions = (): Promise<readonly unknown[]> =>
  store.database.reader.any(sql.type(AnyRow)`
  SELECT c.relname, c.reloptions, ARRAY(SELECT concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attstorage, a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid)) FROM pg_attribute a
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname) AS columns,
    ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = c.oid ORDER BY 1) AS indexes,
    ARRAY(SELECT conname || ' ' || replace(pg_get_constraintdef(oid), ' NOT VALID', '') FROM pg_constraint WHERE conrelid = c.oid ORDER BY 1) AS constraints,
    ARRAY(SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = c.oid ORDER BY 1) AS triggers, pg_get_serial_sequence(c.relname, 'no') AS sequence
  FROM pg_class c WHERE c.relname IN ('search_doc', 'search_body') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`);
/** What a making has of its own. */
const leftOvers = (): Promise<unknown> =>
  store.database.reader.one(sql.type(AnyRow)`
  SELECT (SELECT count(*)::int FROM search_build) AS builds, (SELECT count(*)::int FROM search_touched) AS touched, (SELECT count(*)::int FROM reindex_due WHERE lane = 2) AS due, (SELECT count(*)::int FROM reindex_fan WHERE lane = 2) AS fans,
    (SELECT count(*)::int FROM pg_class WHERE relnamespace = 'beside'::regnamespace) AS relations, (SELECT count(*)::int FROM search_scope WHERE generation <> (SELECT generation FROM search_form)) AS scopes,
    (SELECT count(*)::int FROM search_tally WHERE generation <> (SELECT generation FROM search_form)) AS tally`);
const nothing = { builds: 0, touched: 0, due: 0, fans: 0, relations: 0, scopes: 0, tally: 0 };

const killAt = (phase: string) => ({
  progress: ({ label }: Progress) => {
    if (label === phase) throw new Error('killed');
  },
});
const jobOfRun = async (): Promise<number> =>
  (await store.database.reader.one(sql.type(IdRow)`SELECT max(job_id) AS id FROM reindex_run`)).id;
/** A job that was cut off and is to be run again. */
const requeue = (jobId: number): Promise<unknown> =>
  store.database.transaction((tx) => tx.run(sql`UPDATE job SET status = 'queued' WHERE id = ${jobId}`));

/** Keeps the tables from changing places while `work` runs, as a long search does. */
async function looking(work: () => Promise<void>): Promise<void> {
  await store.database.withClient(async (client) => {
    await client.query('BEGIN; LOCK TABLE search_doc IN ACCESS SHARE MODE');
    try {
      await work();
    } finally {
      await client.query('ROLLBACK');
    }
  });
}

/** Begins a making, does `work` when all is written beside and before that is searched, and sees the making through. */
async function during(work: () => Promise<void>): Promise<void> {
  let isCarrying = false;
  let made: Promise<unknown> = Promise.resolve();
  await looking(async () => {
    made = anew({
      progress: ({ label }: Progress) => {
        isCarrying ||= label === 'Carrying over';
      },
    });
    await expect.poll(() => isCarrying).toBe(true);
    await work();
  });
  await made;
}

/** What is waited for at the end of a block, also where that fails. */
const pending = (promise: Promise<unknown>): AsyncDisposable & { readonly promise: Promise<unknown> } => ({
  promise,
  [Symbol.asyncDispose]: async () => void (await promise.catch(() => undefined)),
});

/** Counts agree with the documents. */
async function expectCounted(): Promise<void> {
  const { told, anew: there } = await countsBothWays(store.database);
  expect(told).toEqual(there);
}

describe('an index made beside the live one', () => {
  it('has the same documents under the same numbers, all written anew, and the same tables', async () => {
    await indexed();
    const numbers = () =>
      store.database.reader.any(sql.type(AnyRow)`
      SELECT no, id, audience FROM search_doc ORDER BY no`);
    const before = [await contents(), await countsOf(store.database), await definitions(), await numbers()];
    const written = await writersOf(store.database);
    const seen: string[] = [];
    expect(await anew({ progress: ({ label }: Progress) => void seen.push(label) })).toMatchObject({
      records: expect.any(Number),
    });
    expect([await contents(), await countsOf(store.database), await definitions(), await numbers()]).toEqual(before);
    for (const [id, xmin] of await writersOf(store.database)) expect(xmin, id).not.toBe(written.get(id));
    expect([...new Set(seen)]).toEqual(['Indexing', 'Making the indexes', 'Carrying over']);
    expect(await leftOvers()).toEqual(nothing);
    // Numbers go on where they were, and a nightly reindexing finds all as it would write it.
    const { uri } = await store.create('resource', resourceBody('AFTER', { title: 'Numbat papers' }));
    await indexed();
    const again = await writersOf(store.database);
    expect(again.has(`${uri} 1`)).toBe(true);
    await runHandler(store.database, reindex, handler, { ...everything, rewrite: false });
    expect(await writersOf(store.database)).toEqual(again);
    // The new tables have their turn like the first.
    await anew();
    expect(await definitions()).toEqual(before[2]);
  });

  it('has what was written, hidden, shown and taken out after it was made of the same records, and is searched at once', async () => {
    const make = async (n: string): Promise<string> =>
      (await store.create('resource', resourceBody(n, { title: `Bilby ${n}`, publish: true }))).uri;
    const [changed, gone, hidden, unpublished] = await Promise.all(['C1', 'C2', 'C3', 'C4'].map(make));
    const shown = await make('C5');
    await suppress(shown, true);
    await indexed();
    let fresh = '';
    await during(async () => {
      await store.update(changed ?? '', { ...(await store.read(changed ?? '')), title: 'Potoroo changed' });
      await store.remove(gone ?? '');
      await suppress(hidden ?? '', true);
      await suppress(shown, false);
      await store.update(unpublished ?? '', { ...(await store.read(unpublished ?? '')), publish: false });
      fresh = await make('C6');
      await indexed();
      expect([await total('title:potoroo'), await total('title:bilby')]).toEqual([1, 4]);
    });
    expect([await total('title:potoroo'), await total('title:bilby')]).toEqual([1, 4]);
    expect(
      (
        await store.database.reader.any(sql.type(z.strictObject({ id: column.text }))`
        SELECT id FROM search_doc WHERE suppressed ORDER BY 1`)
      ).map(({ id }) => id),
    ).toEqual([hidden]);
    expect(
      await store.database.reader.any(sql.type(AnyRow)`
        SELECT published FROM search_doc WHERE uri = ${unpublished ?? ''}`),
    ).toEqual([{ published: false }]);
    expect(
      await store.database.reader.any(sql.type(AnyRow)`SELECT published FROM search_doc WHERE uri = ${fresh}`),
    ).toEqual([{ published: true }]);
    await expectCounted();
    await untilIndexed(store.database);
    const made = [await contents(), await countsOf(store.database)];
    await anew();
    expect([await contents(), await countsOf(store.database)]).toEqual(made);
    expect(await leftOvers()).toEqual(nothing);
  });

  it('hides what was suppressed and takes out what was deleted before the indexer has come to either', async () => {
    const make = async (n: string): Promise<string> =>
      (await store.create('resource', resourceBody(n, { title: `Tammar ${n}`, publish: true }))).uri;
    const [hidden, kept] = await Promise.all(['D1', 'D2'].map(make));
    await indexed();
    await during(async () => {
      await stopIndexer();
      await suppress(hidden ?? '', true);
    });
    const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false } as const;
    const found = await postgresSearch(store.database).read([hidden ?? '', kept ?? ''], staff);
    expect(found.map(({ id }) => id)).toEqual([kept]);
    // A record that was read beside and never live, and is deleted while nobody indexes what is live.
    await indexed();
    const early = await make('D3');
    await during(async () => {
      await untilIndexed(store.database);
      await store.remove(early);
      await untilIndexed(store.database);
    });
    expect(await store.database.reader.any(sql.type(AnyRow)`SELECT FROM search_doc WHERE uri = ${early}`)).toEqual([]);
  });

  it('after any changes is what writing all of it in its place would make it', async () => {
    const uris: string[] = [];
    for (let n = 0; n < 4; n++)
      uris.push((await store.create('resource', resourceBody(`P${n}`, { title: `Series ${n}`, publish: true }))).uri);
    const agents = await Promise.all(
      ['Koala', 'Dingo'].map(async (name) => (await store.create('agent_person', personBody(name))).uri),
    );
    await indexed();
    const change = fc.record({
      which: fc.nat(uris.length - 1),
      title: fc.constantFrom('Series', 'Letters'),
      publish: fc.boolean(),
      agent: fc.constantFrom(null, ...agents),
      isSuppressed: fc.option(fc.boolean(), { nil: undefined }),
      name: fc.constantFrom(null, 'Quokka', 'Wallaby'),
      pauseMs: fc.nat(60),
    });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        // Waited for whatever fails, since there is one making at a time.
        await using generatedValues = pending(anew());
        for (const { which, title, publish, agent, isSuppressed, name, pauseMs } of changes) {
          const uri = uris[which] ?? '';
          // Nobody edits what is suppressed.
          await suppress(uri, false);
          await store.update(uri, {
            ...(await store.read(uri)),
            title,
            publish,
            linked_agents: agent === null ? [] : [{ role: 'creator', ref: agent }],
          });
          if (isSuppressed !== undefined) await suppress(uri, isSuppressed);
          if (name !== null && agent !== null)
            await store.update(agent, { ...(await store.read(agent)), ...personBody(`${name} ${n++}`) });
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
        await generatedValues.promise;
        await expectCounted();
        await untilIndexed(store.database);
        const made = await contents();
        const { edition } = await store.database.reader.one(sql.type(z.strictObject({ edition: column.int }))`
          SELECT edition FROM search_form`);
        // In place: a kind and a repository at a time is never beside.
        await runHandler(store.database, reindex, handler, {
          kinds: ['resource', 'agent_person', 'repository'],
          repoId: null,
          rewrite: true,
        });
        expect(await store.database.reader.one(sql.type(AnyRow)`SELECT edition FROM search_form`)).toEqual({
          edition: edition + 1,
        });
        expect(await contents()).toEqual(made);
        await expectCounted();
      }),
      { numRuns: amount(3, 12) },
    );
    expect(await leftOvers()).toEqual(nothing);
  });

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

it('is not made beside the live one where the disk has no room for two', async () => {
  await indexed();
  const oid = () => store.database.reader.one(sql.type(AnyRow)`SELECT 'search_doc'::regclass::oid::int AS oid`);
  const [before, written] = [await oid(), await writersOf(store.database)];
  const lines: string[] = [];
  await anew({
    options: { importFaults: 1, eadAgents: 'external', customReports: false, diskReserveBytes: 1e15 },
    log: (line) => void lines.push(line),
  });
  expect(await oid()).toEqual(before);
  for (const [id, xmin] of await writersOf(store.database)) expect(xmin, id).not.toBe(written.get(id));
  expect(lines[0]).toMatch(/^The disk of the database has \d+ MB left\..*The index is written anew in its place\.$/);
});

it('is how an index of an older form is renewed', async () => {
  await indexed();
  await store.database.transaction((tx) => tx.run(sql`UPDATE search_form SET form = 0`));
  const jobId = await renewOldIndex(store.database);
  expect(
    await store.database.reader.one(sql.type(AnyRow)`
      SELECT payload->>'rewrite' AS rewrite, payload->>'kinds' AS kinds FROM job WHERE id = ${jobId}`),
  ).toEqual({ rewrite: 'true', kinds: null });
});
