// Note bodies: attributes and texts longer than one may be.
import { expect, test } from 'vitest';
import { multipartNote, singlepartNote, textSubnotes } from '#domain/formats/reading/note-records.ts';

const node = { name: 'odd', attributes: [{ name: 'id', local: 'id', value: 'n1' }], children: [], line: 1 };

test('takes publish and persistent_id from the element, or publish as given', () => {
  expect(singlepartNote('abstract', 'x', node)).toEqual({
    jsonmodel_type: 'note_singlepart',
    type: 'abstract',
    content: ['x'],
    publish: true,
    persistent_id: 'n1',
  });
  expect(singlepartNote('abstract', 'x', undefined, false)).toMatchObject({ publish: false });
  expect(multipartNote('odd', 'x', node)).toMatchObject({
    type: 'odd',
    subnotes: [{ content: 'x' }],
    persistent_id: 'n1',
  });
});

test('parts a text of more than 65,000 characters between paragraphs', () => {
  const paragraph = 'x'.repeat(40_000);
  expect(textSubnotes(`${paragraph}\n\n${paragraph}`, true).map((note) => String(note['content']).length)).toEqual([
    40_000, 40_000,
  ]);
});
