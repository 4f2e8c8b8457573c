// The yardstick of reads: bare Fastify and pg, a named primary-key select, and the text of the row sent as it is. No session, no
// permission, no log. It stores under /bare/:id exactly the bytes that the service answers for the record of that id.
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['MUNIMENT_POOL_SIZE']),
  application_name: 'bench-bare',
});
const app = Fastify();
app.get<{ Params: { id: string } }>('/bare/:id', async (request, reply) => {
  const result = await pool.query<{ body: string }>({
    name: 'bare',
    text: 'SELECT body FROM bench_reply WHERE id = $1',
    values: [Number(request.params.id)],
  });
  return reply.header('content-type', 'application/json').send(result.rows[0]?.body);
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ event: 'api_ready', url })}\n`);
process.on(
  'SIGTERM',
  () =>
    void app
      .close()
      .then(() => pool.end())
      .then(() => process.exit(0)),
);
