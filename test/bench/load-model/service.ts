// The service whose load is measured: its data, and the sorts of work that come, each over HTTP as a client does it.
import type { JsonObject } from '#domain/json.ts';
import { resourceOf } from '../../support/make/finding-aid.ts';
import { componentOf } from '../components.ts';
import type { Client } from '../processes/client.ts';

/** How much there is: trees of so many components, each of which names the heading of its tree; those of them that are published and unpublished; repositories that are imported into. */
export const size = { trees: 8, components: 300, published: 2, repositories: 1 };

/** The sorts of work. `note`: a save that changes nothing that other documents show; it is calibrated, and not part of the load. */
export type WorkName = 'component' | 'note' | 'heading' | 'publication' | 'import';

/** Work on a target, counted from 0; resolves when the service has answered. */
export type Work = { readonly [name in WorkName]: (target: number) => Promise<unknown> };

/** Makes the data, and gives what may be done with it. */
export async function plant(client: Client): Promise<Work> {
  const repositories = await Promise.all(
    Array.from({ length: size.repositories }, async (_, n) =>
      Number((await client.post('/repositories', { repo_code: `load${n}`, name: `Repository ${n}` }))['id']),
    ),
  );
  const home = repositories[0] ?? 0;
  const headings = await Promise.all(
    Array.from({ length: size.trees }, async (_, n) => String((await client.post('/agents/people', person(n)))['uri'])),
  );
  const roots: string[] = [];
  const components: string[] = [];
  for (const [n, heading] of headings.entries()) {
    const saved = await client.importBatch(home, bytesOf(treeOf(home, `tree${n}`, heading)));
    const uris = Object.values(saved).map(([uri]) => uri);
    roots.push(...uris.filter((uri) => uri.includes('/resources/')));
    components.push(...uris.filter((uri) => uri.includes('/archival_objects/')));
  }
  let made = 0;
  const published = new Set<string>();
  const change = async (uri: string, changed: (record: JsonObject, n: number) => JsonObject): Promise<void> => {
    // Somebody else may have saved the same record meanwhile: whoever is refused reads and saves it again, as people do.
    for (let tries = 0; ; tries++) {
      const record: JsonObject = JSON.parse(await client.get(uri));
      try {
        await client.post(uri, changed(record, ++made));
        return;
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  };
  // Target by target the trees take turns, so that the components of one tree are those with the same remainder.
  const componentAt = (target: number): string =>
    components[(target % size.trees) * size.components + Math.floor(target / size.trees)] ?? '';
  return {
    component: (target) => change(componentAt(target), (record, n) => ({ ...record, title: `Changed ${n}` })),
    note: (target) => change(componentAt(target), (record, n) => ({ ...record, notes: [noteOf(`Changed ${n}`)] })),
    heading: (target) =>
      change(headings[target] ?? '', (record, n) => ({
        ...record,
        names: [{ ...nameOf(target), rest_of_name: `${n}` }],
      })),
    publication: (target) => {
      const root = roots[target] ?? '';
      const isPublished = published.has(root);
      if (isPublished) published.delete(root);
      else published.add(root);
      return client.post(`${root}/${isPublished ? 'unpublish' : 'publish'}`, {});
    },
    import: (target) => {
      const repository = repositories[target] ?? 0;
      return client.importBatch(repository, bytesOf(treeOf(repository, `import${++made}`, null)));
    },
  };
}

const nameOf = (n: number): JsonObject => ({
  jsonmodel_type: 'name_person',
  primary_name: `Person ${n}`,
  name_order: 'inverted',
  source: 'local',
  sort_name_auto_generate: true,
});

const person = (n: number): JsonObject => ({ jsonmodel_type: 'agent_person', names: [nameOf(n)] });

const noteOf = (content: string): JsonObject => ({
  jsonmodel_type: 'note_multipart',
  type: 'scopecontent',
  publish: true,
  subnotes: [{ jsonmodel_type: 'note_text', content, publish: true }],
});

/** A resource with its components in a row, as a batch import takes them. */
function treeOf(repoId: number, name: string, heading: string | null): readonly JsonObject[] {
  const root = resourceOf(repoId, name);
  return [
    root,
    ...Array.from({ length: size.components }, (_, n) => {
      const { subjects: _subjects, instances: _instances, ...component } = componentOf(n);
      return {
        ...component,
        uri: `/repositories/${repoId}/archival_objects/import_${name}${n}`,
        ref_id: `${name}ref${n}`,
        resource: { ref: root.uri },
        position: n,
        linked_agents: heading === null ? [] : [{ ref: heading, role: 'creator', terms: [] }],
      };
    }),
  ];
}

async function* bytesOf(records: readonly JsonObject[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(records));
}
