// A service with a small collection to search, for the tests of what is asked of its search over HTTP: what is published, what is not, what is
// suppressed, and what is in another repository, all with one word in their titles.
import { afterAll } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from './api.ts';
import { startTestApi } from './api.ts';
import { untilIndexed } from './indexer.ts';
import { publicUserSession } from './public-user.ts';
import { personBody, resourceBody } from './records.ts';

/** The service, its repositories (both published), who may ask, and the addresses of the records. */
export type SearchedService = {
  readonly api: TestApi;
  readonly repo: number;
  readonly other: number;
  /** The session of a user who may read `repo`. */
  readonly viewer: string;
  /** The session of the public interface. */
  readonly publicUser: string;
  readonly uris: SearchedRecords;
};

/** An agent, the resource that names it, a container and the file in it; an unpublished resource, a suppressed accession, and a resource of the other repository. */
type SearchedRecords = {
  readonly [name in 'agent' | 'resource' | 'container' | 'file' | 'unpublished' | 'suppressed' | 'away']: string;
};

/** The ids of a page's rows. */
export const idsOf = (json: any): string[] => json.results.map((row: any) => row.id);

/** Starts it and waits until all is indexed; it is stopped after the last test of the file that awaits this at its top. */
export async function searchedService(): Promise<SearchedService> {
  const api = await startTestApi();
  afterAll(() => api[Symbol.asyncDispose]());
  const repo = await api.repository('HOME');
  const other = await api.repository('AWAY');
  const viewer = await api.userWith(['view_repository'], repo);
  const publicUser = await publicUserSession(api, repo);
  for (const id of [repo, other]) {
    const { json } = await api.get(`/repositories/${id}`);
    await api.post(`/repositories/${id}`, { ...json, publish: true });
  }
  const uris = await make(api, repo, other);
  await api.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE record SET suppressed = true WHERE kind = 'accession' AND label LIKE 'Wallaby secret%'`);
    await tx.run(
      sql`INSERT INTO change (kind, id, repo_id, op, lock_version) SELECT kind, id, repo_id, 'update', 1 FROM record WHERE kind = 'accession' AND suppressed`,
    );
    tx.changed();
  });
  await untilIndexed(api.database);
  return { api, repo, other, viewer, publicUser, uris };
}

async function make(api: TestApi, repo: number, other: number): Promise<SearchedRecords> {
  const at = `/repositories/${repo}`;
  const agent = await api.create('/agents/people', { ...personBody('Bandicoot, Ada'), publish: true });
  const resource = await api.create(
    `${at}/resources`,
    resourceBody('WB 1', {
      title: 'Wallaby papers',
      publish: true,
      linked_agents: [{ ref: agent, role: 'creator' }],
      notes: [
        {
          jsonmodel_type: 'note_multipart',
          type: 'scopecontent',
          publish: true,
          subnotes: [{ jsonmodel_type: 'note_text', content: 'Wallaby letters', publish: true }],
        },
        {
          jsonmodel_type: 'note_multipart',
          type: 'processinfo',
          publish: false,
          subnotes: [{ jsonmodel_type: 'note_text', content: 'Confidential wallaby whereabouts', publish: true }],
        },
      ],
    }),
  );
  const container = await api.create(`${at}/top_containers`, {
    indicator: '1',
    type: 'box',
    barcode: '39002012345678',
  });
  return {
    agent,
    resource,
    container,
    file: await api.create(`${at}/archival_objects`, {
      title: 'Wallaby diary',
      level: 'file',
      component_id: 'F-77',
      publish: true,
      resource: { ref: resource },
      instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: container } } }],
    }),
    unpublished: await api.create(`${at}/resources`, resourceBody('WB 2', { title: 'Wallaby draft', publish: false })),
    suppressed: await api.create(`${at}/accessions`, {
      id_0: 'WB 3',
      title: 'Wallaby secret',
      accession_date: '2020-01-01',
      publish: true,
    }),
    away: await api.create(
      `/repositories/${other}/resources`,
      resourceBody('WB 4', { title: 'Wallaby abroad', publish: true }),
    ),
  };
}
