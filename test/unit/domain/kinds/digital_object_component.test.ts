// What is particular to components of digital objects.
import { expect, test } from 'vitest';
import { digitalObjectComponent } from '#domain/kinds/digital_object_component.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

const dates = [{ date_type: 'single', label: 'creation', begin: '1900' }];

test.each([
  [{ title: 'T', label: 'L', dates }, 'T, 1900'],
  [{ title: '', label: 'L', dates }, 'L1900'],
  [{ title: '', dates }, '1900'],
])('is labelled as clients know it: %o', (changes, label) => {
  expect(stored(digitalObjectComponent, exampleOf(digitalObjectComponent, changes)).label).toBe(label);
});

test('is refused without title, label and date', () => {
  const message = ['you must provide a label, title or date'];
  expect(refusal(digitalObjectComponent, exampleOf(digitalObjectComponent, { title: '' }))).toEqual({
    dates: message,
    title: message,
    label: message,
  });
});

test('has a component id that is unique in its digital object', () => {
  expect(keys(digitalObjectComponent, exampleOf(digitalObjectComponent, { component_id: 'c1' }))).toEqual({
    'digital_object_component.component_id': ['/repositories/2/digital_objects/1 c1'],
  });
  expect(keys(digitalObjectComponent, exampleOf(digitalObjectComponent))).toEqual({});
});
