// A connection outside the pool, for one piece of work.
import pg from 'pg';

/**
 * Opens a connection, which is the caller's to end. One that breaks is told by the statement that fails: clients of pg tell of it as an event, too, which
 * would end the process where nobody listens, with what the work has to clear away left behind. Throws where the server cannot be reached.
 */
export async function openClient(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(settings);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
