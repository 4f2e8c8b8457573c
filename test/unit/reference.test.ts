// The facts in db/reference against the code that relies on them.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allKinds } from '#domain/kinds/index.ts';
import { derivedPermissions } from '#domain/access/caller.ts';
import type { Property, Schema } from '#domain/schema/property.ts';

type ReferenceList = {
  readonly id: number;
  readonly name: string;
  readonly editable: boolean;
  readonly default: string | null;
  readonly values: readonly string[];
  readonly readonly_values: readonly string[];
};
type Group = { readonly grants: readonly string[]; readonly members?: readonly string[] };
type ReferencePermissions = {
  readonly permissions: readonly {
    readonly code: string;
    readonly level: string;
    readonly derived_from: string | null;
  }[];
  readonly default_groups: { readonly [code: string]: Group };
  readonly global_groups: { readonly [code: string]: Group };
  readonly system_users: { readonly [username: string]: unknown };
};

const read = (name: string): string => readFileSync(new URL(`../../db/reference/${name}`, import.meta.url), 'utf8');
// Both files are written in these shapes.
const lists = JSON.parse(read('enumerations.json')) as readonly ReferenceList[];
const access = JSON.parse(read('permissions.json')) as ReferencePermissions;

function listNames(schema: Schema, seen: Set<Schema> = new Set()): readonly string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const ofProperty = (property: Property): readonly string[] => {
    switch (property.type) {
      case 'string':
        return property.enumeration === undefined ? [] : [property.enumeration];
      case 'list':
        return ofProperty(property.of);
      case 'either':
        return property.of.flatMap(ofProperty);
      case 'sub_record':
        return property.of().flatMap((part) => listNames(part, seen));
      case 'inline':
        return Object.values(property.properties).flatMap(ofProperty);
      case 'ref':
        return Object.values(property.properties ?? {}).flatMap(ofProperty);
      default:
        return [];
    }
  };
  return Object.values(schema.properties).flatMap(ofProperty);
}

describe('controlled lists', () => {
  it('has every list that a schema names', () => {
    const known = new Set(lists.map((list) => list.name));
    const named = new Set(allKinds.flatMap((kind) => listNames(kind.schema)));
    expect(named.size).toBeGreaterThan(60);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it('has ids, names and values once each', () => {
    expect(new Set(lists.map((list) => list.id)).size).toBe(lists.length);
    expect(new Set(lists.map((list) => list.name)).size).toBe(lists.length);
    expect(lists.filter((list) => new Set(list.values).size !== list.values.length)).toEqual([]);
  });

  it('has defaults and protected values among the values', () => {
    expect(
      lists.filter((list) => list.default !== null && !list.values.includes(list.default)).map((list) => list.name),
    ).toEqual([]);
    expect(
      lists
        .filter((list) => list.readonly_values.some((value) => !list.values.includes(value)))
        .map((list) => list.name),
    ).toEqual([]);
  });
});

describe('permissions', () => {
  it('derives what the code derives', () => {
    expect(
      Object.fromEntries(
        access.permissions.flatMap((permission) =>
          permission.derived_from === null ? [] : [[permission.code, permission.derived_from]],
        ),
      ),
    ).toEqual(derivedPermissions);
  });

  it('grants stored codes alone, and those of repositories to their groups', () => {
    const stored = new Map(
      access.permissions
        .filter((permission) => permission.derived_from === null)
        .map((permission) => [permission.code, permission.level]),
    );
    const groups = [...Object.values(access.default_groups), ...Object.values(access.global_groups)];
    expect(groups.flatMap((group) => group.grants).filter((code) => !stored.has(code))).toEqual([]);
    expect(
      Object.values(access.default_groups)
        .flatMap((group) => group.grants)
        .filter((code) => stored.get(code) !== 'repository'),
    ).toEqual([]);
  });

  it('has the members of global groups among the system users', () => {
    expect(
      Object.values(access.global_groups)
        .flatMap((group) => group.members ?? [])
        .filter((name) => access.system_users[name] === undefined),
    ).toEqual([]);
  });
});
