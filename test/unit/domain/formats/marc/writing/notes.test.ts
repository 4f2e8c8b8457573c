import { expect, it } from 'vitest';
import { marcText, marcXml } from '#domain/formats/marc/writing/fields.ts';
import { noteFields, notesAsFields, sentence } from '#domain/formats/marc/writing/notes.ts';
import { marcLines } from '#test/support/make/export-context.ts';

it('has a field for each type of the contract', () => {
  const written = Object.keys(noteFields).map(
    (type) =>
      marcLines(
        marcXml({
          leader: '',
          control: [],
          fields: notesAsFields({ notes: [{ type, publish: true, content: ['Text'] }] }),
        }),
      )[0],
  );
  expect(written).toEqual([
    '351 __ $a Text.',
    '351 __ $a Text.',
    '500 __ $a Text.',
    '500 __ $a Dimensions: Text.',
    '500 __ $a Physical Description note: Text.',
    '500 __ $a Material Specific Details: Text.',
    '500 __ $a Location of resource: Text.',
    '500 __ $a Physical Characteristics / Technical Requirements: Text.',
    '500 __ $a Physical Facet: Text.',
    '500 __ $a Processing Information: Text.',
    '500 __ $a Materials Separated from the Resource: Text.',
    '506 __ $a Text.',
    '520 2_ $a Text.',
    '520 3_ $a Text.',
    '524 __ $a Text.',
    '535 1_ $a Text.',
    '535 2_ $a Text.',
    '540 __ $a Text.',
    '540 __ $a Text.',
    '541 1_ $a Text.',
    '544 __ $d Text.',
    '545 __ $a Text.',
    '546 __ $a Text.',
    '555 0_ $a Text.',
    '561 1_ $a Text.',
    '583 1_ $a Text.',
    '584 __ $a Text.',
  ]);
});

it('marks unpublished acquisitions where they are asked for', () =>
  expect(notesAsFields({ notes: [{ type: 'acqinfo', publish: false, content: ['x'] }] })[0]?.ind1).toBe('0'));

it('writes bibliographies by content and item', () =>
  expect(
    notesAsFields({ notes: [{ jsonmodel_type: 'note_bibliography', content: ['a'], items: ['b', 'c'] }] }).map(
      (field) => field.subfields[0]?.[1],
    ),
  ).toEqual(['a.', 'b.', 'c.']));

it('ends texts with a full stop, and takes markup out', () =>
  expect(['a', 'a.', 'a!', 'a?', '<p>b</p>', ' '].map(sentence)).toEqual(['a.', 'a.', 'a!', 'a?', 'b.', '']));

it('keeps addresses in angle brackets, which are no tags', () =>
  expect(marcText('See <http://example.org/a?b=1>, <ann@example.org>, <emph render="bold">x</emph><lb/>y')).toBe(
    'See <http://example.org/a?b=1>, <ann@example.org>, x y',
  ));
