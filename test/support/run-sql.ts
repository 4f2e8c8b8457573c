// One statement on a connection of its own, for databases that are made and dropped.
import pg from 'pg';

/** Connects, runs the statement, and closes the connection whatever came of it. */
export async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A server that ends the connection is told by the statement that fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
