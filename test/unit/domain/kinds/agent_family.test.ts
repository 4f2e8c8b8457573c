// What is particular to families.
import { expect, test } from 'vitest';
import { agentFamily } from '#domain/kinds/agent_family.ts';
import { stored } from '#test/support/make/kind.ts';

test('is titled by family name and prefix, its dates of existence left out', () => {
  const dates_of_existence = [
    {
      date_type_structured: 'single',
      date_label: 'existence',
      structured_date_single: { date_role: 'begin', date_expression: '1900' },
    },
  ];
  expect(
    stored(agentFamily, {
      names: [{ family_name: 'Fam', prefix: 'the', sort_name_auto_generate: true }],
      dates_of_existence,
    }).label,
  ).toBe('Fam, the');
});
