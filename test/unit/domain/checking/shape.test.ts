// One object of a compiled schema: what is sent is cleaned, rules see it so, late rules see it completed.
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#domain/json.ts';
import { newPass } from '#domain/checking/pass.ts';
import type { Shape, Step } from '#domain/checking/shape.ts';
import { walkShape } from '#domain/checking/shape.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  walk: (value: Json) => (value === 'drop' ? undefined : value),
  required: undefined,
  fill: null,
  ...more,
});

function walked(steps: readonly Step[], input: JsonObject, more: Partial<Shape> = {}): JsonObject {
  const pass = newPass(testContext());
  const shape: Shape = {
    name: 'thing',
    typeFirst: true,
    isLink: false,
    isNote: false,
    steps,
    places: new Map(steps.map(({ name }, at) => [name, at])),
    names: new Set(steps.map(({ name }) => name)),
    rules: [],
    lateRules: [],
    ...more,
  };
  const body = walkShape(shape, input, pass);
  return { body, errors: Object.fromEntries(pass.errors), warnings: Object.fromEntries(pass.warnings) };
}

test('properties come in the order of the shape, unknown ones go, absent ones are filled in', () => {
  const { body } = walked([step('a', { fill: () => 1 }), step('b'), step('c')], { c: 'x', b: 'y', other: 'z' });
  expect(JSON.stringify(body)).toBe('{"jsonmodel_type":"thing","a":1,"b":"y","c":"x"}');
});

test('rules see what was sent, and none runs where something required is missing', () => {
  const seen: JsonObject[] = [];
  const rules = [(object: JsonObject) => void seen.push(object)];
  walked([step('a', { fill: () => 1 }), step('b')], { b: 'y' }, { rules, lateRules: rules });
  expect(seen).toEqual([
    { jsonmodel_type: 'thing', b: 'y' },
    { jsonmodel_type: 'thing', a: 1, b: 'y' },
  ]);
  expect(walked([step('b', { required: 'error' })], { b: 'drop' }, { rules })).toMatchObject({
    errors: { b: ['Property is required but was missing'] },
  });
  expect(seen).toHaveLength(2);
});
