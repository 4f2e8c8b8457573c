// What clients that keep things in mind are told: that something which they keep has changed (contract 5.8). A notification is an entry
// of the change log and so of the feed: its number is one for all processes, it is told where its transaction commits, and once.
import { z } from 'zod';
import type { Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** What may be told; all are without parameters. */
export type NotificationCode =
  | 'BACKEND_STARTED'
  | 'REFRESH_ACLS'
  | 'REPOSITORY_CHANGED'
  | 'ENUMERATION_CHANGED'
  | 'VOCABULARY_CHANGED'
  | 'REFRESH_PREFERENCES';

/** The kind under which notifications stand in the change log; no record has it. */
const notificationKind = 'notification';

/** Tells clients, where the transaction commits; several of one code in a transaction are one. */
export async function notifyClients(tx: Transaction, code: NotificationCode): Promise<void> {
  await tx.run(sql`
    INSERT INTO change (kind, id, op) SELECT ${notificationKind}, 0, ${code}
    WHERE NOT EXISTS (SELECT FROM change WHERE xid = pg_current_xact_id() AND kind = ${notificationKind} AND op = ${code})`);
  tx.changed();
}

/** A notification as clients read it; `timestamp` in milliseconds since 1970. */
export type Notification = {
  readonly code: string;
  readonly params: Record<string, never>;
  readonly sequence: number;
  readonly timestamp: number;
};

const mostAtOnce = 1000;

const NotificationRow = z.strictObject({ code: column.text, sequence: column.int, timestamp: column.int });

/**
 * The notifications after a number, in order. From 0, and from a number that is not yet reached (of another server, or of before a
 * restore), those of the last minute. Served by feed_notification_idx.
 */
export async function readNotifications(reader: Reader, after: number): Promise<readonly Notification[]> {
  const rows = await reader.any(sql.type(NotificationRow)`
    SELECT f.op AS code, f.n AS sequence, floor(extract(epoch FROM f.at) * 1000)::bigint AS timestamp
    FROM (SELECT n, ${after}::bigint BETWEEN 1 AND n AS is_known FROM sequencer) AS s
    JOIN feed f ON f.kind = 'notification' AND f.n > CASE WHEN s.is_known THEN ${after}::bigint ELSE 0 END AND (s.is_known OR f.at > now() - interval '60 seconds')
    ORDER BY f.n LIMIT ${mostAtOnce}`);
  return rows.map(({ code, sequence, timestamp }) => ({ code, params: {}, sequence, timestamp }));
}
