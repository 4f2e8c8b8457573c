// Short forms of declarations make plain data.
import { describe, expect, it } from 'vitest';
import { partOf, partsOf, partsOfSaidType, refTo, refsTo } from '#domain/schema/build.ts';
import { agentKinds } from '#domain/kinds/parts/agent-kinds.ts';
import type { Schema } from '#domain/schema/property.ts';

const Part: Schema = { name: 'part', properties: {} };
const of = (): readonly Schema[] => [Part];

describe('short forms', () => {
  it('make sub-records and lists of them', () => {
    expect(partOf(of)).toEqual({ type: 'sub_record', of });
    expect(partsOf(of)).toEqual({ type: 'list', of: { type: 'sub_record', of } });
    expect(partsOfSaidType(of)).toEqual({ type: 'list', of: { type: 'sub_record', of, saysType: true } });
  });

  it('make refs with the properties of the link', () => {
    expect(refTo(['subject'])).toEqual({ type: 'ref', to: ['subject'] });
    expect(refsTo(agentKinds, { role: { type: 'string' } })).toEqual({
      type: 'list',
      of: { type: 'ref', to: agentKinds, properties: { role: { type: 'string' } } },
    });
  });
});
