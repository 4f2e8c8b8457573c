// Links that both sides write, as the far side shows them.
import { expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { withInverseRelators } from '#store/records/reading/inverse-relators.ts';

const kind = kindNamed('agent_person');

test('a link seen from its far side has the other relator of the pair', () => {
  const relation = '"jsonmodel_type":"agent_relationship_parentchild","relator":"is_parent_of"';
  const text = `"related_agents":[{"ref":"/agents/people/2","_far":true,${relation}},{"ref":"/agents/people/3",${relation}}],`;
  expect(JSON.parse(`{${withInverseRelators(kind, text).slice(0, -1)}}`)).toMatchObject({
    related_agents: [
      { ref: '/agents/people/2', relator: 'is_child_of' },
      { ref: '/agents/people/3', relator: 'is_parent_of' },
    ],
  });
});

test('text without such links stays as it is', () => {
  expect(withInverseRelators(kind, '"related_agents":[],')).toBe('"related_agents":[],');
});
