// Slugs and ARKs at each branch of how they are made, and what a request of a harvester is taken for.
import { describe, expect, it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { ArkName, ArkSettings } from '#domain/identifiers/arks.ts';
import {
  arkAfterSave,
  arkReplacement,
  arkStem,
  arkUniqueness,
  needsNewArk,
  withArkName,
} from '#domain/identifiers/arks.ts';
import { askedIdentifierKeys, identifierKey, identifierText } from '#domain/identifiers/four-parts.ts';
import { planSlug, slugCandidates, slugStem, slugUniqueness } from '#domain/identifiers/slugs.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const on: ArkSettings = {
  isOn: true,
  naan: '99999',
  urlPrefix: 'https://ark.example/',
  delimiter: '-',
  allowsExternal: true,
};
const settings: { readonly [name: string]: ArkSettings } = {
  on,
  off: { ...on, isOn: false },
  'without external names': { ...on, allowsExternal: false },
  'without an address': { ...on, urlPrefix: '' },
};
const stem = arkStem(on, 'b3');
const own = (name: string): string => `https://ark.example/ark:/99999/${name}`;
const asked: { readonly [name: string]: { readonly old: ArkName | null; readonly body: JsonObject } } = {
  'a new record': { old: null, body: {} },
  'a record that has its name': { old: { previous: [], current: own('b3-7'), current_is_external: false }, body: {} },
  'a name of another shoulder': {
    old: { previous: [own('6')], current: own('a1-7'), current_is_external: false },
    body: {},
  },
  'an earlier name that fits': {
    old: { previous: [own('b3-5')], current: own('a1-7'), current_is_external: false },
    body: {},
  },
  'an external name': {
    old: { previous: [], current: own('b3-7'), current_is_external: false },
    body: { external_ark_url: 'https://else.example/ark:/1/x' },
  },
  'a blank external name': { old: null, body: { external_ark_url: '  ' } },
  'an external name that goes': {
    old: { previous: [own('b3-7')], current: 'https://else.example/ark:/1/x', current_is_external: true },
    body: {},
  },
  'an imported own name': {
    old: null,
    body: { import_current_ark: 'ark:/99999/b3-9', import_previous_arks: ['ark:/99999/8', 'ark:/1/y'] },
  },
  'an imported name of elsewhere': { old: null, body: { import_current_ark: 'ark:/1/z' } },
};

describe('names after a save', () => {
  it('are as they are kept', async () => {
    const outcomes = Object.entries(asked).map(([name, each]) => [
      name,
      Object.fromEntries(
        Object.entries(settings).map(([how, used]) => {
          const after = arkAfterSave({ ...each, stem }, used, 42);
          const body = withArkName(each.body, after);
          return [how, [needsNewArk({ ...each, stem }, used), after, body, arkUniqueness.map(({ key }) => key(body))]];
        }),
      ),
    ]);
    await expectKept(keptText(Object.fromEntries(outcomes), 2), 'identifiers/arks.json');
  });

  it('are those that replace them, as far as they may be kept', async () => {
    const old: ArkName = { previous: ['ark:/88888/old'], current: own('b3-7'), current_is_external: false };
    const sent: readonly JsonObject[] = [
      {},
      { current: '' },
      { current: 'ark:/99999/b3-8' },
      { current: 'ark:/99999/b3-7', previous: ['ark:/99999/b3-7', 'ark:/99999/6', 'ark:/99999/6', 'ark:/1/x'] },
      { current: 'ark:/99999/' },
      { current: 'ark:/99999/a b' },
      { current: 'ark:/88888/old' },
      { current: 'ark:/1/x' },
      { current: 'ark:/1/x', current_is_external: true },
      { current: 'ark:/99999/b3-8', current_is_external: true },
    ];
    const replaced = (each: JsonObject, used: ArkSettings): unknown => {
      try {
        return arkReplacement(each, used, old);
      } catch (error) {
        return error instanceof Failure ? error.error : error;
      }
    };
    const outcomes = sent.map((each) => [each, ...Object.values(settings).map((used) => replaced(each, used))]);
    await expectKept(keptText(outcomes, 2), 'identifiers/ark-replacements.json');
  });

  it('begin with the shoulder, where there is one', () => {
    expect([arkStem(on, undefined), arkStem(on, ''), arkStem(on, 'b3')]).toEqual([
      'ark:/99999/',
      'ark:/99999/',
      'ark:/99999/b3-',
    ]);
  });
});

describe('slugs', () => {
  const bodies: { readonly [name: string]: JsonObject } = {
    nothing: {},
    'a title': { title: 'The Mole' },
    'a title, not to be taken': { title: 'The Mole', slug: 'My Mole', is_slug_auto: false },
    'nothing of one’s own': { title: 'The Mole', slug: '!', is_slug_auto: false },
    'an empty slug': { title: 'The Mole', slug: '' },
    names: { title: 'T', names: [{ sort_name: 'First' }, { sort_name: 'Shown', is_display_name: true }] },
    'names, none shown': { names: [{ sort_name: 'First' }, { sort_name: 'Second' }] },
    'an identifier in parts': { title: 'T', id_0: 'PEHB', id_2: '7', component_id: 'C' },
    'a component id': { title: 'T', component_id: 'C.1' },
    'an empty component id': { title: 'T', component_id: '', digital_object_id: 'D 1' },
    'an identifier': { title: 'T', identifier: 'F.2' },
    'an authority id': { title: 'T', authority_id: 'sh 1' },
  };

  it('are planned as is kept', async () => {
    const outcomes = Object.entries(bodies).map(([name, body]) => [
      name,
      Object.fromEntries(
        (['off', 'title', 'identifier'] as const).map((from) => [from, planSlug(body, 'Label', { from })]),
      ),
    ]);
    await expectKept(keptText(Object.fromEntries(outcomes), 2), 'identifiers/slugs.json');
  });

  it('have numbers where they are taken, and are the same without', () => {
    expect(slugCandidates('mole', 0, 3)).toEqual(['mole', 'mole_1', 'mole_2']);
    expect(slugCandidates('mole', 9, 2)).toEqual(['mole_9', 'mole_10']);
    expect(['mole', 'mole_1', 'mole_1_12', 'mole1', '_1', 'mole_', '1'].map(slugStem)).toEqual([
      'mole',
      'mole',
      'mole',
      'mole1',
      '',
      'mole_',
      '1',
    ]);
    expect([{}, { slug: '' }, { slug: 'Mole-É' }].map((body) => slugUniqueness.key(body))).toEqual([
      null,
      null,
      'mole-É',
    ]);
  });
});

it('compares identifiers by all four parts', () => {
  expect([
    identifierKey({}),
    identifierKey({ id_0: 'a', id_2: 'c' }),
    identifierText({ id_0: 'a', id_1: '', id_3: 'd' }),
    identifierText({}),
  ]).toEqual([null, '["a",null,"c",null]', 'a-d', '']);
  expect(
    askedIdentifierKeys([
      '["a"]',
      '["a",null,"c"]',
      '[]',
      '["a","b","c","d","e"]',
      '["a",""]',
      '["a",1]',
      '"a"',
      '["a","b","c","d"]',
    ]),
  ).toEqual(['["a",null,null,null]', '["a",null,"c",null]', '["a","b","c","d"]']);
  expect(() => askedIdentifierKeys(['a'])).toThrow('Had some trouble parsing your request');
});
