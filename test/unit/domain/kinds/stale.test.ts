// Contract: behaviour-records.md, section 1.2: replies to writes say `stale: true` of kinds that generate values, and null of others.
import { expect, test } from 'vitest';
import { kinds } from '#domain/kinds/index.ts';

test('exactly the kinds with generated values are stale after a write', () => {
  expect(
    [...kinds.values()]
      .filter(({ stale }) => stale)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    'accession',
    'agent_corporate_entity',
    'agent_family',
    'agent_person',
    'agent_software',
    'archival_object',
    'classification',
    'classification_term',
    'digital_object',
    'digital_object_component',
    'location',
    'repository',
    'resource',
    'subject',
    'term',
  ]);
});
