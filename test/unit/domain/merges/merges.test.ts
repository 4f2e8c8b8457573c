// Which records a merge request takes (contract trees-and-jobs 4.1, 4.2).
import { expect, it } from 'vitest';
import { toMergeRecords } from '#domain/merges/merges.ts';

it('takes agents of any kinds, each once, and never the one that stays', () => {
  const { survivor, gone } = toMergeRecords(
    'agent',
    '/agents/people/1',
    ['/agents/families/1', '/agents/people/1', '/agents/families/1'],
    null,
  );
  expect([survivor.kind, gone.map((one) => one.kind)]).toEqual(['agent_person', ['agent_family']]);
});

it('refuses other kinds and other repositories', () => {
  expect(() => toMergeRecords('subject', '/subjects/1', ['/agents/people/1'], null)).toThrow(
    'This merge request can only merge subject records',
  );
  expect(() => toMergeRecords('resource', '/repositories/2/resources/1', ['/repositories/3/resources/1'], 2)).toThrow(
    'All records to merge must be in the repository specified',
  );
});
