// Work on what many records link to or use, beside editors of these (held-up.ts).
import type pg from 'pg';
import type { Client } from './client.ts';
import { valuesOf } from './client.ts';
import { linkAll, putAllIn } from './trees.ts';

/** What it works in: a repository, and components of it. `beside`: measures the editors of these numbers beside a job; `merge`: gives the address of the merge. */
export type HoldersBench = {
  readonly client: Client;
  readonly database: pg.Client;
  readonly repo: string;
  readonly components: readonly string[];
  readonly beside: (job: string, editors: readonly number[], work: () => Promise<unknown>) => Promise<void>;
  readonly must: (path: string, method: string) => Promise<{ readonly text: string }>;
  readonly made: (path: string, body: object) => Promise<string>;
  readonly merge: (what: string, into: string, from: string) => Promise<string>;
};

/** Editors of other records, of what holds it, and who adds to the tree of that. */
const editors = [0, 1, 2, 5, 4];

/** Merges, deletes, undoes and renames what all the components link to or use. */
export async function besideHolders(bench: HoldersBench): Promise<void> {
  const { client, database, repo, components, beside, must, made, merge } = bench;
  const size = components.length.toLocaleString('en-GB');
  const idOf = (uri: string): number => Number(uri.split('/').at(-1));
  const person = async (name: string): Promise<string> =>
    made('/agents/people', {
      names: [{ primary_name: name, name_order: 'inverted', source: 'local', sort_name_auto_generate: true }],
    });
  const [kept, gone] = [await person('Kept'), await person('Gone')];
  await linkAll(database, idOf(gone), components);
  await database.query('VACUUM (ANALYZE)');
  let merged = '';
  await beside(`merge of a person with ${size} links`, editors, async () => {
    merged = await merge('agent', kept, gone);
  });
  await beside('undoing that merge', editors, () => must(`${merged}/undo`, 'POST'));
  await beside(`deletion of a person with ${size} links`, editors, () => must(gone, 'DELETE'));
  const [full, empty] = [
    await made(`${repo}/top_containers`, { indicator: 'full', type: 'box' }),
    await made(`${repo}/top_containers`, { indicator: 'empty', type: 'box' }),
  ];
  await putAllIn(database, idOf(full), components);
  let combined = '';
  await beside(`merge of a container of ${size} instances`, editors, async () => {
    combined = await merge(`top_container?repo_id=${idOf(repo)}`, empty, full);
  });
  await beside('undoing that merge of a container', editors, () => must(`${combined}/undo`, 'POST'));
  await beside(`deletion of two containers, one of ${size} instances, together`, editors, () =>
    must(`/batch_delete?record_uris[]=${full}&record_uris[]=${empty}`, 'POST'),
  );
  const lists: readonly { readonly name: string; readonly uri: string }[] = JSON.parse(
    (await must('/config/enumerations', 'GET')).text,
  );
  const types = lists.find(({ name }) => name === 'instance_instance_type')?.uri ?? '';
  await beside(`migration of a value in ${size} components`, editors, () =>
    client.post('/config/enumerations/migration', {
      enum_uri: types,
      from: 'mixed_materials',
      to: 'graphic_materials',
    }),
  );
  const [renamed] = await valuesOf(client, types, 'graphic_materials');
  await beside(`a new text of a value in ${size} components`, editors, () =>
    client.post(String(renamed?.['uri']), { ...renamed, value: 'graphics' }),
  );
  const ended = async (body: object): Promise<void> => {
    const uri = await made(`${repo}/jobs`, { jsonmodel_type: 'job', job: body });
    for (;;) {
      const { status }: { readonly status: string } = JSON.parse((await must(uri, 'GET')).text);
      if (status === 'completed') return;
      if (status !== 'queued' && status !== 'running') throw new Error(`${uri}: ${status}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 500);
      });
    }
  };
  const root = JSON.parse((await must(components[0] ?? '', 'GET')).text).resource.ref;
  await beside(`finding and replacing what ${size} components have, which their editors save`, editors, () =>
    ended({
      jsonmodel_type: 'find_and_replace_job',
      find: '/^/',
      replace: ' ',
      record_type: 'archival_object',
      property: 'title',
      base_record_uri: root,
    }),
  );
  await beside(`trimming the titles of ${size} components`, editors, () =>
    ended({ jsonmodel_type: 'trim_whitespace_job' }),
  );
}
