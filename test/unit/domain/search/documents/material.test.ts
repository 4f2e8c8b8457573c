import { expect, it } from 'vitest';
import type { Material } from '#domain/search/documents/material.ts';
import { makeDocuments } from '#domain/search/documents/material.ts';
import { packedColumns } from '#domain/search/documents/packed.ts';
import { copiedFields } from '#test/support/copied.ts';

const record = {
  uri: '/repositories/2/archival_objects/1',
  repository: { ref: '/repositories/2' },
  publish: true,
  display_string: 'Diary',
  linked_agents: [{ ref: '/agents/people/1', role: 'creator' }, { ref: '/agents/people/2' }],
  ancestors: [{ ref: '/repositories/2/resources/1' }],
};
const agent = {
  uri: '/agents/people/1',
  publish: true,
  display_name: { sort_name: 'Zinn, Howard' },
  notes: [{ content: ['Verbose biography'] }],
  agent_contacts: [{ email: 'private@example.org' }],
};
const material = (change: Partial<Material> = {}): Material => ({
  records: [{ kind: 'archival_object', text: JSON.stringify(record), isNew: true }],
  targets: [['/agents/people/1', JSON.stringify(agent)]],
  labels: [['/repositories/2/resources/1', ['Menagerie', 'MS-77']]],
  used: [],
  repositories: [[2, 'Home', true]],
  ...change,
});
const storedOf = (given: Material): readonly any[] => {
  const { rows, heads } = makeDocuments(given);
  return heads.map(({ body }) =>
    JSON.parse(String(copiedFields(rows.subarray(...body))[packedColumns.body.indexOf('stored')])),
  );
};

it('completes refs that were read, without notes and contact details of what is linked', () => {
  const [staff] = storedOf(material());
  expect(staff.creators).toEqual(['Zinn, Howard']);
  const json = JSON.parse(staff.json);
  expect(json.linked_agents[0]._resolved).toEqual({
    uri: '/agents/people/1',
    publish: true,
    display_name: { sort_name: 'Zinn, Howard' },
    agent_contacts: [],
  });
  expect(json.linked_agents[1]).toEqual({ ref: '/agents/people/2' });
});

it('leaves instances out of what is linked, for what they lead to may be suppressed later', () => {
  const accession = {
    uri: '/repositories/2/accessions/1',
    title: 'Gift',
    instances: [{ digital_object: { ref: '/repositories/2/digital_objects/1' } }],
  };
  const event = { jsonmodel_type: 'event', uri: '/repositories/2/events/1', linked_records: [{ ref: accession.uri }] };
  const [stored] = storedOf(
    material({
      records: [{ kind: 'event', text: JSON.stringify(event), isNew: false }],
      targets: [[accession.uri, JSON.stringify(accession)]],
    }),
  );
  expect(JSON.parse(stored.json).linked_records).toEqual([
    { ref: accession.uri, _resolved: { uri: accession.uri, title: 'Gift' } },
  ]);
});

it('takes no container for empty that holds what it does not show', () => {
  const text = JSON.stringify({ uri: '/repositories/2/top_containers/1', collection: [] });
  const emptyOf = (holdsHidden: boolean) =>
    storedOf(material({ records: [{ kind: 'top_container', text, isNew: false, holdsHidden }] }))[0].empty_u_sbool;
  expect([emptyOf(false), emptyOf(true)]).toEqual([[true], [false]]);
});

it('finds by titles of ancestors, and by the identifier of the root', () => {
  const words = new Map(makeDocuments(material()).words);
  expect(['menagerie', 'ms', '77'].map((one) => words.get(one))).toEqual([1, 1, 1]);
});

it('hides from the public what is in an unpublished repository', () => {
  expect(storedOf(material()).map((stored) => [stored.id, stored.publish])).toEqual([[record.uri, true]]);
  expect(
    storedOf(material({ repositories: [[2, 'Home', false]] })).map((stored) => [stored.id, stored.publish]),
  ).toEqual([[record.uri, false]]);
});

it('tells where a record of no repository is used', () => {
  const text = JSON.stringify({ ...agent, used_within_repositories: [] });
  const [stored] = storedOf(
    material({
      records: [{ kind: 'agent_person', text, isNew: false }],
      used: [['/agents/people/1', ['/repositories/2', '/repositories/3'], ['/repositories/2']]],
    }),
  );
  expect([stored.used_within_repository, stored.used_within_published_repository]).toEqual([
    ['/repositories/2', '/repositories/3'],
    ['/repositories/2'],
  ]);
});
