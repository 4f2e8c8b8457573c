import { expect, it } from 'vitest';
import { readControlledValues } from '#domain/search/documents/controlled-values.ts';

const read = (record: Parameters<typeof readControlledValues>[0]): unknown =>
  Object.fromEntries(readControlledValues(record));

it('gives every value of a controlled list once, at any depth, and none of what links show', () => {
  expect([
    ...readControlledValues({
      jsonmodel_type: 'archival_object',
      level: 'file',
      dates: [{ label: 'creation' }, { label: 'creation' }],
      x: { _resolved: { level: 'item' } },
    }),
  ]).toEqual([
    ['level_enum_s', ['file']],
    ['label_enum_s', ['creation']],
  ]);
  expect(read({ jsonmodel_type: 'subject', source: 'lcsh', terms: [{ term: 'Maps', term_type: 'topical' }] })).toEqual({
    source_enum_s: ['lcsh'],
    term_type_enum_s: ['topical'],
  });
  expect(
    read({
      jsonmodel_type: 'archival_object',
      instances: [
        {
          instance_type: 'text',
          sub_container: { type_2: 'folder', top_container: { ref: '/x', _resolved: { type: 'box' } } },
        },
      ],
      notes: [{ jsonmodel_type: 'note_multipart', type: 'odd' }],
    }),
  ).toEqual({ instance_type_enum_s: ['text'], type_2_enum_s: ['folder'], type_enum_s: ['odd'] });
});

it('takes no free text for a value: sources of external ids, labels of digital components, levels of what is above', () => {
  expect(
    read({
      jsonmodel_type: 'archival_object',
      level: 'file',
      ancestors: [{ ref: '/x', level: 'series' }],
      external_ids: [{ jsonmodel_type: 'external_id', external_id: '1', source: 'old system' }],
    }),
  ).toEqual({ level_enum_s: ['file'] });
  expect(read({ jsonmodel_type: 'digital_object_component', label: 'p. 1' })).toEqual({});
});

it('takes none from contact details', () => {
  const contact = { salutation: 'ms', telephones: [{ number: '7', number_type: 'home' }] };
  const person = {
    jsonmodel_type: 'agent_person',
    agent_contacts: [contact],
    agent_genders: [{ gender: 'not_specified' }],
  };
  expect(read(person)).toEqual({ gender_enum_s: ['not_specified'] });
});
