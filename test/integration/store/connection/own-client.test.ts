// A connection of one's own that breaks is told by the statement that fails, and does not end the process.
import { expect, test } from 'vitest';
import { openClient } from '#store/connection/own-client.ts';
import { createDatabase } from '#test/support/database.ts';
import { runSql } from '#test/support/run-sql.ts';

test('a connection that breaks while nothing is asked is told by the next statement', async () => {
  await using own = await createDatabase();
  const client = await openClient({ connectionString: own.url });
  const ended = new Promise((resolve) => void client.once('end', resolve));
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await runSql(own.url, `SELECT pg_terminate_backend(${rows[0]?.pid})`);
  await ended;
  await expect(client.query('SELECT 1')).rejects.toThrow();
  await client.end();
});
