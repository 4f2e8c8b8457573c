// Records of every kind over HTTP, with what a move to another service must keep: orders that are not those of ids, suppressed and unpublished
// parts, links that both sides show, addresses that were given up, lists and settings that are not those of a first start.
import { allKinds } from '#domain/kinds/index.ts';
import type { TestApi } from '../api.ts';
import { ok } from '../api.ts';
import { personBody, resourceBody } from '../records.ts';
import { httpRecords } from './http-records.ts';

/** Makes records of every kind, in the states that records may be in; gives the address of their repository. */
export async function fillWithStates(api: TestApi): Promise<string> {
  const records = await httpRecords(api);
  const R = `/repositories/${records.repoId}`;
  for (const kind of allKinds.filter((each) => each.may.create !== undefined && each.uniform !== false))
    await records.make(kind.name);
  for (const name of ['group', 'user']) await records.make(name);
  await api.userWith(['view_repository'], records.repoId);
  // A tree whose order is not that of the ids, with suppressed and unpublished parts.
  const resource = await api.create(
    `${R}/resources`,
    resourceBody('TREE', { publish: true, slug: 'Own slug', is_slug_auto: false }),
  );
  const nodes: string[] = [];
  for (const title of ['A', 'B', 'C', 'D'])
    nodes.push(
      await api.create(`${R}/archival_objects`, {
        title,
        level: 'file',
        resource: { ref: resource },
        publish: title !== 'B',
        position: 0,
      }),
    );
  for (const title of ['X', 'Y'])
    await api.create(`${R}/archival_objects`, {
      title,
      level: 'item',
      resource: { ref: resource },
      parent: { ref: nodes[1] },
      position: 0,
    });
  ok(await api.ask(`${nodes[2]}/suppressed?suppressed=true`, { method: 'POST' }));
  // Links that both sides show, a history of saves, an address that was given up.
  const [one, two] = [
    await api.create('/agents/people', personBody('One')),
    await api.create('/agents/people', personBody('Two')),
  ];
  const agent = (await api.get(one)).json;
  ok(
    await api.post(one, {
      ...agent,
      related_agents: [
        { jsonmodel_type: 'agent_relationship_parentchild', relator: 'is_parent_of', ref: two },
        { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with', ref: two },
      ],
    }),
  );
  const accession = await api.create(`${R}/accessions`, { id_0: 'GONE', accession_date: '2020-01-01' });
  ok(await api.ask(accession, { method: 'DELETE' }));
  const hidden = await api.create(`${R}/accessions`, {
    id_0: 'HIDDEN',
    accession_date: '2020-01-01',
    linked_agents: [{ ref: two, role: 'source' }],
    deaccessions: [
      { scope: 'part', description: 'D', date: { date_type: 'single', label: 'deaccession', begin: '2001' } },
    ],
    collection_management: { processing_priority: 'high' },
    external_ids: [{ external_id: 'x', source: 'y' }],
  });
  ok(await api.ask(`${hidden}/suppressed?suppressed=true`, { method: 'POST' }));
  ok(
    await api.post(`${R}/default_values/accession`, {
      record_type: 'accession',
      defaults: { title: 'T' },
    }),
  );
  ok(
    await api.post(`${R}/assessment_attribute_definitions`, {
      definitions: [{ label: 'Water damage', type: 'conservation_issue' }],
    }),
  );
  const lists = (await api.get('/config/enumerations')).json;
  const list = lists.find((each: { name: string }) => each.name === 'accession_acquisition_type');
  ok(await api.post(list.uri, { ...list, values: [...list.values, 'found'] }));
  const value = (await api.get(list.uri)).json.enumeration_values[0];
  ok(await api.ask(`${value.uri}/suppressed?suppressed=true`, { method: 'POST' }));
  return R;
}
