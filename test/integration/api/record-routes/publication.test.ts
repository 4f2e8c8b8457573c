// Publishing and unpublishing over HTTP: what the cascade reaches, what it leaves alone, and how much it takes.
// Contract: behaviour-records.md, section 5.1.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { column } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { counting } from '#test/support/count-statements.ts';
import { siblingsAsRows } from '#test/support/large-tree.ts';
import { idOf } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';
import { AnyRow } from '#test/support/rows.ts';

const { api, records, read } = await serveRecords({ worker: 'jobs' });
const post = async (uri: string): Promise<any> => {
  const reply = await api.ask(uri, { method: 'POST' });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};
const note = (publish: boolean) => ({
  jsonmodel_type: 'note_multipart',
  type: 'scopecontent',
  publish,
  subnotes: [{ jsonmodel_type: 'note_text', content: 'says "publish":false and \\"publish\\":false', publish }],
});
const node = (resource: string, parent?: string, more: object = {}): Promise<string> =>
  records.make('archival_object', {
    title: 'A node',
    level: 'file',
    resource: { ref: resource },
    publish: false,
    notes: [note(false)],
    ...(parent === undefined ? {} : { parent: { ref: parent } }),
    ...more,
  });
const settle = async (): Promise<void> =>
  expect(
    await checkTrees(api.database.reader, [
      { code: 1, node: 'archival_object', root: 'resource' },
      { code: 2, node: 'digital_object_component', root: 'digital_object' },
    ]),
  ).toEqual([]);

describe('publish', () => {
  it('sets the flag of a resource, its parts, and everything below', async () => {
    const agent = await records.make('agent_person', { publish: false });
    const resource = await records.make('resource', {
      publish: false,
      notes: [note(false)],
      external_documents: [{ title: 'x', location: 'y', publish: false }],
      revision_statements: [{ date: '1999', description: 'first', publish: false }],
      linked_agents: [{ ref: agent, role: 'creator' }],
    });
    const container = await records.make('top_container');
    const top = await node(resource, undefined, {
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
    });
    const leaf = await node(resource, top);
    const before = await read(leaf);
    await api.database.transaction((tx) =>
      tx.run(
        sql`UPDATE record SET system_mtime = '2001-01-01' WHERE kind IN ('archival_object', 'top_container', 'resource')`,
      ),
    );
    expect(await post(`${resource}/publish`)).toEqual({
      status: 'Updated',
      id: idOf(resource),
      lock_version: 0,
      stale: null,
    });
    const published = await read(resource);
    expect([
      published.publish,
      published.notes[0].publish,
      published.notes[0].subnotes[0].publish,
      published.external_documents[0].publish,
      published.revision_statements[0].publish,
    ]).toEqual([true, true, true, true, true]);
    const after = await read(leaf);
    expect(after).toMatchObject({
      publish: true,
      lock_version: 0,
      user_mtime: before.user_mtime,
      has_unpublished_ancestor: false,
    });
    expect(after.notes[0].subnotes[0]).toMatchObject({
      publish: true,
      content: 'says "publish":false and \\"publish\\":false',
    });
    expect(after.system_mtime > '2020').toBe(true);
    expect((await read(container)).system_mtime > '2020').toBe(true);
    expect((await read(agent)).publish).toBe(false);
    await settle();
  });

  it('stays below the node it is asked of, and re-dates the resource', async () => {
    const resource = await records.make('resource', { publish: true });
    const [top, beside] = [await node(resource), await node(resource)];
    const leaf = await node(resource, top);
    await api.database.transaction((tx) =>
      tx.run(sql`UPDATE record SET system_mtime = '2001-01-01' WHERE kind = 'resource' AND id = ${idOf(resource)}`),
    );
    await post(`${top}/publish`);
    expect([(await read(top)).publish, (await read(leaf)).publish, (await read(beside)).publish]).toEqual([
      true,
      true,
      false,
    ]);
    expect((await read(resource)).system_mtime > '2020').toBe(true);
    expect((await post(`${top}/unpublish`)).status).toBe('Updated');
    expect([(await read(top)).publish, (await read(leaf)).publish]).toEqual([false, false]);
    expect((await read(leaf)).has_unpublished_ancestor).toBe(true);
    await settle();
  });

  it('publishes an agent with its parts', async () => {
    const agent = await records.make('agent_corporate_entity', {
      publish: false,
      notes: [
        {
          jsonmodel_type: 'note_bioghist',
          publish: false,
          subnotes: [{ jsonmodel_type: 'note_text', content: 'x', publish: false }],
        },
      ],
    });
    expect(await post(`${agent}/publish`)).toEqual({
      status: 'Updated',
      id: idOf(agent),
      lock_version: 0,
      stale: null,
    });
    const published = await read(agent);
    expect([published.publish, published.notes[0].publish, published.notes[0].subnotes[0].publish]).toEqual([
      true,
      true,
      true,
    ]);
    expect((await api.post('/agents/people/99999999/publish')).json).toEqual({ error: 'AgentPerson not found' });
  });

  it('chooses the representative file anew', async () => {
    const object = await records.make('digital_object', {
      publish: false,
      file_versions: [{ file_uri: 'http://x.org/a', publish: false, use_statement: 'image-thumbnail' }],
    });
    expect((await read(object)).representative_file_version).toBeUndefined();
    await post(`${object}/publish`);
    expect((await read(object)).representative_file_version).toMatchObject({
      file_uri: 'http://x.org/a',
      publish: true,
    });
  });

  it('logs each record, in rows of ids where there are very many', async () => {
    const { resource } = await siblingsAsRows(api, records.repoId, { code: 'MANY', count: 1200 });
    const from = (
      await api.database.reader.one(sql.type(z.strictObject({ seq: column.int }))`
      SELECT coalesce(max(seq), 0) AS seq FROM change`)
    ).seq;
    await post(`${resource}/publish`);
    const rows = await api.database.reader.any(sql.type(z.strictObject({ kind: column.text, records: column.int }))`
      SELECT kind, coalesce(cardinality(ids), 1) AS records FROM change WHERE seq > ${from} ORDER BY seq`);
    expect(rows).toEqual([
      { kind: 'archival_object', records: 1000 },
      { kind: 'archival_object', records: 200 },
      { kind: 'resource', records: 1 },
    ]);
    await settle();
  });

  it('takes as many statements for a thousand components as for one, with their histories, and so does suppressing', async () => {
    const tree = async (count: number): Promise<string> =>
      (await siblingsAsRows(api, records.repoId, { code: `S${count}`, count })).resource;
    const statements = async (resource: string): Promise<readonly number[]> => {
      const common = { kind: kindNamed('resource'), id: idOf(resource), repoId: records.repoId, actor: 'ann' };
      const works = [
        (tx: Transaction) => publishRecord(tx, { ...common, publish: true, seesSuppressed: true }),
        (tx: Transaction) => suppressRecord(tx, { ...common, suppressed: true }),
      ];
      const counts: number[] = [];
      for (const work of works) {
        counts.push(
          await api.database.transaction(async (tx) => {
            const counted = counting(tx);
            await work(counted.tx);
            return counted.count();
          }),
        );
      }
      return counts;
    };
    const [small, large] = [await tree(1), await tree(1000)];
    expect(await statements(large)).toEqual(await statements(small));
    const kept = await api.database.reader.any(sql.type(AnyRow)`
      SELECT v.op, v.actor, v.publish, v.suppressed, count(*)::int AS records FROM revision v JOIN tree_node t ON t.id = v.id AND t.kind = 1 AND t.root_id = ${idOf(large)}
      WHERE v.kind = 'archival_object' GROUP BY 1, 2, 3, 4 ORDER BY 1`);
    expect(kept).toEqual([
      { op: 'publish', actor: 'ann', publish: false, suppressed: false, records: 1000 },
      { op: 'suppress', actor: 'ann', publish: true, suppressed: false, records: 1000 },
    ]);
    await settle();
  });

  it('answers at once where the client does not want to wait', async () => {
    const resource = await records.make('resource', { publish: false });
    const reply = await api.ask(`${resource}/publish`, { method: 'POST', headers: { prefer: 'respond-async' } });
    expect([reply.status, reply.json.status]).toEqual([202, 'Accepted']);
    expect(await read(reply.json.uri)).toMatchObject({ jsonmodel_type: 'job', uri: reply.json.uri });
    await expect.poll(async () => (await read(resource)).publish).toBe(true);
  });
});
