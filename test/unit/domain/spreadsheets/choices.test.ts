// The values that a spreadsheet offers.
import { expect, test } from 'vitest';
import { choicesOf } from '#domain/spreadsheets/choices.ts';

test('values come by label, whatever its case, those without one by themselves, and digital objects are no instances', () => {
  let asked = 0;
  const values = ['z', 'a', 'digital_object', 'own'];
  const enumerations = {
    get: (name: string) => {
      asked += 1;
      return name === 'none' ? undefined : { editable: true, values, has: () => true };
    },
  };
  const choices = choicesOf(enumerations, { level: { z: 'alpha', a: 'Zulu' } });
  expect(choices('level').map(({ label }) => label)).toEqual(['alpha', 'digital_object', 'own', 'Zulu']);
  expect(choices('level')[0]).toEqual({ value: 'z', label: 'alpha' });
  expect(asked).toBe(1);
  expect(choices('instance_instance_type').map(({ value }) => value)).not.toContain('digital_object');
  expect(choices('none')).toEqual([]);
});
