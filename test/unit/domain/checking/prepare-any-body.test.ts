// Any body made from the schema of a kind is accepted, has the canonical form, and stays what it is when it is sent again.
// Contract: behaviour-records.md, section 1.4.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepare } from '#domain/checking/prepare.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import type { Schema } from '#domain/schema/property.ts';
import { seededSource } from '#test/support/make/body-source.ts';
import { bodyFor } from '#test/support/make/from-schema.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

describe('any body made from a schema', () => {
  it.each([...kinds.values()].map((kind) => [kind.name, kind] as const))(
    'is accepted as %s, has the canonical form, and stays the same when sent again',
    (_, kind) => {
      fc.assert(
        fc.property(fc.integer(), fc.constantFrom(0.2, 0.5, 1), (seed, share) => {
          const first = prepare(kind, bodyFor(kind.schema, seededSource(seed), share), testContext());
          const text = JSON.stringify(first.body);
          expect(JSON.stringify(prepare(kind, first.body, testContext()).body)).toBe(text);
          expect(text.split('{"jsonmodel_type":').length - 1).toBe(auditedObjects(first.body, kind.schema));
        }),
        { numRuns: 40 },
      );
    },
  );
});

/** How many objects of a body show audit fields, found by its schemas and not by the order of keys. */
function auditedObjects(body: JsonObject, schema: Schema): number {
  const below = Object.entries(schema.properties).map(([name, property]): number => {
    const value = body[name];
    const each = Array.isArray(value) ? value : [value];
    const inner = property.type === 'list' ? property.of : property;
    return each.reduce((sum: number, item: Json | undefined) => {
      if (!isObject(item)) return sum;
      if (inner.type === 'sub_record' || inner.type === 'either') {
        const schemas =
          inner.type === 'sub_record'
            ? inner.of()
            : inner.of.flatMap((choice) => (choice.type === 'sub_record' ? choice.of() : []));
        const of = schemas.find((one) => one.name === item['jsonmodel_type']);
        return sum + (of === undefined ? 0 : auditedObjects(item, of));
      }
      if (inner.type === 'uri_or_object' && inner.of !== undefined) return sum + auditedObjects(item, inner.of());
      return inner.type === 'ref' && inner.properties !== undefined
        ? sum + auditedObjects(item, { name: '', properties: inner.properties })
        : sum;
    }, 0);
  });
  return below.reduce((sum, count) => sum + count, schema.audited === true ? 1 : 0);
}
