// Late rules that follow from a schema's lists.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { lateRulesOf } from '#domain/rules/only-one.ts';
import { refsTo, partsOf } from '#domain/schema/build.ts';
import type { Schema } from '#domain/schema/property.ts';

const Part: Schema = {
  name: 'a_part',
  properties: { best: { type: 'boolean' } },
  onlyOne: { flags: ['best'], in: ['strict'] },
};
const schema = (name: string): Schema => ({
  name,
  properties: {
    parts: partsOf(() => [Part]),
    linked_agents: refsTo(['agent_person'], { is_primary: { type: 'boolean' } }),
    external_documents: { type: 'list', of: { type: 'any' } },
  },
});

function reported(name: string, object: JsonObject): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (const rule of lateRulesOf(schema(name)))
    rule(
      object,
      (path, message) => found.push([path, message]),
      () => undefined,
    );
  return found;
}

describe('lateRulesOf', () => {
  it('lets one entry have a flag, in the kinds that the entry names', () => {
    const parts = [{ best: true }, { best: false }, { best: true }];
    expect(reported('strict', { parts })).toEqual([
      ['parts/2/best', 'A strict can have only one APart defined as: best'],
    ]);
    expect(reported('lax', { parts })).toEqual([]);
  });

  it('lets one linked agent be primary', () => {
    expect(reported('strict', { linked_agents: [{ is_primary: true }, { is_primary: true }] })).toEqual([
      ['linked_agents', 'A strict can have only one primary linked agent'],
    ]);
  });

  it('refuses a document with the title and location of another', () => {
    const external_documents = [
      { title: 'a', location: 'b' },
      { title: 'b', location: 'a' },
      { title: 'a', location: 'b' },
    ];
    expect(reported('strict', { external_documents })).toEqual([
      ['external_documents/2/location', 'location and title must have unique values within a record'],
    ]);
  });
});
