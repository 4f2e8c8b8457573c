// A position that was read and comes back with a save is no wish to move (contract behaviour-records.md 7.2, behaviour-trees-and-jobs.md 1.10): two
// clients, one of which reads a record and saves it later, while the other moves its siblings.
import { describe, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { idOf } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read, save } = await serveRecords({ worker: 'jobs' });
const kinds = ['archival_object', 'digital_object_component', 'classification_term'] as const;
const roots = {
  archival_object: 'resource',
  digital_object_component: 'digital_object',
  classification_term: 'classification',
} as const;
type NodeKind = (typeof kinds)[number];

/** A root with nodes that are named as given, in that order; the second client's session; and what the second client does. */
async function tree(letters: string, kind: NodeKind = 'archival_object') {
  const root = await records.make(roots[kind]);
  const place = { [roots[kind]]: { ref: root } };
  const make = (letter: string, more: object = {}): Promise<string> =>
    records.make(kind, {
      ...place,
      title: letter,
      ...(kind === 'classification_term' ? { identifier: letter } : {}),
      ...more,
    });
  const uris = new Map<string, string>();
  for (const letter of letters) uris.set(letter, await make(letter));
  const uri = (letter: string): string => uris.get(letter) ?? '';
  const other = await api.userWith(
    [
      'view_repository',
      'update_resource_record',
      'update_digital_object_record',
      'update_classification_record',
      'delete_archival_record',
    ],
    records.repoId,
  );
  const act = (path: string): Promise<unknown> => api.ask(path, { method: 'POST', session: other });
  return {
    root,
    uri,
    make,
    other,
    order: async (): Promise<string> => {
      const { precomputed_waypoints: windows } = await read(`${root}/tree/root`);
      return (windows[''][0] ?? []).map((each: { title: string }) => each.title.slice(0, 1)).join('');
    },
    /** The other client moves nodes to the front, in this order. */
    bringToFront: (moved: string) =>
      act(`${root}/accept_children?position=0&${[...moved].map((letter) => `children[]=${uri(letter)}`).join('&')}`),
    putBelow: (letter: string, parent: string) => act(`${uri(letter)}/parent?parent=${idOf(uri(parent))}&position=0`),
    remove: (letter: string) => api.del(uri(letter), other),
  };
}

describe('a save with the position that was read', () => {
  it.each(kinds)('leaves a node (%s) where another client has moved its siblings', async (kind) => {
    const { uri, order, bringToFront } = await tree('ABCDE', kind);
    const mine = await read(uri('B'));
    await bringToFront('DE');
    const reply = await api.post(uri('B'), { ...mine, title: 'B, edited' });
    expect([reply.status, reply.json.status, await order()]).toEqual([200, 'Updated', 'DEABC']);
  });

  it('does so whenever it was read since the last save, and whoever read it meanwhile', async () => {
    const { uri, order, bringToFront, remove, make, other } = await tree('ABCDE');
    await bringToFront('E');
    const mine = await read(uri('C'));
    await bringToFront('D');
    expect([mine.position, (await read(uri('C'), other)).position]).toEqual([3, 4]);
    await remove('A');
    await make('F', { position: 1 });
    expect((await api.post(uri('C'), mine)).status).toBe(200);
    expect(await order()).toBe('DFEBC');
  });

  it('does so where the other client has moved the node itself', async () => {
    const { uri, order, bringToFront, putBelow } = await tree('ABCD');
    const mine = await read(uri('D'));
    await bringToFront('D');
    expect((await api.post(uri('D'), mine)).status).toBe(200);
    expect(await order()).toBe('DABC');
    const again = await read(uri('C'));
    await putBelow('C', 'A');
    await records.make('archival_object', {
      resource: { ref: again.resource.ref },
      parent: { ref: uri('A') },
      title: 'X',
      position: 0,
    });
    expect((await api.post(uri('C'), again)).status).toBe(200);
    expect([await order(), await read(uri('C'))]).toMatchObject(['DAB', { parent: { ref: uri('A') }, position: 1 }]);
  });

  it('does so at the end of a list that has become shorter', async () => {
    const { uri, order, bringToFront, remove } = await tree('ABCDE');
    const mine = await read(uri('E'));
    await remove('A');
    await bringToFront('E');
    expect((await api.post(uri('E'), mine)).status).toBe(200);
    expect(await order()).toBe('EBCD');
  });

  it('does so for what a list gave', async () => {
    const { uri, order, bringToFront } = await tree('ABC');
    const [listed] = await read(`${records.collection(kindNamed('archival_object'))}?id_set=${idOf(uri('B'))}`);
    await bringToFront('C');
    expect((await api.post(uri('B'), listed)).status).toBe(200);
    expect(await order()).toBe('CAB');
  });
});

describe('a position that was never that of the version', () => {
  it('moves the node, as often as it is asked', async () => {
    const { uri, order, bringToFront } = await tree('ABCD');
    await bringToFront('D');
    await save(uri('A'), { position: 3 });
    expect(await order()).toBe('DBCA');
    await save(uri('A'), { position: 1 });
    expect(await order()).toBe('DABC');
    await save(uri('A'), { position: 99 });
    expect(await order()).toBe('DBCA');
    await save(uri('A'), { position: 0 });
    expect(await order()).toBe('ADBC');
  });

  it('is any with the version of a save, which begins a new count', async () => {
    const { uri, order, bringToFront } = await tree('ABC');
    await bringToFront('C');
    await save(uri('A'), { position: 0 });
    expect(await order()).toBe('CAB');
    await save(uri('A'), { position: 0 });
    expect(await order()).toBe('ACB');
  });
});

describe('a PATCH', () => {
  it('moves nothing without a position, and always with one', async () => {
    const { uri, order, bringToFront } = await tree('ABC');
    await bringToFront('C');
    expect((await api.ask(uri('A'), { method: 'PATCH', json: { lock_version: 0, title: 'A too' } })).status).toBe(200);
    expect(await order()).toBe('CAB');
    await bringToFront('B');
    const { lock_version: version } = await read(uri('A'));
    expect((await api.ask(uri('A'), { method: 'PATCH', json: { lock_version: version, position: 1 } })).status).toBe(
      200,
    );
    expect(await order()).toBe('BAC');
  });
});
