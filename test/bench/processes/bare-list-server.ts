// The yardstick of lists: bare Fastify and pg, the SQL for one page (count, and the rows in order), and their texts joined as they are. No
// session, no permission, no log. bench_list holds what the service answers for each record, so nothing is computed.
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['MUNIMENT_POOL_SIZE']),
  application_name: 'bench-bare',
});
const repoId = Number(process.env['BENCH_REPO']);
const pageSize = Number(process.env['BENCH_PAGE']);
const app = Fastify();
app.get<{ Querystring: { page: string } }>('/bare', async (request, reply) => {
  const page = Number(request.query.page);
  const [counted, listed] = await Promise.all([
    pool.query<{ total: number }>({
      name: 'total',
      text: 'SELECT count(*)::int AS total FROM bench_list WHERE repo_id = $1',
      values: [repoId],
    }),
    pool.query<{ body: string }>({
      name: 'page',
      text: 'SELECT body FROM bench_list WHERE repo_id = $1 ORDER BY id OFFSET $2 LIMIT $3',
      values: [repoId, (page - 1) * pageSize, pageSize],
    }),
  ]);
  const total = counted.rows[0]?.total ?? 0;
  const wrapper = JSON.stringify({
    first_page: 1,
    last_page: Math.ceil(total / pageSize),
    this_page: page,
    total,
  }).slice(0, -1);
  return reply
    .header('content-type', 'application/json')
    .send(`${wrapper},"results":[${listed.rows.map((row) => row.body).join(',')}]}`);
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
