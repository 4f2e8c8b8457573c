// What every declaration must keep, whatever the kind: it takes the whole registry.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { derivedPermissions } from '#domain/access/caller.ts';
import type { Kind } from '#domain/kind.ts';
import { allKinds, kinds } from '#domain/kinds/index.ts';
import type { Property } from '#domain/schema/property.ts';
import { exampleOf, stored } from '#test/support/make/kind.ts';

const root = join(import.meta.dirname, '../../../..');
const reference: { permissions: { code: string }[] } = JSON.parse(
  readFileSync(join(root, 'db/reference/permissions.json'), 'utf8'),
);
const codes = new Set([
  ...reference.permissions.map((permission) => permission.code),
  ...Object.keys(derivedPermissions),
  'public',
]);

/** Whether a path without indexes leads to a property, through lists and sub-records. */
function leads(properties: Kind['properties'], path: readonly string[]): boolean {
  const [first = '', ...rest] = path;
  const property = properties[first];
  return property !== undefined && (rest.length === 0 || inside(property).some((inner) => leads(inner, rest)));
}

function inside(property: Property): readonly Kind['properties'][] {
  if (property.type === 'list') return inside(property.of);
  return property.type === 'sub_record' ? property.of().map((schema) => schema.properties) : [];
}

describe.each(allKinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test('accepts its example and gives it a label', () => {
    const { body, label } = stored(kind, exampleOf(kind));
    expect(Object.keys(body)[0]).toBe('jsonmodel_type');
    expect(label).not.toBe('');
  });

  test('stays the same when what is stored is sent again', () => {
    const first = stored(kind, exampleOf(kind));
    const outside = exampleOf(kind);
    const places = Object.fromEntries(
      Object.keys(outside)
        .filter((property) => !(property in first.body))
        .map((property) => [property, outside[property]]),
    );
    expect(stored(kind, { ...first.body, ...places }, first.body)).toEqual(first);
  });

  test('is told in two to five sentences', () => {
    expect(kind.doc.split(/[.:](?=\s|$)/).length).toBeGreaterThan(1);
    expect(kind.doc.match(/\.(?=\s|$)/g)?.length ?? 0).toBeLessThanOrEqual(5);
  });

  test('names permissions that exist', () => {
    expect(Object.values(kind.may).filter((code) => !codes.has(code))).toEqual([]);
  });

  test('names properties that exist in links, mutual links, target checks and rules of uniqueness', () => {
    const paths = [
      ...Object.keys(kind.links ?? {}),
      ...Object.keys(kind.mutual ?? {}),
      ...(kind.targets ?? []).map((target) => target.property),
    ];
    expect(paths.filter((path) => !leads(kind.properties, path.split('.')))).toEqual([]);
    // Keys of the wire that are no properties: database errors, and collisions of ARKs (contract 6.15).
    const properties = (kind.unique ?? [])
      .map((rule) => rule.property)
      .filter((property) => property !== 'db_error' && property !== 'ark');
    expect(
      properties.filter(
        (property) =>
          !leads(
            kind.properties,
            property.split('/').filter((step) => step !== '*'),
          ),
      ),
    ).toEqual([]);
    expect((kind.lookups ?? []).filter((property) => kind.properties[property] === undefined)).toEqual([]);
    expect(kind.reusedBy ?? []).toEqual(
      (kind.reusedBy ?? []).filter((name) => kind.unique?.some((rule) => rule.name === name)),
    );
  });

  test('holds its place in properties of its own', () => {
    if (kind.tree === undefined) return;
    expect(kinds.has(kind.tree.root)).toBe(true);
    expect(kind.properties[kind.tree.rootProperty]).toMatchObject({ type: 'ref', to: [kind.tree.root] });
    expect(Object.keys(kind.properties)).toEqual(
      expect.arrayContaining([kind.tree.rootProperty, 'parent', 'position']),
    );
  });
});

test('gives each kind of node a number of its own', () => {
  const numbers = allKinds.flatMap((kind) => (kind.tree === undefined ? [] : [kind.tree.code]));
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('gives each mutual relation two ends, or one that is its own far side', () => {
  const ends = allKinds.flatMap((kind) =>
    Object.entries(kind.mutual ?? {}).map(([property, link]) => ({
      relation: link.relation,
      kind: kind.name,
      property,
    })),
  );
  const spawned = ends.filter((end) => end.relation === 'spawned').map((end) => `${end.kind}.${end.property}`);
  expect(spawned).toEqual(['accession.related_resources', 'resource.related_accessions']);
  expect(ends.filter((end) => end.relation === 'accession_component_links').map((end) => end.kind)).toEqual([
    'accession',
    'archival_object',
  ]);
});

type Endpoint = {
  readonly method: string;
  readonly path: string;
  readonly permissions: { readonly all_of?: readonly string[] };
};

describe('permissions of the contract', () => {
  const file = join(root, '../shared/contract/endpoints.json');
  const contract: { endpoints: readonly Endpoint[] } | null = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : null;
  if (contract === null)
    console.warn(
      'SKIPPED: the contract is not beside the project, so permissions of declarations are not compared with it',
    );

  const operations = (kind: Kind) => {
    const list = kind.uri.replace('/:id', '');
    return [
      ['GET', kind.uri, kind.may.read],
      ['POST', list, kind.may.create],
      ['POST', kind.uri, kind.may.update],
      // The one route whose id has another name.
      ['DELETE', kind.name === 'repository' ? '/repositories/:repo_id' : kind.uri, kind.may.delete],
      ['POST', `${kind.uri}/publish`, kind.may.publish],
      ['POST', `${kind.uri}/unpublish`, kind.may.unpublish],
      ['POST', `${kind.uri}/suppressed`, kind.may.suppress],
      ['POST', `${kind.uri}/transfer`, kind.may.transfer],
    ] as const;
  };
  // Users, preferences and templates of data entry are checked in their handlers; terms have no routes by id; transfer of a repository is a route of its own.
  const compared = allKinds.filter((kind) => !['user', 'term', 'preference', 'rde_template'].includes(kind.name));

  test.skipIf(contract === null).each(compared.map((kind) => [kind.name, kind] as const))(
    'are those of %s',
    (_, kind) => {
      for (const [method, path, declared] of operations(kind)) {
        const endpoint = contract?.endpoints.find((each) => each.method === method && each.path === path);
        const wanted = endpoint === undefined ? undefined : (endpoint.permissions.all_of?.[0] ?? 'public');
        if (kind.name === 'repository' && path.endsWith('/transfer')) continue;
        expect({ method, path, permission: declared }).toEqual({ method, path, permission: wanted });
      }
    },
  );
});
