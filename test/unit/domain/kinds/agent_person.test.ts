// What is particular to persons, and what all agents do: names, the shown name, uniqueness.
// Contract: behaviour-records.md, section 6.1.
import { describe, expect, test } from 'vitest';
import { agentPerson } from '#domain/kinds/agent_person.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

const name = (primary_name: string, more: object = {}) => ({
  primary_name,
  name_order: 'inverted',
  sort_name_auto_generate: true,
  ...more,
});

describe('a stored person', () => {
  test('is titled by the sort name of the shown name', () => {
    const { body, label } = stored(agentPerson, {
      names: [name('Able', { rest_of_name: 'Ann' }), name('Baker', { is_display_name: true, rest_of_name: 'Bea' })],
    });
    expect(label).toBe('Baker, Bea');
    expect(body['display_name']).toMatchObject({
      jsonmodel_type: 'name_person',
      sort_name: 'Baker, Bea',
      is_display_name: true,
    });
    expect(body['names']).toMatchObject([
      { authorized: true, is_display_name: false },
      { authorized: false, is_display_name: true },
    ]);
    expect(body['agent_type']).toBe('agent_person');
  });

  test('takes its date of existence into the sort name', () => {
    const dates_of_existence = [
      {
        date_type_structured: 'single',
        date_label: 'existence',
        structured_date_single: { date_role: 'begin', date_expression: '1900' },
      },
    ];
    expect(stored(agentPerson, { names: [name('Able')], dates_of_existence }).label).toBe('Able (1900)');
  });

  test('gives its publish flag to the parts that follow it', () => {
    const agent_occupations = [{ publish: false, subjects: [{ ref: '/subjects/1' }] }];
    expect(
      stored(agentPerson, { names: [name('Able')], publish: true, agent_occupations }).body['agent_occupations'],
    ).toMatchObject([{ publish: true }]);
  });

  test('leaves the flags of its parts where it is made of a stored body, which does not tell its own', () => {
    const agent_occupations = [{ publish: false, subjects: [{ ref: '/subjects/1' }] }];
    const { body } = stored(agentPerson, { names: [name('Able')], publish: true, agent_occupations });
    const revised = agentPerson.generate?.(body, { newHexId: () => '', publishDefault: false }, body);
    expect(revised?.['agent_occupations']).toEqual(body['agent_occupations']);
  });

  test('stays system generated on update, which clients cannot say', () => {
    expect(
      stored(agentPerson, { names: [name('Able')], system_generated: false }, { system_generated: true }).body[
        'system_generated'
      ],
    ).toBe(true);
    expect(stored(agentPerson, { names: [name('Able')], system_generated: true }).body).not.toHaveProperty(
      'system_generated',
    );
  });
});

test('refuses dates of existence with another label', () => {
  const dates_of_existence = [
    {
      date_type_structured: 'single',
      date_label: 'creation',
      structured_date_single: { date_role: 'begin', date_expression: '1900' },
    },
  ];
  expect(refusal(agentPerson, { names: [name('Able')], dates_of_existence })).toEqual({
    dates_of_existence: ["Label must be 'existence' in this context"],
  });
});

test('refuses two authorised names', () => {
  expect(
    refusal(agentPerson, { names: [name('Able', { authorized: true }), name('Baker', { authorized: true })] }),
  ).toEqual({
    'names/1/authorized': ['A agent_person can have only one NamePerson defined as: authorized'],
  });
});

describe('uniqueness', () => {
  test('compares content whatever the authority id, and authority ids of all agents', () => {
    const one = keys(agentPerson, { names: [name('Able', { source: 'local', authority_id: 'x' })] });
    const other = keys(agentPerson, { names: [name('Able', { source: 'local', authority_id: 'y' })] });
    expect(one['agent_person.identity']).toEqual(other['agent_person.identity']);
    expect([one['agent.authority_id'], other['agent.authority_id']]).toEqual([[' x'], [' y']]);
  });

  test('leaves out agents of users', () => {
    const rule = agentPerson.unique?.find((each) => each.name === 'agent_person.identity');
    expect(rule?.key({ ...exampleOf(agentPerson), system_generated: true })).toBeNull();
  });
});

test('shows a child to its parent as one', () => {
  const link = { jsonmodel_type: 'agent_relationship_parentchild', relator: 'is_parent_of', ref: '/agents/people/2' };
  expect(agentPerson.mutual?.['related_agents']?.inverse?.(link)).toEqual({ ...link, relator: 'is_child_of' });
});
