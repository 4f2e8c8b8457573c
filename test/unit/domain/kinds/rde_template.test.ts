// What is particular to templates of rapid data entry (contract 6.14).
import { expect, test } from 'vitest';
import { rdeTemplate } from '#domain/kinds/rde_template.ts';
import { exampleOf, refusal, stored } from '#test/support/make/kind.ts';

test('is for components alone', () => {
  expect(refusal(rdeTemplate, exampleOf(rdeTemplate, { record_type: 'resource' }))).toEqual({
    record_type: ["Invalid value 'resource'.  Must be one of: archival_object, digital_object_component"],
  });
});

test('keeps no empty defaults', () => {
  expect(stored(rdeTemplate, exampleOf(rdeTemplate, { defaults: {} })).body).not.toHaveProperty('defaults');
});
