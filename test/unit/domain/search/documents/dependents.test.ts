import { expect, it } from 'vitest';
import { toShownDigest, toTargets, uriOfTarget } from '#domain/search/documents/dependents.ts';

const record = { title: 'Papers', publish: true, notes: [{ content: ['x'] }], user_mtime: '2026-01-01T00:00:00Z' };

it('stays the same where nothing that others show has changed', () => {
  expect(toShownDigest('accession', { ...record, notes: [], user_mtime: '2026-02-02T00:00:00Z' }, true)).toBe(
    toShownDigest('accession', record, true),
  );
  const named = (time: string) =>
    toShownDigest('accession', { display_name: { sort_name: 'A', create_time: time, system_mtime: time } }, true);
  expect(named('2026-01-01T00:00:00Z')).toBe(named('2026-02-02T00:00:00Z'));
  const filed = (time: string) =>
    toShownDigest('digital_object', { file_versions: [{ file_uri: 'a', create_time: time, user_mtime: time }] }, true);
  expect(filed('2026-01-01T00:00:00Z')).toBe(filed('2026-02-02T00:00:00Z'));
});

it.each([
  { title: 'Letters' },
  { suppressed: true },
  { has_unpublished_ancestor: true },
  { barcode: '1' },
  { ancestors: [{ ref: '/repositories/2/resources/1' }] },
])('changes with %j', (change) => {
  expect(toShownDigest('accession', { ...record, ...change }, true)).not.toBe(toShownDigest('accession', record, true));
});

it('changes where the public sees the record no more', () => {
  expect(toShownDigest('accession', record, false)).not.toBe(toShownDigest('accession', record, true));
});

it('gives the agents, subjects, containers and digital objects of a record, once each, not those of what it links to', () => {
  expect(
    toTargets({
      subjects: [{ ref: '/subjects/2' }, { ref: '/subjects/2' }],
      resource: { ref: '/repositories/2/resources/1' },
      linked_agents: [{ ref: '/agents/people/1', _resolved: { related_agents: [{ ref: '/agents/people/9' }] } }],
      instances: [
        { sub_container: { top_container: { ref: '/repositories/2/top_containers/3' } } },
        { digital_object: { ref: '/repositories/2/digital_objects/4' } },
      ],
    }),
  ).toEqual([
    '/agents/people/1',
    '/repositories/2/digital_objects/4',
    '/repositories/2/top_containers/3',
    '/subjects/2',
  ]);
});

it('gives what shows the record on its far side: ends of links that both sides write, and the records of an event', () => {
  const [one, two] = ['/repositories/2/accessions/1', '/repositories/2/resources/2'];
  expect(
    toTargets({
      jsonmodel_type: 'accession',
      related_accessions: [{ ref: one }],
      related_resources: [{ ref: two }],
      repository: { ref: '/repositories/2' },
    }),
  ).toEqual([one, two]);
  expect(
    toTargets({
      jsonmodel_type: 'event',
      linked_records: [{ ref: one, role: 'source', _resolved: { related_resources: [{ ref: two }] } }],
    }),
  ).toEqual([one]);
  expect(toTargets({ jsonmodel_type: 'assessment', records: [{ ref: one }] })).toEqual([]);
});

it('gives with agents the roles that they have, each once, and takes them off again', () => {
  const [one, two] = ['/agents/people/1', '/agents/families/2'];
  const targets = toTargets({
    linked_agents: [
      { ref: one, role: 'creator' },
      { ref: one, role: 'subject' },
      { ref: one, role: 'creator' },
      { ref: two },
    ],
  });
  expect(targets).toEqual([two, `${one} creator`, `${one} subject`]);
  expect(targets.map(uriOfTarget)).toEqual([two, one, one]);
});
