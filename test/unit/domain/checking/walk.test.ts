// Shapes that no kind of today has: mixed lists, free objects, sub-records that must say their type.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#domain/json.ts';
import { newPass } from '#domain/checking/pass.ts';
import { walkRecord } from '#domain/checking/walk.ts';
import { partOf, partsOf, partsOfSaidType } from '#domain/schema/build.ts';
import type { Schema } from '#domain/schema/property.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const Level: Schema = {
  name: 'level',
  properties: { items: { type: 'list', of: { type: 'either', of: [{ type: 'string' }, partOf(() => [Level])] } } },
};
const Thing: Schema = {
  name: 'thing',
  audited: true,
  properties: {
    levels: partsOf(() => [Level]),
    said: partsOfSaidType(() => [Level]),
    size: {
      type: 'inline',
      properties: { wide: { type: 'integer', required: 'error' }, colour: { type: 'string', default: 'red' } },
    },
    shown: { type: 'boolean', readonly: true, default: true },
    hidden: { type: 'list', of: { type: 'string' }, readonly: true },
    note: { type: 'string', required: 'warn' },
  },
  lateRules: [
    (object, report) => {
      if (object['shown'] === true && object['note'] === 'late') report('note', 'is late');
    },
  ],
};

function walked(input: JsonObject): {
  readonly body: JsonObject;
  readonly errors: { readonly [path: string]: readonly string[] };
  readonly warnings: readonly string[];
  readonly late: readonly string[];
} {
  const pass = newPass(testContext());
  const body = walkRecord(Thing, input, pass);
  return {
    body,
    errors: Object.fromEntries(pass.errors),
    warnings: [...pass.warnings.keys()],
    late: [...pass.lateErrors.keys()],
  };
}

describe('walkRecord', () => {
  it('puts jsonmodel_type first in audited objects and last in others', () => {
    expect(JSON.stringify(walked({ levels: [{ items: ['a'] }], note: 'x' }).body)).toBe(
      '{"jsonmodel_type":"thing","levels":[{"items":["a"],"jsonmodel_type":"level"}],"said":[],"shown":true,"note":"x"}',
    );
  });

  it('takes texts and sub-records in one list, and nothing else', () => {
    const items: readonly Json[] = ['a', { items: ['b'] }, 5];
    expect(walked({ levels: [{ items }] }).errors).toEqual({
      'levels/0/items/2': ['Must be one of: string, object (you provided a Integer)'],
    });
  });

  it('asks for jsonmodel_type where a single schema must be said', () => {
    expect(() => walked({ said: [{ items: ['a'] }] })).toThrow("Can't unambiguously match");
    expect(walked({ said: [{ jsonmodel_type: 'level', items: ['a'] }] }).errors).toEqual({});
  });

  it('cleans and completes inline objects, and drops empty ones', () => {
    expect(walked({ size: { wide: 3, odd: 1 } }).body['size']).toEqual({ wide: 3, colour: 'red' });
    expect(walked({ size: { odd: 1 } }).body).not.toHaveProperty('size');
    expect(walked({ size: { colour: 'blue' } }).errors).toEqual({
      'size/wide': ['Property is required but was missing'],
    });
    expect(walked({ size: 'big' }).errors).toEqual({ size: ['Must be a object (you provided a String)'] });
  });

  it('fills in read-only defaults, and leaves read-only lists to the service', () => {
    const body = walked({ shown: false, hidden: ['x'] }).body;
    expect(body['shown']).toBe(true);
    expect(body).not.toHaveProperty('hidden');
  });

  it('warns where a property should be there, and shows late rules the completed object', () => {
    expect(walked({}).warnings).toEqual(['note']);
    expect(walked({ note: 'late' }).late).toEqual(['note']);
  });
});
