// What is stored, as a check reads it: over HTTP where clients would, and from the tables what they cannot see.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import type { JsonObject } from '#domain/json.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { contentsOf, countsBothWays } from '#test/support/index-contents.ts';
import type { Client } from './client.ts';

const Unrest = z.strictObject({ what: column.text, n: column.int });
const patienceMs = 1_200_000;
const TextRow = z.strictObject({ text: column.text });

/** Resources of imports as they are stored, by title: how many, and how many components all of them have. */
const ImportedRow = z.strictObject({ title: column.text, resources: column.int, components: column.int });

/** One look at all that is stored, at one check. */
export class Stored {
  readonly database: Database;
  readonly #client: Client;
  readonly #lists = new Map<string, Promise<readonly JsonObject[]>>();

  constructor(database: Database, client: Client) {
    this.database = database;
    this.#client = client;
  }

  /** All records of a list. */
  all(path: string): Promise<readonly JsonObject[]> {
    const known = this.#lists.get(path);
    if (known !== undefined) return known;
    const list = this.#read(path);
    this.#lists.set(path, list);
    return list;
  }

  async #read(path: string): Promise<readonly JsonObject[]> {
    const ids: readonly number[] = JSON.parse(await this.#text(`${path}?all_ids=true`));
    const found: JsonObject[] = [];
    for (let at = 0; at < ids.length; at += 200)
      found.push(...JSON.parse(await this.#text(`${path}?id_set=${ids.slice(at, at + 200).join(',')}`)));
    return found;
  }

  async #text(path: string): Promise<string> {
    for (let tries = 0; tries < 100; tries++) {
      const outcome = await this.#client.ask(path);
      if (outcome.is === 'done') return outcome.text;
      if (outcome.is === 'refused') throw new Error(`${path}: ${outcome.status} ${outcome.text}`);
      await sleep(100);
    }
    throw new Error(`${path} is never answered`);
  }

  /** Waits until no job runs or waits, nobody writes, and search has come to the end of the feed, and webhooks where `sent`. Gives what does not come to rest. */
  async rest(sent = false): Promise<readonly string[]> {
    const end = performance.now() + patienceMs;
    for (let quiet = 0; ;) {
      const unrest = await this.#unrest(sent);
      quiet = unrest.length === 0 ? quiet + 1 : 0;
      // What a client gave up may be between two of its steps.
      if (quiet === 3) return [];
      if (performance.now() > end) return unrest.map(({ what, n }) => `no rest: ${n} ${what}`);
      // What is at work has the processor for it.
      await sleep(quiet > 0 ? 100 : 300);
    }
  }

  #unrest(sent: boolean): Promise<readonly z.infer<typeof Unrest>[]> {
    return this.database.reader.any(sql.type(Unrest)`
      SELECT what, n FROM (
        SELECT 'jobs ' || status || ' of ' || type AS what, count(*)::int AS n FROM job WHERE status IN ('queued', 'running') GROUP BY 1
        UNION ALL SELECT 'activations of mailboxes', count(*)::int FROM pgboss.job WHERE name = 'mailboxes' AND state IN ('created', 'retry', 'active')
        UNION ALL SELECT 'changes not yet in the feed', count(*)::int FROM change c, sequencer s WHERE NOT pg_visible_in_snapshot(c.xid, s.position)
        UNION ALL SELECT 'entries of the feed that ' || f.name || ' has not read', (SELECT count(*)::int FROM feed WHERE feed.n > f.n) FROM follower f
        UNION ALL SELECT 'records to be indexed', count(*)::int FROM reindex_due
        UNION ALL SELECT 'fans of records to be indexed', count(*)::int FROM reindex_fan
        UNION ALL SELECT 'deliveries of webhooks that wait', count(*)::int FROM webhook_delivery WHERE status = 'pending' AND ${sent}
        UNION ALL SELECT 'transactions of others', count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
      ) AS u WHERE n > 0`);
  }

  /** What is broken in the tables, whatever was done. */
  async violations(): Promise<readonly string[]> {
    const { reader } = this.database;
    const broken = (await checkDatabase(this.database)).map(
      ({ says, count, examples }) => `${count} ${says}: ${examples.join(', ')}`,
    );
    const rows = await reader.any(sql.type(TextRow)`
      SELECT 'job ' || id || ' (' || type || ') is ' || status || ' after ' || attempts || ' attempts: ' || coalesce(outcome::text, '') AS text FROM job WHERE status IN ('failed', 'canceled')
        AND coalesce(outcome -> 'failure' ->> 'code', '') <> 'disk_full'
      UNION ALL SELECT 'the feed has two entries of the change ' || seq FROM feed GROUP BY seq HAVING count(*) > 1
      UNION ALL SELECT 'the feed tells of ' || kind || ' ' || id || ' version ' || lock_version || ' after a later one'
        FROM (SELECT *, lag(lock_version) OVER (PARTITION BY kind, id ORDER BY n) AS before FROM feed WHERE kind = 'accession' AND lock_version IS NOT NULL) f WHERE lock_version < before
      UNION ALL SELECT r.kind || ' ' || r.id || ' has version ' || r.lock_version || ', and the feed tells last of ' || coalesce(f.last::text, 'nothing')
        FROM record r LEFT JOIN (SELECT kind, id, max(lock_version) AS last FROM feed GROUP BY 1, 2) f USING (kind, id)
        WHERE r.kind = 'accession' AND r.lock_version IS DISTINCT FROM f.last`);
    return [...broken, ...rows.map((row) => row.text), ...(await this.#searchFaults())];
  }

  async #searchFaults(): Promise<readonly string[]> {
    const { reader } = this.database;
    const kinds = sql.array([...indexedKinds], 'text');
    const faults = await reader.any(sql.type(TextRow)`
      SELECT 'search does not have ' || kind || ' ' || id AS text FROM record r WHERE kind = ANY(${kinds}) AND coalesce(repo_id, CASE WHEN kind = 'repository' THEN id END, 0) <> ${globalRepoId} AND NOT EXISTS (SELECT FROM search_doc d WHERE d.kind = r.kind AND d.record_id = r.id)
      UNION ALL SELECT 'search has ' || d.id || ', which is no record' FROM search_doc d WHERE d.kind <> 'job' AND NOT EXISTS (SELECT FROM record r WHERE r.kind = d.kind AND r.id = d.record_id)
      LIMIT 20`);
    const { told, anew } = await countsBothWays(this.database);
    return [
      ...faults.map((row) => row.text),
      ...(isDeepStrictEqual(told, anew) ? [] : ['facets count otherwise than the documents do']),
    ];
  }

  /** Whether the search documents are those that the records give: makes all of them anew beside the live ones and compares. */
  async searchContentFaults(): Promise<readonly string[]> {
    const before = new Map((await contentsOf(this.database)).map(keyed));
    await this.#client.certain('/system/reindex?rewrite=true', { method: 'POST' });
    const unrest = await this.rest();
    if (unrest.length > 0) return unrest;
    const after = new Map((await contentsOf(this.database)).map(keyed));
    const differing = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
      const [was, is] = [before.get(id), after.get(id)];
      const properties = Object.keys({ ...was, ...is }).filter(
        (name) => JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]),
      );
      return properties.length === 0
        ? []
        : [`${id}: ${properties.map((name) => `${name} was ${told(was?.[name])}, is ${told(is?.[name])}`).join('; ')}`];
    });
    return differing.length === 0
      ? []
      : [
          `of ${after.size} search documents ${differing.length} are otherwise when they are made anew: ${differing.slice(0, 3).join('\n')}`,
        ];
  }

  /** The resources whose titles contain a text. */
  imported(contains: string): Promise<readonly z.infer<typeof ImportedRow>[]> {
    return this.database.reader.any(sql.type(ImportedRow)`
      SELECT r.body ->> 'title' AS title, count(DISTINCT r.id)::int AS resources, count(t.id)::int AS components
      FROM record r LEFT JOIN tree_node t ON t.kind = ${kindNamed('archival_object').tree?.code ?? 0} AND t.repo_id = r.repo_id AND t.root_id = r.id
      WHERE r.kind = 'resource' AND strpos(r.body ->> 'title', ${contains}) > 0 GROUP BY 1`);
  }

  /** How a job is stored: null where there is none. */
  async statusOfJob(uri: string): Promise<string | null> {
    const row = await this.database.reader.maybeOne(
      sql.type(
        TextRow,
      )`SELECT status AS text FROM job WHERE id = ${parseUri(uri)?.id ?? Number(uri.split('/').at(-1))}`,
    );
    return row?.text ?? null;
  }

  /** Numbers of the feed's entries of some kinds after a number. */
  async feedNumbers(kinds: readonly string[], after: number): Promise<readonly number[]> {
    const rows = await this.database.reader.any(sql.type(NumberRow)`
      SELECT n::int AS n FROM feed WHERE n > ${after} AND kind = ANY(${sql.array([...kinds], 'text')}) ORDER BY n`);
    return rows.map(({ n }) => n);
  }
}

type Document = { readonly [property: string]: unknown };

/** A document with what it is known by. Places among siblings are left out: a move says nothing of the siblings that it passes. */
function keyed(row: unknown): readonly [string, Document] {
  const document: Document = JSON.parse(JSON.stringify(Object(row).document).replaceAll(/\\"position\\":\d+,?/g, ''));
  return [`${String(document['id'])} ${String(document['audience'])}`, document];
}

const told = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 700);
