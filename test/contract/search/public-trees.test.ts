// Parts of public trees as documents, as a public interface asks for them (contract: behaviour-search.md section 9, behaviour-trees-and-jobs.md 1.8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilIndexed } from '#test/support/indexer.ts';
import type { Collection } from './collection.ts';
import { startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
  await c.make('hush', `/repositories/${c.repo}/archival_objects`, {
    title: 'Hush',
    level: 'file',
    publish: false,
    resource: { ref: c.uris['papers'] },
  });
  await c.make('below', `/repositories/${c.repo}/archival_objects`, {
    title: 'Below',
    level: 'file',
    publish: true,
    resource: { ref: c.uris['papers'] },
    parent: { ref: c.uris['hush'] },
  });
  await untilIndexed(c.api.database);
});
afterAll(() => c[Symbol.asyncDispose]());

const read = async (ids: readonly string[], session?: string): Promise<any[]> => {
  const { status, json, text } = await c.api.get(
    `/search/records?${ids.map((id) => `uri[]=${encodeURIComponent(id)}`).join('&')}`,
    session,
  );
  if (status !== 200) throw new Error(text);
  return json.results;
};
const idOf = (name: string): string => c.uris[name]?.split('/').at(-1) ?? '';

describe('documents of public trees', () => {
  it('hold the answers of the tree for the public', async () => {
    const root = c.uris['papers'] ?? '';
    const [found] = await read([`${root}/tree/root`], c.publicUser);
    expect(found).toMatchObject({
      id: `${root}/tree/root`,
      uri: `${root}/tree/root`,
      pui_parent_id: root,
      primary_type: 'tree_root',
      types: ['tree_root', 'pui'],
      jsonmodel_type: 'tree_root',
      publish: true,
      repository: `/repositories/${c.repo}`,
    });
    const answer = (await c.api.get(`${root}/tree/root?published_only=true`)).json;
    expect(JSON.parse(found.json)).toEqual(answer);
    expect(answer.child_count).toBe(1);
    const [waypoint, node, way] = await read(
      [
        `${root}/tree/waypoint__0`,
        `${root}/tree/node_${c.uris['diary']}`,
        `${root}/tree/node_from_root_${idOf('letters')}`,
      ],
      c.publicUser,
    );
    expect(JSON.parse(waypoint.json)).toEqual(
      (await c.api.get(`${root}/tree/waypoint?offset=0&published_only=true`)).json,
    );
    expect(node).toMatchObject({ primary_type: 'tree_node', pui_parent_id: c.uris['diary'] });
    expect(JSON.parse(node.json)).toEqual(
      (await c.api.get(`${root}/tree/node?node_uri=${c.uris['diary']}&published_only=true`)).json,
    );
    expect(JSON.parse(way.json)).toEqual(
      (await c.api.get(`${root}/tree/node_from_root?node_ids[]=${idOf('letters')}&published_only=true`)).json,
    );
    const [below] = await read([`${root}/tree/waypoint_${c.uris['diary']}_0`]);
    expect(JSON.parse(below.json).map((entry: { readonly uri: string }) => entry.uri)).toEqual([c.uris['letters']]);
  });

  it('of what is read in order', async () => {
    const [found] = await read([`${c.uris['papers']}/ordered_records`], c.publicUser);
    expect(found).toMatchObject({ primary_type: 'resource_ordered_records', pui_parent_id: c.uris['papers'] });
    expect(JSON.parse(found.json).uris.map((entry: { readonly ref: string }) => entry.ref)).toEqual([
      c.uris['papers'],
      c.uris['diary'],
      c.uris['letters'],
    ]);
  });

  it('are there for digital objects too', async () => {
    const [found] = await read([`${c.uris['scan']}/tree/root`], c.publicUser);
    expect(JSON.parse(found.json).precomputed_waypoints['']['0'][0].uri).toBe(c.uris['part']);
  });

  it('tell nobody of what is not public', async () => {
    const root = c.uris['papers'];
    const hidden = [
      `${c.uris['views']}/tree/root`,
      `${c.uris['views']}/ordered_records`,
      `${root}/tree/node_${c.uris['hush']}`,
      `${root}/tree/waypoint_${c.uris['hush']}_0`,
      `${root}/tree/node_${c.uris['below']}`,
      `${root}/tree/node_from_root_${idOf('below')}`,
      `${c.uris['abroad']}/tree/root`,
    ];
    expect(await read(hidden, c.publicUser)).toEqual([]);
    expect(await read(hidden)).toEqual([]);
  });

  it('come in the order asked, beside documents of records', async () => {
    const root = c.uris['papers'] ?? '';
    const asked = [`${root}/ordered_records`, root, `${root}/tree/root`, `${c.uris['diary']}#pui`];
    expect((await read(asked, c.publicUser)).map((row) => row.id)).toEqual(asked);
  });

  it('are not there for nodes of other trees, other ids, or too many at once', async () => {
    const root = c.uris['papers'];
    expect(
      await read([
        `${c.uris['eire']}/tree/node_${c.uris['diary']}`,
        `${root}/tree/node_${c.uris['part']}`,
        `${root}/tree/node_from_root_999999`,
        '/repositories/99/resources/1/tree/root',
        `${c.uris['gift']}/tree/root`,
      ]),
    ).toEqual([]);
    expect(await read([`${c.uris['scan']}/ordered_records`])).toEqual([]);
    const { status, json } = await c.api.get(
      `/search/records?${Array.from({ length: 51 }, (_, n) => `uri[]=${root}/tree/waypoint__${n}`).join('&')}`,
    );
    expect([status, Object.keys(json.error)]).toEqual([400, ['uri']]);
  });
});
