// The schemas that clients read: every reference leads to a schema that is there.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textsOf } from '#domain/json.ts';
import { kinds } from '#domain/kinds/index.ts';
import { publishedSchemas } from '#domain/schema/published-schemas.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const schemas = publishedSchemas();

it('holds every kind, and every schema that another refers to', () => {
  expect([...kinds.keys()].filter((name) => !schemas.has(name))).toEqual([]);
  const referred = [...JSON.stringify([...schemas.values()]).matchAll(/"\$ref":"([^"]*)"/g)].map(
    (match) => match[1] ?? '',
  );
  expect(referred.length).toBeGreaterThan(100);
  expect([...new Set(referred)].filter((ref) => !schemas.has(ref.replace('/schemas/', '')))).toEqual([]);
});

it('says what is read-only and where values come from in the words of clients', () => {
  expect(schemas.get('resource')).toMatchObject({
    $id: '/schemas/resource',
    uri: '/repositories/:repo_id/resources',
    properties: { level: { dynamic_enum: 'archival_record_level' }, uri: { readonly: true } },
  });
  expect(schemas.get('extent')).not.toHaveProperty('uri');
});

// Our own file (test/contract/data): objects of bounds by schema and property.
const { schemas: bounds } = JSON.parse(
  readFileSync(new URL('../../../contract/data/bounds.json', import.meta.url), 'utf8'),
) as { schemas: { [schema: string]: { [property: string]: JsonObject } } };

it.each(Object.keys(bounds))('takes and wants as much of each property of %s as clients know', (name) => {
  const schema = schemas.get(name);
  const ours = Object.keys(bounds[name] ?? {}).map((property): [string, JsonObject] => {
    const { minLength, maxLength, minItems } = objectOf(objectOf(schema, 'properties'), property) ?? {};
    const required = textsOf(schema, 'required').includes(property) || undefined;
    return [property, { required, minLength, maxLength, minItems }];
  });
  expect(Object.fromEntries(ours)).toEqual(bounds[name]);
});

// Every property of every schema, with its type, bounds, list, default and targets; the kept ones were compared with the contract's (schemas.json).
it.each([...schemas])('publishes all of %s as it is kept', async (name, schema) => {
  await expectKept(keptText(schema), `schemas/${name}.json`);
});
