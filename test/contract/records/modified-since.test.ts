// Lists by `modified_since` name what a save concerns besides the record that was saved (contract behaviour-records.md 4.2, 6.4, 6.5, 6.7, 6.10, 7.3).
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { sql } from '#store/connection/sql.ts';
import { inBox } from '#test/support/make/instances.ts';
import { idOf } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read } = await serveRecords({ worker: 'jobs' });
const node = (resource: string, more: JsonObject = {}): Promise<string> =>
  records.make('archival_object', { resource: { ref: resource }, ...more });

/** Those of the records that lists name as changed after one of them alone was saved, long after all others. */
async function changedBy(saved: string, among: readonly string[]): Promise<readonly string[]> {
  await api.database.transaction((tx) =>
    tx.run(sql`UPDATE record SET system_mtime = '2001-01-01', user_mtime = '2001-01-01'`),
  );
  expect((await api.post(saved, { ...(await read(saved)) })).status).toBe(200);
  const found = await Promise.all(
    among.map(async (uri) =>
      (await read(`${uri.slice(0, uri.lastIndexOf('/'))}?all_ids=true&modified_since=1500000000`)).includes(idOf(uri))
        ? [uri]
        : [],
    ),
  );
  return found.flat();
}

it('a resource, all of its tree; a node, what is below it, its root and its containers', async () => {
  const container = await records.make('top_container');
  const resource = await records.make('resource');
  const [top, beside] = [await node(resource, { instances: [inBox(container)] }), await node(resource)];
  const leaf = await node(resource, { parent: { ref: await node(resource, { parent: { ref: top } }) } });
  const other = await records.make('resource');
  const all = [resource, top, leaf, beside, container, other, await node(other)];
  expect(await changedBy(resource, all)).toEqual([resource, top, leaf, beside]);
  expect(await changedBy(top, all)).toEqual([resource, top, leaf, container]);
  expect(await changedBy(leaf, all)).toEqual([resource, leaf]);
});

it('a container, agent or classification, the records that show it', async () => {
  const [container, agent, classification] = [
    await records.make('top_container'),
    await records.make('agent_person'),
    await records.make('classification'),
  ];
  const holder = await records.make('accession', {
    instances: [inBox(container)],
    linked_agents: [{ ref: agent, role: 'creator' }],
    classifications: [{ ref: classification }],
  });
  const term = await records.make('classification_term', { classification: { ref: classification } });
  const resource = await records.make('resource');
  await api.post(classification, {
    ...(await read(classification)),
    linked_records: [{ ref: holder }, { ref: resource }],
  });
  const all = [holder, resource, term, container, agent, classification, await records.make('accession')];
  expect(await changedBy(container, all)).toEqual([holder, container]);
  expect(await changedBy(agent, all)).toEqual([holder, agent]);
  expect(await changedBy(classification, all)).toEqual([holder, resource, term, classification]);
  expect(await changedBy(holder, all)).toContain(container);
});

it('a digital object or component, the resources in which it is shown', async () => {
  const component = await records.make('digital_object_component');
  const object = (await read(component)).digital_object.ref;
  const [resource, other] = [
    await records.make('resource'),
    await records.make('resource', {
      instances: [{ instance_type: 'digital_object', digital_object: { ref: object } }],
    }),
  ];
  await node(resource, { instances: [{ instance_type: 'digital_object', digital_object: { ref: object } }] });
  const all = [resource, other, await records.make('resource'), object, component];
  expect(await changedBy(object, all)).toEqual([resource, other, object, component]);
  expect(await changedBy(component, all)).toEqual([resource, other, object, component]);
});

it('publishing a node concerns its resource, but not what is beside it', async () => {
  const resource = await records.make('resource');
  const [top, beside] = [await node(resource), await node(resource)];
  await api.database.transaction((tx) =>
    tx.run(sql`UPDATE record SET system_mtime = '2001-01-01', user_mtime = '2001-01-01'`),
  );
  await api.ask(`${top}/publish`, { method: 'POST' });
  const ids = async (kind: string): Promise<number[]> =>
    read(`/repositories/${records.repoId}/${kind}?all_ids=true&modified_since=1500000000`);
  expect([await ids('resources'), await ids('archival_objects')]).toEqual([[idOf(resource)], [idOf(top)]]);
  expect(await read(`${resource.slice(0, resource.lastIndexOf('/'))}?page=1&modified_since=1500000000`)).toMatchObject({
    total: 1,
    results: [{ uri: resource }],
  });
  expect(beside).not.toBe(top);
});

describe('a link that both sides show re-dates the other side', () => {
  const related = (ref: string, relator = 'is_associative_with'): JsonObject => ({
    related_agents: [{ jsonmodel_type: 'agent_relationship_associative', relator, ref }],
  });
  /** What its list names it by, and its date and version, after something else was done, long after all others. */
  async function after(uri: string, work: () => Promise<unknown>): Promise<readonly unknown[]> {
    await api.database.transaction((tx) =>
      tx.run(sql`UPDATE record SET system_mtime = '2001-01-01', user_mtime = '2001-01-01'`),
    );
    const { lock_version: version } = await read(uri);
    await work();
    const ids = await read(`${uri.slice(0, uri.lastIndexOf('/'))}?all_ids=true&modified_since=1500000000`);
    const now = await read(uri);
    expect(now.lock_version).toBe(version);
    return [ids.includes(idOf(uri)), now.system_mtime > '2002', now.user_mtime > '2002'];
  }
  const [redated, left] = [
    [true, true, false],
    [false, false, false],
  ];
  const save = async (uri: string, more: JsonObject): Promise<void> => {
    expect((await api.post(uri, { ...(await read(uri)), ...more })).status).toBe(200);
  };

  it('when it is made, changed and dropped by a save, from either side, and not when it stays', async () => {
    const agent = await records.make('agent_person');
    let other = '';
    expect(await after(agent, async () => (other = await records.make('agent_person', related(agent))))).toEqual(
      redated,
    );
    expect(await after(agent, () => save(other, {}))).toEqual(left);
    expect(await after(other, () => save(agent, {}))).toEqual(left);
    const dated = [
      {
        date_type_structured: 'single',
        date_label: 'existence',
        structured_date_single: { date_role: 'begin', date_expression: '1900' },
      },
    ];
    const [relation] = (await read(agent)).related_agents;
    expect(await after(other, () => save(agent, { related_agents: [{ ...relation, dates: dated[0] }] }))).toEqual(
      redated,
    );
    expect(await after(agent, () => save(other, { related_agents: [] }))).toEqual(redated);
    expect(await after(agent, () => save(other, related(agent)))).toEqual(redated);
    const parent = {
      related_agents: [{ jsonmodel_type: 'agent_relationship_parentchild', relator: 'is_parent_of', ref: agent }],
    };
    expect(await after(agent, () => save(other, parent))).toEqual(redated);
    // Written from the other side, with the other relator of the pair, it is the same.
    expect(await after(other, () => save(agent, {}))).toEqual(left);
  });

  it('when the record goes', async () => {
    const agent = await records.make('agent_person');
    const [source, resource] = [await records.make('agent_person', related(agent)), await records.make('resource')];
    expect(await after(agent, () => api.del(source))).toEqual(redated);
    const accession = await records.make('accession', { related_resources: [{ ref: resource }] });
    expect(await after(accession, () => api.del(resource))).toEqual(redated);
  });
});
