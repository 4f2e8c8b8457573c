// Schemas as OpenAPI components: complete, linked, and saying what the declarations say.
import { describe, expect, it } from 'vitest';
import type { Json } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { allKinds } from '#domain/kinds/index.ts';
import { componentRef, toJsonSchema } from '#domain/schema/json-schema.ts';
import type { Schema } from '#domain/schema/property.ts';

function refsIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$ref' && typeof item === 'string' ? [item] : refsIn(item),
  );
}

describe('toJsonSchema', () => {
  it.each(allKinds.map((kind) => [kind.name, kind] as const))(
    'gives every component that %s refers to',
    (name, kind) => {
      const components = toJsonSchema(kind.schema);
      const known = new Set(Object.keys(components).map((component) => componentRef(component)['$ref']));
      expect(known.has(`#/components/schemas/${name}`)).toBe(true);
      expect(refsIn(components).filter((ref) => !known.has(ref))).toEqual([]);
    },
  );

  it('says types, limits, lists, refs and defaults', () => {
    const part: Schema = {
      name: 'part',
      properties: { parts: { type: 'list', of: { type: 'sub_record', of: () => [part] } } },
    };
    const schema: Schema = {
      name: 'thing',
      audited: true,
      properties: {
        title: { type: 'string', maxLength: 9, pattern: '\\Ax\\z', required: 'error' },
        level: { type: 'string', enumeration: 'levels', release: 'R-B' },
        shown: { type: 'boolean', readonly: true, default: true },
        agents: {
          type: 'list',
          of: { type: 'ref', to: ['agent_person'], properties: { role: { type: 'string', required: 'error' } } },
          minItems: 1,
        },
        part: { type: 'sub_record', of: () => [part] },
      },
    };
    const { thing, part: component } = toJsonSchema(schema);
    expect(component).toMatchObject({
      properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/part' } } },
    });
    expect(thing).toMatchObject({
      required: ['title'],
      properties: {
        jsonmodel_type: { const: 'thing' },
        title: { type: 'string', maxLength: 9, pattern: '^x$' },
        level: { type: 'string', 'x-enumeration': 'levels', 'x-release': 'R-B' },
        shown: { type: 'boolean', readOnly: true, default: true },
        agents: {
          type: 'array',
          minItems: 1,
          items: { required: ['ref', 'role'], properties: { ref: { 'x-refers-to': ['agent_person'] } } },
        },
        part: { $ref: '#/components/schemas/part' },
        create_time: { format: 'date-time', readOnly: true },
      },
    });
  });
});
