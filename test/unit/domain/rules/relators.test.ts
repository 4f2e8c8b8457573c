// Relators read from the far side.
import { expect, test } from 'vitest';
import { oppositeLink } from '#domain/rules/relators.ts';

test.each([
  ['is_parent_of', 'is_child_of'],
  ['is_child_of', 'is_parent_of'],
  ['is_earlier_form_of', 'is_later_form_of'],
  ['is_superior_of', 'is_subordinate_to'],
  ['has_part', 'forms_part_of'],
  ['sibling_of', 'sibling_of'],
  ['is_associative_with', 'is_associative_with'],
])('shows %s as %s', (relator, opposite) => {
  const link = { jsonmodel_type: 'x', relator, description: 'd' };
  expect(oppositeLink(link)).toEqual({ jsonmodel_type: 'x', relator: opposite, description: 'd' });
  expect(oppositeLink(oppositeLink(link))).toEqual(link);
});
