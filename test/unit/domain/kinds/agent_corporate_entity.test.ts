// What is particular to corporate entities.
import { expect, test } from 'vitest';
import { agentCorporateEntity } from '#domain/kinds/agent_corporate_entity.ts';
import { keys, stored } from '#test/support/make/kind.ts';

const corp = { primary_name: 'Corp', subordinate_name_1: 'Div', number: '5', sort_name_auto_generate: true };

test('is titled by its name and the parts below it', () => {
  expect(stored(agentCorporateEntity, { names: [corp] }).label).toBe('Corp. Div, 5');
});

test('is the same with flags that are absent or false', () => {
  expect(keys(agentCorporateEntity, { names: [corp] })).toEqual(
    keys(agentCorporateEntity, { names: [{ ...corp, jurisdiction: false, conference_meeting: false }] }),
  );
  expect(keys(agentCorporateEntity, { names: [corp] })).not.toEqual(
    keys(agentCorporateEntity, { names: [{ ...corp, jurisdiction: true }] }),
  );
});
