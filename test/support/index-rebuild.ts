// A small index that its job makes anew beside the live one, in tests of what the new one has, of what goes on meanwhile, and of its being cut off.
import { afterAll, afterEach, expect } from 'vitest';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import type { Progress } from '#domain/job.ts';
import { reindex } from '#domain/jobs/reindex.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { IdRow } from '#store/connection/columns.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import type { JobContext } from '../../apps/worker/handler.ts';
import { handler } from '../../apps/worker/jobs/reindex.ts';
import { contentsOf, countsBothWays } from './index-contents.ts';
import { indexerOnDemand } from './indexer.ts';
import type { RecordStore } from './records.ts';
import { openRecordStore, resourceBody } from './records.ts';
import { AnyRow } from './rows.ts';
import { runHandler } from './run-handler.ts';

/** A making of all that is there, beside. */
export const everything = { kinds: null, repoId: null, rewrite: true };
/** Who asks: somebody who sees all. */
export const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true } as const;

/** Forty resources of a public repository, every other one published, their index, and its making anew. */
export type RebuiltIndex = {
  readonly store: RecordStore;
  /** Has an indexer at work, and waits until all is indexed. It is stopped after each test. */
  indexed(): Promise<void>;
  stopIndexer(): Promise<void>;
  /** Makes the index anew as a run of a job; `around` replaces parts of the run. Needs an indexer at work. */
  anew(around?: Partial<JobContext>): Promise<unknown>;
  /** All that is stored of the documents but their numbers. */
  contents(): Promise<readonly unknown[]>;
  /** How the tables of documents are made: the same before and after. */
  definitions(): Promise<readonly unknown[]>;
  /** What a making has of its own, in numbers; `nothing` after its end. */
  leftOvers(): Promise<unknown>;
  /** How many documents are found. */
  total(q: string): Promise<number>;
  suppress(uri: string, suppressed: boolean): Promise<number>;
  /** The job of the latest making. */
  jobOfRun(): Promise<number>;
  /** Has a job that was cut off run again. */
  requeue(jobId: number): Promise<unknown>;
  /** Fails where the counts do not agree with the documents. */
  expectCounted(): Promise<void>;
};

/** Opens a database with them, which is dropped after the last test of the file that awaits this at its top. */
export async function rebuiltIndex(): Promise<RebuiltIndex> {
  const store = await openRecordStore();
  const { database } = store;
  const { indexed, stop: stopIndexer } = indexerOnDemand(() => database, 20);
  afterEach(stopIndexer);
  afterAll(() => store[Symbol.asyncDispose]());
  const repository = `/repositories/${store.repoId}`;
  await store.update(repository, { ...(await store.read(repository)), publish: true });
  for (let n = 0; n < 40; n++)
    await store.create('resource', resourceBody(`B${n}`, { title: `Papers ${n}`, publish: n % 2 === 0 }));
  return {
    store,
    indexed,
    stopIndexer,
    anew: (around = {}) => runHandler(database, reindex, handler, everything, around),
    contents: () => contentsOf(database),
    definitions: () => definitionsOf(database),
    leftOvers: () => leftOversIn(database),
    total: async (q) => {
      const request = buildSearchRequest({ page: 1, q }, { now: Date.now() });
      return (await postgresSearch(database).search(request, staff)).total;
    },
    suppress: (uri, suppressed) => {
      const { kind, id, repoId } = parseUri(uri) ?? { kind: '', id: 0, repoId: 0 };
      return database.transaction((tx) =>
        suppressRecord(tx, { kind: kindNamed(kind), id, repoId, suppressed, actor: 'tester' }),
      );
    },
    jobOfRun: async () => (await database.reader.one(sql.type(IdRow)`SELECT max(job_id) AS id FROM reindex_run`)).id,
    requeue: (jobId) => database.transaction((tx) => tx.run(sql`UPDATE job SET status = 'queued' WHERE id = ${jobId}`)),
    expectCounted: async () => {
      const { told, anew: there } = await countsBothWays(database);
      expect(told).toEqual(there);
    },
  };
}

/** All there is of the tables of documents: columns, what they are stored like, indexes, constraints (whether checked for older rows or not), triggers, the sequence. */
const definitionsOf = ({ reader }: Database): Promise<readonly unknown[]> =>
  reader.any(sql.type(AnyRow)`
  SELECT c.relname, c.reloptions, ARRAY(SELECT concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attstorage, a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid)) FROM pg_attribute a
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname) AS columns,
    ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = c.oid ORDER BY 1) AS indexes,
    ARRAY(SELECT conname || ' ' || replace(pg_get_constraintdef(oid), ' NOT VALID', '') FROM pg_constraint WHERE conrelid = c.oid ORDER BY 1) AS constraints,
    ARRAY(SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = c.oid ORDER BY 1) AS triggers, pg_get_serial_sequence(c.relname, 'no') AS sequence
  FROM pg_class c WHERE c.relname IN ('search_doc', 'search_body') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`);

const leftOversIn = ({ reader }: Database): Promise<unknown> =>
  reader.one(sql.type(AnyRow)`
  SELECT (SELECT count(*)::int FROM search_build) AS builds, (SELECT count(*)::int FROM search_touched) AS touched, (SELECT count(*)::int FROM reindex_due WHERE lane = 2) AS due, (SELECT count(*)::int FROM reindex_fan WHERE lane = 2) AS fans,
    (SELECT count(*)::int FROM pg_class WHERE relnamespace = 'beside'::regnamespace) AS relations, (SELECT count(*)::int FROM search_scope WHERE generation <> (SELECT generation FROM search_form)) AS scopes,
    (SELECT count(*)::int FROM search_tally WHERE generation <> (SELECT generation FROM search_form)) AS tally`);
/** What there is of a making that is over. */
export const nothing = { builds: 0, touched: 0, due: 0, fans: 0, relations: 0, scopes: 0, tally: 0 };

/** What is around a run that is killed as it comes to a phase. */
export const killAt = (phase: string): Partial<JobContext> => ({
  progress: ({ label }: Progress) => {
    if (label === phase) throw new Error('killed');
  },
});
