// Who waits for a lock, and who holds trees, while jobs are measured: looked at from a connection of its own, which takes no lock.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Looks again and again, with pauses of some milliseconds, until the signal is aborted. */
async function lookEvery(
  pauseMs: number,
  url: string,
  signal: AbortSignal,
  look: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  while (!signal.aborted) {
    await look(client);
    await sleep(pauseMs);
  }
  await client.end();
}

/** What was found waiting since the last look: the longest of the API, and what waited for whom. */
export type Waited = { readonly ms: number; readonly told: readonly string[] };

/** Looks fifty times a second which statement of the API waits for a lock; a quarter of a second at a time at most (decision 0020). */
export function watchLocks(url: string, signal: AbortSignal): { take(): Waited; readonly over: Promise<void> } {
  const found = new Map<string, { ms: number; seen: number }>();
  const watch = (): Promise<void> =>
    lookEvery(20, url, signal, async (client) => {
      const { rows } = await client.query<{ ms: number; waiter: string; type: string; blocker: string }>(
        `SELECT extract(epoch FROM clock_timestamp() - l.waitstart)::float8 * 1000 AS ms, l.locktype AS type, regexp_replace(left(a.query, 90), '\\s+', ' ', 'g') AS waiter,
          (SELECT b.application_name || ' ' || regexp_replace(left(b.query, 90), '\\s+', ' ', 'g') FROM pg_stat_activity b WHERE b.pid = ANY(pg_blocking_pids(a.pid)) LIMIT 1) AS blocker
          FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND l.waitstart IS NOT NULL AND a.application_name = 'muniment-api'`,
      );
      for (const row of rows) {
        const key = `${row.type}: ${row.waiter} <- ${row.blocker}`;
        const old = found.get(key) ?? { ms: 0, seen: 0 };
        found.set(key, { ms: Math.max(old.ms, row.ms), seen: old.seen + 1 });
      }
    });
  return {
    take: () => {
      const all = [...found].sort(([, a], [, b]) => b.seen - a.seen);
      found.clear();
      return {
        ms: Math.max(0, ...all.map(([, { ms }]) => ms)),
        told: all.slice(0, 12).map(([key, { ms, seen }]) => `  ${Math.round(ms)} ms, seen ${seen} times: ${key}`),
      };
    },
    over: watch(),
  };
}

/** The longest that a job held something without a break, in ms, and what its process was at meanwhile, in how many looks. */
export type Hold = { readonly ms: number; readonly told: readonly string[] };

/** A tree, and the lock under which commits tell listeners. */
export type Held = { readonly tree: Hold; readonly notices: Hold };

const nothing: Held = { tree: { ms: 0, told: [] }, notices: { ms: 0, told: [] } };

/**
 * Looks some hundred times a second whose transactions of a worker hold a row of `tree_root`, and the lock on notices; what is seen once counts as nothing. `passed`: roots of which
 * no part stays, so that nobody works in another part of them.
 */
export function watchHolds(
  url: string,
  passed: () => readonly number[],
  signal: AbortSignal,
): { take(): Held; readonly over: Promise<void> } {
  const since = new Map<string, { readonly began: number; readonly looks: Map<string, number> }>();
  let longest = nothing;
  const watch = (): Promise<void> =>
    lookEvery(5, url, signal, async (client) => {
      const { rows } = await client.query<{ what: keyof Held; key: string; at: string }>({
        name: 'holds',
        text: `SELECT h.what, h.key, concat_ws(' ', a.state, a.wait_event, regexp_replace(left(a.query, 90), '\\s+', ' ', 'g')) AS at FROM (
            SELECT 'tree' AS what, r.root_id || ' ' || r.xmax AS key, l.pid
            FROM tree_root r JOIN pg_locks l ON l.locktype = 'transactionid' AND l.transactionid = r.xmax AND l.granted AND l.mode = 'ExclusiveLock'
            WHERE r.root_id <> ALL($1::int[])
            UNION ALL SELECT 'notices', 'notices ' || l.pid, l.pid FROM pg_locks l
            WHERE l.locktype = 'object' AND l.classid = 'pg_database'::regclass AND l.objid = 0 AND l.granted) h
          JOIN pg_stat_activity a USING (pid) WHERE a.application_name LIKE 'muniment-worker%'`,
        values: [passed()],
      });
      const now = performance.now();
      const seen = new Set(rows.map(({ key }) => key));
      for (const key of since.keys()) if (!seen.has(key)) since.delete(key);
      for (const { what, key, at } of rows) {
        const { began, looks } = since.get(key) ?? { began: now, looks: new Map<string, number>() };
        since.set(key, { began, looks: looks.set(at, (looks.get(at) ?? 0) + 1) });
        if (now - began <= longest[what].ms) continue;
        const told = [...looks].map(([doing, count]) => `  seen ${count} times: ${doing}`);
        longest = { ...longest, [what]: { ms: now - began, told } };
      }
    });
  return {
    take: () => {
      const held = longest;
      longest = nothing;
      return held;
    },
    over: watch(),
  };
}
