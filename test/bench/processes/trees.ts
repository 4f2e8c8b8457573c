// Trees for measuring what happens beside work in them, made and changed over HTTP.
import type pg from 'pg';
import { findingAidBytes } from '../../support/make/finding-aid.ts';
import type { Client } from './client.ts';

/** An imported resource: its uri, those of its components, and which of these are series. */
export type Tree = {
  readonly root: string;
  readonly components: readonly string[];
  readonly series: readonly string[];
};

/** Imports a finding aid; every thousandth component is a series, or all of them. */
export async function plant(
  client: Client,
  repoId: number,
  name: string,
  count: number,
  perSeries = 1000,
): Promise<Tree> {
  const saved = await client.importBatch(repoId, findingAidBytes(repoId, name, count, perSeries));
  const uris = Object.values(saved).map(([uri]) => uri);
  const root = uris.find((uri) => uri.includes('/resources/'));
  if (root === undefined) throw new Error('the import has no resource');
  const list = Array.from(
    { length: count },
    (_, n) => saved[`/repositories/${repoId}/archival_objects/import_be${n}`]?.[0] ?? '',
  );
  return { root, components: list, series: list.filter((_, n) => n % perSeries === 0) };
}

/** Names the person as a subject of all these components. */
export async function linkAll(database: pg.Client, person: number, uris: readonly string[]): Promise<void> {
  const ids = uris.map((uri) => Number(uri.split('/').at(-1)));
  await database.query(
    `INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role)
      SELECT 'archival_object', r.id, (SELECT max(l.ordinal) + 1 FROM link l WHERE l.source_kind = 'archival_object' AND l.source_id = r.id), 'linked_agents', 'agent_person', $1, r.repo_id, 'subject'
      FROM record r WHERE r.kind = 'archival_object' AND r.id = ANY($2::int[])`,
    [person, ids],
  );
  await database.query(
    `UPDATE record SET body = replace(body::text, '"linked_agents":[', '"linked_agents":[{"ref":"/agents/people/' || $1::int || '","role":"subject","terms":[]},')::json
      WHERE kind = 'archival_object' AND id = ANY($2::int[])`,
    [person, ids],
  );
}

/** Puts all these components into the container, besides those that they are in. */
export async function putAllIn(database: pg.Client, container: number, uris: readonly string[]): Promise<void> {
  const ids = uris.map((uri) => Number(uri.split('/').at(-1)));
  await database.query(
    `INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id)
      SELECT 'archival_object', r.id, (SELECT max(l.ordinal) + 1 FROM link l WHERE l.source_kind = 'archival_object' AND l.source_id = r.id), 'instances.sub_container.top_container', 'top_container', $1, r.repo_id
      FROM record r WHERE r.kind = 'archival_object' AND r.id = ANY($2::int[])`,
    [container, ids],
  );
  await database.query(
    `UPDATE record SET body = replace(body::text, '"instances":[', '"instances":[{"instance_type":"mixed_materials","sub_container":{"top_container":{"ref":"/repositories/' || repo_id || '/top_containers/' || $1::int || '"}}},')::json
      WHERE kind = 'archival_object' AND id = ANY($2::int[])`,
    [container, ids],
  );
}

/** The ids of the containers of components. */
export async function containersOf(database: pg.Client, uris: readonly string[]): Promise<readonly number[]> {
  const { rows } = await database.query<{ id: number }>(
    `SELECT DISTINCT target_id AS id FROM link WHERE source_kind = 'archival_object' AND source_id = ANY($1::int[]) AND target_kind = 'top_container'`,
    [uris.map((uri) => Number(uri.split('/').at(-1)))],
  );
  return rows.map(({ id }) => id);
}

/** Moves components below another by one request, to its front. */
export async function acceptMany(api: string, client: Client, parent: string, uris: readonly string[]): Promise<void> {
  const reply = await fetch(`${api}${parent}/accept_children`, {
    method: 'POST',
    headers: { 'x-service-session': client.session },
    body: new URLSearchParams([['position', '0'], ...uris.map((uri): [string, string] => ['children[]', uri])]),
  });
  if (reply.status !== 200) throw new Error(`${reply.status} ${(await reply.text()).slice(0, 500)}`);
}

/** Components for the front of what lies directly under a resource, each with its position, as a batch. */
export async function* componentsAtFront(repoId: number, root: string, count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n += 1000) {
    const some = Array.from({ length: Math.min(1000, count - n) }, (_, at) =>
      JSON.stringify({
        jsonmodel_type: 'archival_object',
        uri: `/repositories/${repoId}/archival_objects/import_front${n + at}`,
        title: `Front ${n + at}`,
        level: 'file',
        resource: { ref: root },
        position: n + at,
      }),
    );
    yield Buffer.from(`${n === 0 ? '[' : ','}${some.join(',')}`);
  }
  yield Buffer.from(']');
}
