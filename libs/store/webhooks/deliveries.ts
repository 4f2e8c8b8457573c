// Deliveries of webhooks: made from the feed in the transaction that moves the follower on, sent in order by whoever has claimed the hook,
// and kept as a log. A claim is a time: a worker that dies loses it when it is over, and what it was sending is sent again (at least once). By
// its time a claim is told from the one that follows it: who comes late gives nothing back that another has by now.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { longestWaitDays } from '#domain/webhooks/retry.ts';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import type { FeedEntry } from '../change-log/followers.ts';
import { IdRow, column, EmptyRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { noWebhook } from './webhooks.ts';

/** The name of the follower of the feed. */
export const webhookFollower = 'webhooks';

/** The channel that tells senders of new deliveries. */
export const webhookChannel = 'muniment_webhook';

/**
 * Writes the deliveries of entries of the feed for all hooks that ask for them; what was published before a hook was made is not its. The moment of publication counts and not that
 * of the change, which may commit minutes later: who makes a hook and then reads what there is would be told of it by neither.
 * A hook that is deleted meanwhile is waited for, and left out. One statement.
 */
export async function enqueueDeliveries(tx: Transaction, entries: readonly FeedEntry[]): Promise<void> {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return;
  // Served by the primary key of the feed. `uris` are those of all records of the entry: an import writes up to 1,000 in one.
  const made = await tx.run(sql`
    INSERT INTO webhook_delivery (webhook_id, n, body)
    SELECT w.id, f.n, json_build_object('type', 'change', 'number', f.n, 'kind', f.kind, 'operation', f.op,
      'uris', (SELECT json_agg(record_uri(f.kind, u.id, f.repo_id) ORDER BY u.place) FROM unnest(coalesce(f.ids, ARRAY[f.id])) WITH ORDINALITY AS u (id, place)),
      'lock_version', f.lock_version, 'repository', '/repositories/' || f.repo_id, 'actor', f.actor, 'at', to_char(f.changed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))::text
    FROM feed f JOIN webhook w ON w.active AND w.create_time <= f.at
      AND (w.kinds = '{}' OR f.kind = ANY(w.kinds)) AND (w.operations = '{}' OR f.op = ANY(w.operations)) AND (w.repositories = '{}' OR f.repo_id = ANY(w.repositories))
    WHERE f.n BETWEEN ${first.n} AND ${last.n} ORDER BY f.n, w.id FOR KEY SHARE OF w ON CONFLICT DO NOTHING`);
  if (made > 0) await tx.run(sql`SELECT pg_notify(${webhookChannel}, '')`);
}

/** What is to be sent now. */
export const DueDelivery = z.strictObject({
  id: column.int,
  webhookId: column.int,
  url: column.text,
  secret: column.text,
  body: column.text,
  attempts: column.int,
  /** When the claim of the hook is over, as PostgreSQL writes it, to the microsecond. */
  claim: column.text,
});
export type DueDelivery = z.infer<typeof DueDelivery>;

/**
 * Claims a hook whose first delivery is due, for `leaseMs`, and gives that delivery; null where nothing is due. The first of a hook holds up
 * the others, so that they arrive in order. An inactive hook gets pings alone. `isFirstTry`: only one that has not failed before.
 */
export async function claimDelivery(
  database: Database,
  leaseMs: number,
  isFirstTry = false,
): Promise<DueDelivery | null> {
  // Nearly always nothing waits, and the senders of all workers look each second.
  const pending = await database.reader.any(sql.type(EmptyRow)`
    SELECT FROM webhook_delivery WHERE status = 'pending' ORDER BY webhook_id, id LIMIT 1`);
  if (pending.length === 0) return null;
  const isDue = sql.fragment`d.next_attempt <= now() AND (d.attempts = 0 OR ${!isFirstTry})`;
  return database.transaction(async (tx) => {
    const hook = await tx.maybeOne(sql.type(IdRow)`
      UPDATE webhook SET busy_until = now() + ${leaseMs} * interval '1 millisecond' WHERE id = (
        SELECT w.id FROM webhook w CROSS JOIN LATERAL (${firstOf(sql.fragment`w.id`, sql.fragment`w.active`)}) d
        WHERE w.busy_until <= now() AND ${isDue} ORDER BY w.busy_until LIMIT 1 FOR NO KEY UPDATE OF w SKIP LOCKED) RETURNING id`);
    if (hook === null) return null;
    // A statement of its own, once the hook is ours: the one before may have seen a delivery that another sender had just settled.
    const due = await tx.maybeOne(sql.type(DueDelivery)`
      SELECT d.id, w.id AS "webhookId", w.url, w.secret, d.body, d.attempts, w.busy_until::text AS claim FROM webhook w CROSS JOIN LATERAL (${firstOf(sql.fragment`w.id`, sql.fragment`w.active`)}) d
      WHERE w.id = ${hook.id} AND ${isDue}`);
    if (due === null) await tx.run(sql`UPDATE webhook SET busy_until = now() WHERE id = ${hook.id}`);
    return due;
  });
}

/** The first delivery of a hook that waits; an inactive hook has pings alone. Served by the partial index of pending ones. */
const firstOf = (webhookId: Fragment, isActive: Fragment): Fragment => sql.fragment`
  SELECT d.* FROM webhook_delivery d WHERE d.webhook_id = ${webhookId} AND d.status = 'pending' AND (${isActive} OR d.n IS NULL) ORDER BY d.id LIMIT 1`;

/** How an attempt ended. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly httpStatus: number }
  | {
      readonly kind: 'failed';
      readonly httpStatus: number | null;
      readonly reason: string;
      readonly pauseMs: number;
      readonly isLast: boolean;
    };

/**
 * Notes the end of an attempt and gives the hook back. A failure of one that was given all its attempts again meanwhile is not counted, nor is that of a
 * sender whose claim is over and another's: that one is sending the same now. What was delivered was delivered, whoever has the hook.
 */
export async function recordDelivery(database: Database, delivery: DueDelivery, outcome: Outcome): Promise<void> {
  const isDone = outcome.kind === 'delivered';
  const status = isDone ? 'delivered' : outcome.isLast ? 'dead' : 'pending';
  await database.transaction(async (tx) =>
    tx.run(sql`
    WITH given_back AS (
      UPDATE webhook SET busy_until = now() WHERE id = ${delivery.webhookId} AND busy_until = ${delivery.claim}::timestamptz RETURNING id
    ) UPDATE webhook_delivery SET status = ${status}, attempts = attempts + 1, last_attempt = now(), http_status = ${outcome.httpStatus}, reason = ${isDone ? null : outcome.reason},
        next_attempt = now() + ${isDone ? 0 : outcome.pauseMs} * interval '1 millisecond'
      WHERE id = ${delivery.id} AND status = 'pending' AND (${isDone} OR (attempts = ${delivery.attempts} AND EXISTS (SELECT FROM given_back)))`),
  );
}

/** Puts a ping before a hook, active or not, and gives the id of its delivery. Fails with `not_found`. */
export async function pingWebhook(
  tx: Transaction,
  webhookId: number,
  actor: string | null,
  at: string,
): Promise<number> {
  const body = JSON.stringify({ type: 'ping', webhook: `/webhooks/${webhookId}`, actor, at });
  const row = await tx.maybeOne(sql.type(IdRow)`
    INSERT INTO webhook_delivery (webhook_id, body) SELECT id, ${body} FROM webhook WHERE id = ${webhookId} RETURNING id`);
  if (row === null) throw noWebhook();
  await tx.run(sql`SELECT pg_notify(${webhookChannel}, '')`);
  return row.id;
}

/** Makes a delivery due again, with all its attempts; it comes before what waits behind it. Fails with `not_found`. */
export async function redeliver(tx: Transaction, webhookId: number, deliveryId: number): Promise<void> {
  const changed = await tx.run(
    sql`UPDATE webhook_delivery SET status = 'pending', attempts = 0, next_attempt = now(), reason = NULL WHERE webhook_id = ${webhookId} AND id = ${deliveryId}`,
  );
  if (changed === 0) throw fail('not_found', 'Delivery not found');
  await tx.run(sql`SELECT pg_notify(${webhookChannel}, '')`);
}

const LogRow = z.strictObject({
  id: column.int,
  status: column.text,
  attempts: column.int,
  http_status: column.maybeInt,
  reason: column.maybeText,
  create_time: column.time,
  last_attempt: column.maybeTime,
  next_attempt: column.maybeTime,
  body: column.text,
});

const TotalRow = z.strictObject({ total: column.int });

/** A page of the log of a hook, newest first, with the number of all. Fails with `not_found`. */
export async function listDeliveries(
  reader: Reader,
  webhookId: number,
  status: string | null,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly deliveries: readonly JsonObject[] }> {
  const hook = await reader.maybeOne(sql.type(EmptyRow)`SELECT FROM webhook WHERE id = ${webhookId}`);
  if (hook === null) throw noWebhook();
  const which = sql.fragment`webhook_id = ${webhookId} AND (${status}::text IS NULL OR status = ${status})`;
  const { total } = await reader.one(sql.type(TotalRow)`
    SELECT count(*)::int AS total FROM webhook_delivery WHERE ${which}`);
  const rows = await reader.any(sql.type(LogRow)`
    SELECT id, status, attempts, http_status, reason, create_time, last_attempt, CASE WHEN status = 'pending' THEN next_attempt END AS next_attempt, body
    FROM webhook_delivery WHERE ${which} ORDER BY id DESC OFFSET ${page.offset} LIMIT ${page.limit}`);
  return { total, deliveries: rows.map(({ body, ...row }) => ({ ...withoutNulls(row), payload: payloadOf(body) })) };
}

const withoutNulls = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
// Bodies are our own JSON.
const payloadOf = (body: string): Json => JSON.parse(body);

/**
 * Removes the log of what was delivered, or given up, more than so many days ago; 0: it stays. Returns how many. The time is that of its end: what waited
 * behind others for longer than that is there to be looked at, and sent again, for as long as any other.
 */
export async function pruneDeliveries(
  database: Database,
  days: { readonly delivered: number; readonly dead: number },
): Promise<number> {
  // The time of its making is asked for as well, since that has an index.
  const before = (limit: number): Fragment =>
    sql.fragment`${limit} > 0 AND create_time < now() - ${limit} * interval '1 day' AND coalesce(last_attempt, create_time) < now() - ${limit} * interval '1 day'`;
  return database.transaction((tx) =>
    tx.run(sql`
    DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery
      WHERE (status = 'delivered' AND ${before(days.delivered)}) OR (status = 'dead' AND ${before(days.dead)}) LIMIT 10000)`),
  );
}

/**
 * Gives up what waits for more than a week for a webhook that has taken nothing in that time, while deliveries before it were tried and given up. Each takes most of a day to be given up by its
 * attempts, so that behind a receiver that is gone more would wait each day for as long as the webhook is there. Where no worker ran nothing was tried, and all of it is sent. Returns how many; at most 10,000.
 */
export async function giveUpWaiting(database: Database): Promise<number> {
  const isOld = sql.fragment`d.status = 'pending' AND d.n IS NOT NULL AND d.create_time < now() - ${longestWaitDays} * interval '1 day'`;
  const isRecent = sql.fragment`d.last_attempt > now() - ${longestWaitDays} * interval '1 day'`;
  return database.transaction(async (tx) => {
    // Held, so that nobody begins to send meanwhile what is given up here; one that is being sent to has its turn at the next run.
    const hooks = await tx.any(sql.type(IdRow)`
      SELECT w.id FROM webhook w WHERE w.active AND w.busy_until <= now()
        AND EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND ${isOld})
        AND EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.status = 'dead' AND ${isRecent})
        AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.status = 'delivered' AND ${isRecent})
      ORDER BY w.id FOR NO KEY UPDATE OF w SKIP LOCKED`);
    if (hooks.length === 0) return 0;
    const ids = sql.array(
      hooks.map(({ id }) => id),
      'int4',
    );
    return tx.run(sql`
      UPDATE webhook_delivery SET status = 'dead', reason = ${`Waited for ${longestWaitDays} days behind deliveries that failed`}
      WHERE status = 'pending' AND id IN (SELECT d.id FROM webhook_delivery d WHERE d.webhook_id = ANY(${ids}) AND ${isOld} ORDER BY d.id LIMIT 10000)`);
  });
}
