// What is particular to software.
import { expect, test } from 'vitest';
import { agentSoftware } from '#domain/kinds/agent_software.ts';
import { exampleOf, refusal, stored } from '#test/support/make/kind.ts';

test('is titled by maker, name and version', () => {
  expect(
    stored(agentSoftware, {
      names: [{ software_name: 'Soft', version: '2', manufacturer: 'Maker', sort_name_auto_generate: true }],
    }).label,
  ).toBe('Maker Soft 2');
});

test.each([
  ['agent_sources', { source_entry: 'x' }],
  ['agent_record_identifiers', { primary_identifier: true, record_identifier: 'x', source: 'local' }],
  ['agent_conventions_declarations', { descriptive_note: 'x', name_rule: 'local' }],
])('refuses %s', (property, part) => {
  expect(refusal(agentSoftware, exampleOf(agentSoftware, { [property]: [part] }))).toEqual({
    [property]: ['subrecord not allowed for agent software'],
  });
});
