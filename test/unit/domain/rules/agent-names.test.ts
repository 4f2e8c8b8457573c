// Flags, merging and sort names of an agent's names, and what makes agents the same.
// Contract: behaviour-records.md, section 6.1.
import { describe, expect, test } from 'vitest';
import { agentDigest, authorityIds, completeNames, displayNameOf, withSortNames } from '#domain/rules/agent-names.ts';

const person = (primary_name: string, more: object = {}) => ({
  jsonmodel_type: 'name_person',
  primary_name,
  name_order: 'direct',
  ...more,
});

/** Names in short: text, and A where authorised, D where shown. */
const short = (names: readonly { readonly [property: string]: unknown }[]): readonly string[] =>
  names.map(
    (name) =>
      `${String(name['primary_name'])}${name['authorized'] === true ? ' A' : ''}${name['is_display_name'] === true ? ' D' : ''}`,
  );

describe('completeNames', () => {
  test.each([
    ['the first is authorised and shown', [person('a'), person('b')], ['a A D', 'b']],
    ['the authorised one is shown', [person('a'), person('b', { authorized: true })], ['a', 'b A D']],
    [
      'flags that are given stay',
      [person('a', { is_display_name: true }), person('b', { authorized: true })],
      ['a D', 'b A'],
    ],
    ['equal names become one', [person('a'), person('b'), person('a')], ['a A D', 'b']],
    [
      'the merged one keeps both flags',
      [person('a', { authorized: true }), person('b'), person('a', { is_display_name: true })],
      ['a A D', 'b'],
    ],
    ['names of other sources differ', [person('a'), person('a', { source: 'local' })], ['a A D', 'a']],
  ])('%s', (_, names, expected) => {
    expect(short(completeNames('agent_person', names))).toEqual(expected);
  });

  const common = ['dates', 'qualifier', 'source', 'rules'];
  test.each([
    [
      'agent_person',
      ['primary_name', 'title', 'name_order', 'prefix', 'rest_of_name', 'suffix', 'fuller_form', 'number', ...common],
    ],
    ['agent_family', ['family_name', 'prefix', 'location', 'family_type', ...common]],
    [
      'agent_corporate_entity',
      [
        'primary_name',
        'subordinate_name_1',
        'subordinate_name_2',
        'number',
        'location',
        'conference_meeting',
        'jurisdiction',
        ...common,
      ],
    ],
    ['agent_software', ['software_name', 'version', 'manufacturer', ...common]],
  ] as const)('names of an %s differ by each of the fields that make them', (kind, fields) => {
    const name = Object.fromEntries(fields.map((field) => [field, 'a']));
    for (const field of fields) {
      expect([field, completeNames(kind, [name, { ...name, [field]: 'b' }]).length]).toEqual([field, 2]);
      expect([field, completeNames(kind, [name, { ...name, [field]: null }]).length]).toEqual([field, 2]);
    }
    expect(completeNames(kind, [name, { ...name, authority_id: 'x' }])).toHaveLength(1);
  });

  test('a name without a flag is that with the flag off, and use dates count by their kinds alone', () => {
    const name = { jsonmodel_type: 'name_corporate_entity', primary_name: 'a' };
    const of = (...names: readonly object[]): number =>
      completeNames(
        'agent_corporate_entity',
        names.map((more) => ({ ...name, ...more })),
      ).length;
    expect(of({}, { conference_meeting: false })).toBe(1);
    expect(of({}, { conference_meeting: true })).toBe(2);
    const usage = (date_type_structured: string, more: object = {}) => ({
      use_dates: [{ date_type_structured, date_label: 'usage', ...more }],
    });
    expect(of({}, usage('single'))).toBe(2);
    expect(of(usage('single'), usage('range'))).toBe(2);
    expect(of(usage('single', { date_certainty: 'x' }), usage('single'))).toBe(1);
  });

  test('prefers the authorised of equal names', () => {
    const names = completeNames('agent_person', [
      person('a', { authority_id: 'x' }),
      person('a', { authorized: true, authority_id: 'y' }),
    ]);
    expect(names.map((name) => name['authority_id'])).toEqual(['y']);
  });

  test('keeps jsonmodel_type first, which the stored text relies on', () => {
    expect(Object.keys(completeNames('agent_person', [person('a')])[0] ?? {})[0]).toBe('jsonmodel_type');
  });
});

describe('withSortNames', () => {
  const born = { structured_date_single: { date_expression: '1900' } };

  test('leaves a name that is not generated as it is', () => {
    expect(
      withSortNames('agent_person', [person('a', { sort_name: 'Z', sort_name_auto_generate: false })], [])[0]?.[
        'sort_name'
      ],
    ).toBe('Z');
  });

  test('adds the date of existence to the shown name alone, and not beside dates of its own', () => {
    const names = withSortNames(
      'agent_person',
      [person('a', { is_display_name: true }), person('b'), person('c', { is_display_name: true, dates: '1901' })],
      [born],
    );
    expect(names.map((name) => name['sort_name'])).toEqual(['a (1900)', 'b', 'c, 1901']);
  });

  test('names parallel names too', () => {
    const names = withSortNames('agent_person', [person('a', { parallel_names: [person('b')] })], []);
    expect(names[0]?.['parallel_names']).toMatchObject([{ sort_name: 'b' }]);
  });
});

describe('agentDigest', () => {
  const base = {
    names: [person('a', { authorized: true, source: 'local' }), person('b')],
    dates_of_existence: [
      { date_type_structured: 'single', date_label: 'existence', structured_date_single: { date_expression: '1900' } },
    ],
    agent_contacts: [{ name: 'Desk' }, { name: 'Door' }],
    notes: [
      {
        jsonmodel_type: 'note_bioghist',
        persistent_id: '1',
        publish: true,
        subnotes: [{ jsonmodel_type: 'note_text', content: 'x', publish: true }],
      },
    ],
  };
  const digest = agentDigest('agent_person', base);

  test.each([
    [
      'another authority id',
      { names: [person('a', { authorized: true, source: 'local', authority_id: 'x' }), person('b')] },
    ],
    [
      'another name that is not authorised',
      { names: [person('a', { authorized: true, source: 'local' }), person('c')] },
    ],
    [
      'other words in a date of the same type',
      { dates_of_existence: [{ date_type_structured: 'single', date_label: 'existence' }] },
    ],
    ['another order of contacts', { agent_contacts: [{ name: 'Door' }, { name: 'Desk' }] }],
    [
      'other ids and flags in notes',
      {
        notes: [
          {
            publish: false,
            jsonmodel_type: 'note_bioghist',
            persistent_id: '2',
            subnotes: [{ jsonmodel_type: 'note_text', content: 'x', publish: false }],
          },
        ],
      },
    ],
  ])('is the same with %s', (_, change) => {
    expect(agentDigest('agent_person', { ...base, ...change })).toBe(digest);
  });

  test.each([
    ['another authorised name', { names: [person('z', { authorized: true, source: 'local' })] }],
    ['another source', { names: [person('a', { authorized: true, source: 'naf' })] }],
    ['another kind of date', { dates_of_existence: [{ date_type_structured: 'range', date_label: 'existence' }] }],
    ['another contact', { agent_contacts: [{ name: 'Desk' }] }],
    ['another note', { notes: [] }],
    ['a document', { external_documents: [{ title: 't', location: 'l' }] }],
  ])('differs with %s', (_, change) => {
    expect(agentDigest('agent_person', { ...base, ...change })).not.toBe(digest);
  });
});

test('gives each authority id once, at the place of the name that has it first', () => {
  expect(
    authorityIds({
      names: [
        person('a', { authority_id: 'x' }),
        person('b'),
        person('c', { authority_id: 'x' }),
        person('d', { authority_id: 'y' }),
      ],
    }),
  ).toEqual(['x', null, null, 'y']);
});

test('shows the display name, else the authorised one', () => {
  expect(displayNameOf({ names: [person('a'), person('b', { authorized: true })] })?.['primary_name']).toBe('b');
  expect(displayNameOf({})).toBeUndefined();
});
