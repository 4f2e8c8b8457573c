// Publishing, unpublishing and suppressing over HTTP: what the cascade reaches, what it leaves alone, and who sees what then.
// Contract: behaviour-records.md, sections 5.1 and 5.2.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import type { Transaction } from '#store/connection/database.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { IdRow, column } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { insertNodes } from '#store/trees/insert.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { counting } from '#test/support/count-statements.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
let viewer = '';
let manager = '';
beforeAll(async () => {
  api = await startTestApi();
  records = await httpRecords(api);
  viewer = await api.userWith(
    ['view_repository', 'update_resource_record', 'update_accession_record', 'update_event_record'],
    records.repoId,
  );
  manager = await api.userWith(['view_repository', 'suppress_archival_record', 'manage_repository'], records.repoId);
});
afterAll(async () => api[Symbol.asyncDispose]());

const idOf = (uri: string): number => Number(uri.split('/').at(-1));
const read = async (uri: string, session?: string): Promise<any> => (await api.get(uri, session)).json;
const post = async (uri: string): Promise<any> => {
  const reply = await api.ask(uri, { method: 'POST' });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};
const suppress = async (uri: string, state: boolean, session?: string): Promise<any> => {
  const reply = await api.ask(`${uri}/suppressed?suppressed=${state}`, {
    method: 'POST',
    ...(session === undefined ? {} : { session }),
  });
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
    const resource = await records.make('resource', { publish: false });
    await api.database.transaction(async (tx) => {
      const made = await tx.any(sql.type(IdRow)`INSERT INTO record (kind, id, repo_id, publish, label, body)
        SELECT 'archival_object', nextval('archival_object_id_seq'), ${records.repoId}, false, 'n', '{"jsonmodel_type":"archival_object","title":"n","notes":[]}' FROM generate_series(1, 1200) RETURNING id`);
      await insertNodes(
        tx,
        treeUnder(kindNamed('archival_object'), records.repoId, idOf(resource)),
        { parentId: null, position: null },
        made.map(({ id }) => ({ id, visible: false, level: 'file' })),
      );
    });
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
    const tree = async (size: number): Promise<string> => {
      const resource = await records.make('resource', { publish: false });
      await api.database.transaction(async (tx) => {
        const made = await tx.any(sql.type(IdRow)`INSERT INTO record (kind, id, repo_id, publish, label, body)
          SELECT 'archival_object', nextval('archival_object_id_seq'), ${records.repoId}, false, 'n', '{"jsonmodel_type":"archival_object","title":"n","notes":[]}' FROM generate_series(1, ${size}::int) RETURNING id`);
        await insertNodes(
          tx,
          treeUnder(kindNamed('archival_object'), records.repoId, idOf(resource)),
          { parentId: null, position: null },
          made.map(({ id }) => ({ id, visible: false, level: 'file' })),
        );
      });
      return resource;
    };
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

describe('suppressed', () => {
  it('hides a record from those who may not see it, refuses its update, and shows it again', async () => {
    const accession = await records.make('accession');
    const body = await read(accession);
    expect(await suppress(accession, true)).toEqual({
      status: 'Suppressed',
      id: idOf(accession),
      suppressed_state: true,
    });
    expect((await api.get(accession, viewer)).json).toEqual({ error: 'Accession not found' });
    expect(await read(`/repositories/${records.repoId}/accessions?all_ids=true`, viewer)).not.toContain(
      idOf(accession),
    );
    expect(await read(accession)).toMatchObject({ suppressed: true, lock_version: 0, user_mtime: body.user_mtime });
    expect((await api.post(accession, body)).json).toEqual({
      error: "Can't update an object that has been suppressed",
    });
    // Whoever may suppress finds it here, and here alone.
    expect((await api.get(accession, manager)).status).toBe(404);
    expect(await suppress(accession, false, manager)).toEqual({
      status: 'Suppressed',
      id: idOf(accession),
      suppressed_state: false,
    });
    expect((await api.get(accession, viewer)).status).toBe(200);
  });

  it('reaches everything below, in either direction', async () => {
    const resource = await records.make('resource', { publish: true });
    const top = await node(resource, undefined, { publish: true });
    const leaf = await node(resource, top, { publish: true });
    await suppress(leaf, true);
    await suppress(top, true);
    expect((await read(leaf)).has_unpublished_ancestor).toBe(true);
    await suppress(resource, false);
    expect([
      (await read(top)).suppressed,
      (await read(leaf)).suppressed,
      (await read(leaf)).has_unpublished_ancestor,
    ]).toEqual([false, false, false]);
    await suppress(resource, true);
    expect([(await read(top)).suppressed, (await read(leaf)).suppressed]).toEqual([true, true]);
    await settle();
  });

  it('hides links to it, of both kinds, and links made later', async () => {
    const object = await records.make('digital_object');
    const other = await records.make('accession');
    const instance = { instance_type: 'digital_object', digital_object: { ref: object } };
    const holder = await records.make('accession', {
      instances: [instance],
      related_accessions: [
        { jsonmodel_type: 'accession_parts_relationship', ref: other, relator: 'forms_part_of', relator_type: 'part' },
      ],
    });
    await suppress(object, true);
    await suppress(other, true);
    const later = await records.make('accession', { instances: [instance] });
    for (const uri of [holder, later]) {
      expect((await read(uri, viewer)).instances).toEqual([]);
      expect((await read(uri)).instances).toHaveLength(1);
    }
    expect((await read(holder, viewer)).related_accessions).toEqual([]);
    expect((await read(holder)).related_accessions).toHaveLength(1);
    expect((await read(`${holder}?resolve[]=related_accessions`)).related_accessions[0]._resolved.uri).toBe(other);
    await suppress(object, false);
    await suppress(other, false);
    expect([
      (await read(holder, viewer)).instances.length,
      (await read(later, viewer)).instances.length,
      (await read(holder, viewer)).related_accessions.length,
    ]).toEqual([1, 1, 1]);
  });

  it('keeps hidden links where somebody saves who is not shown them', async () => {
    const [object, other, seen] = [
      await records.make('digital_object'),
      await records.make('accession'),
      await records.make('accession'),
    ];
    const related = (ref: string) => ({
      jsonmodel_type: 'accession_parts_relationship',
      ref,
      relator: 'forms_part_of',
      relator_type: 'part',
    });
    const holder = await records.make('accession', {
      instances: [{ instance_type: 'digital_object', digital_object: { ref: object } }],
      related_accessions: [related(other), related(seen)],
    });
    await suppress(object, true);
    await suppress(other, true);
    const shown = await read(holder, viewer);
    expect((await api.post(holder, { ...shown, title: 'Saved blindly' }, viewer)).status).toBe(200);
    const whole = await read(holder);
    expect([
      whole.title,
      whole.instances[0].digital_object.ref,
      whole.related_accessions.map((link: { ref: string }) => link.ref).sort(),
    ]).toEqual(['Saved blindly', object, [other, seen].sort()]);
    expect(await checkDatabase(api.database)).toEqual([]);
  });

  it('takes along the events that speak of nothing else', async () => {
    const [one, two] = [await records.make('accession'), await records.make('accession')];
    const ofBoth = await records.make('event', {
      linked_records: [
        { ref: one, role: 'source' },
        { ref: two, role: 'source' },
      ],
    });
    const ofOne = await records.make('event', { linked_records: [{ ref: one, role: 'source' }] });
    await suppress(one, true);
    expect([(await read(ofBoth)).suppressed, (await read(ofOne)).suppressed]).toEqual([false, true]);
    await suppress(two, true);
    expect((await read(ofBoth)).suppressed).toBe(true);
    await suppress(one, false);
    expect([(await read(ofBoth)).suppressed, (await read(ofOne)).suppressed]).toEqual([false, false]);
    expect((await read(one, viewer)).linked_events).toHaveLength(2);
    await suppress(ofOne, true);
    expect((await read(one, viewer)).linked_events).toEqual([{ ref: ofBoth }]);
  });

  it('is out of search at once, and comes back', async () => {
    const accession = await records.make('accession', { title: 'Quagga ledger' });
    const search = async (session: string): Promise<number> =>
      (await read(`/repositories/${records.repoId}/search?page=1&q=quagga`, session)).total_hits;
    await expect.poll(() => search(viewer)).toBe(1);
    await suppress(accession, true);
    expect(await search(viewer)).toBe(0);
    await suppress(accession, false);
    await expect.poll(() => search(viewer)).toBe(1);
  });

  it('is nothing that classifications and their terms know', async () => {
    const term = await records.make('classification_term');
    const classification = (await read(term)).classification.ref;
    for (const uri of [term, classification]) {
      expect((await api.ask(`${uri}/suppressed?suppressed=true`, { method: 'POST' })).status).toBe(404);
      expect(await read(uri)).not.toHaveProperty('suppressed');
    }
    expect(await read(`${classification}/tree/root`)).toMatchObject({
      suppressed: 0,
      precomputed_waypoints: { '': { 0: [{ uri: term, suppressed: 0 }] } },
    });
  });

  it('is refused to others, and unknown records are not found', async () => {
    const accession = await records.make('accession');
    expect((await api.ask(`${accession}/suppressed?suppressed=true`, { method: 'POST', session: viewer })).status).toBe(
      403,
    );
    expect((await api.ask(`${accession}/suppressed`, { method: 'POST' })).json).toEqual({
      error: { suppressed: ['Parameter required but no value provided'] },
    });
    expect(
      (
        await api.ask(`/repositories/${records.repoId}/archival_objects/99999999/suppressed?suppressed=true`, {
          method: 'POST',
        })
      ).json,
    ).toEqual({ error: 'ArchivalObject not found' });
  });
});
