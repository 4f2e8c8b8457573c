// Search fields and types of agents.
import { expect, it } from 'vitest';
import { agentSearch } from '#domain/kinds/search/agent.ts';
import { readKindFields } from '#domain/search/documents/kind-fields.ts';

it('takes authority, source and rules from the authorised name', () => {
  expect(
    readKindFields('agent_person', { names: [{ authorized: true, authority_id: 'n1', source: 'naf', rules: 'rda' }] }),
  ).toMatchObject({ authority_id: 'n1', source: 'naf', rules: 'rda', is_user: false });
});

it('prefers the primary identifier to that of the name', () => {
  expect(
    readKindFields('agent_person', {
      names: [{ authorized: true, authority_id: 'n1', source: 'naf' }],
      agent_record_identifiers: [{ primary_identifier: true, record_identifier: 'r1', source: 'local' }],
    }),
  ).toMatchObject({ authority_id: 'r1', source: 'local' });
});

it('is found as an agent, and as one with a user', () => {
  const { types } = agentSearch({});
  expect(types?.({}, {})).toEqual(['agent']);
  expect(types?.({ is_user: 'ann' }, {})).toEqual(['agent', 'agent_with_user']);
});
