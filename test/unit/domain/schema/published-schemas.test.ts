// The schemas that clients read: every reference leads to a schema that is there.
import { expect, it } from 'vitest';
import { kinds } from '#domain/kinds/index.ts';
import { publishedSchemas } from '#domain/schema/published-schemas.ts';

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
