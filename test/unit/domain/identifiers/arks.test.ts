// ARKs after a save, and what is kept of a set that replaces them (contract 6.15).
import { describe, expect, it } from 'vitest';
import type { ArkSettings } from '#domain/identifiers/arks.ts';
import { arkAfterSave, arkKey, arkReplacement, arkStem, arkUniqueness, needsNewArk } from '#domain/identifiers/arks.ts';

const settings: ArkSettings = {
  isOn: true,
  naan: '12345',
  urlPrefix: 'https://a.example',
  delimiter: '-',
  allowsExternal: true,
};
const stem = arkStem(settings, undefined);
const own = (number: number): string => `https://a.example/ark:/12345/${number}`;

describe('after a save', () => {
  it('a record without a name gets one, of the number given', () => {
    const asked = { old: null, body: {}, stem };
    expect(needsNewArk(asked, settings)).toBe(true);
    expect(arkAfterSave(asked, settings, 7)).toEqual({ previous: [], current: own(7), current_is_external: false });
  });

  it('a name that fits stays, also where the address in front changed', () => {
    const asked = {
      old: { previous: [], current: 'http://old.example/ark:/12345/7', current_is_external: false },
      body: {},
      stem,
    };
    expect(needsNewArk(asked, settings)).toBe(false);
    expect(arkAfterSave(asked, settings, null)).toEqual({ previous: [], current: own(7), current_is_external: false });
  });

  it('the shoulder of the repository makes another name, and the old one is kept', () => {
    const asked = {
      old: { previous: [], current: own(7), current_is_external: false },
      body: {},
      stem: arkStem(settings, 'sh'),
    };
    expect(needsNewArk(asked, settings)).toBe(true);
    expect(arkAfterSave(asked, settings, 8)).toEqual({
      previous: [own(7)],
      current: 'https://a.example/ark:/12345/sh-8',
      current_is_external: false,
    });
  });

  it('imported names are taken over: a foreign one as external, own ones as they are', () => {
    const body = {
      import_current_ark: 'https://b.example/ark:/9/x',
      import_previous_arks: ['ark:/12345/3', 'ark:/9/old'],
    };
    expect(arkAfterSave({ old: null, body, stem }, settings, null)).toEqual({
      previous: [own(3)],
      current: 'https://b.example/ark:/9/x',
      current_is_external: true,
    });
    expect(arkAfterSave({ old: null, body: { import_current_ark: 'ark:/12345/4' }, stem }, settings, null)).toEqual({
      previous: [],
      current: own(4),
      current_is_external: false,
    });
  });

  it.each(['', ' ', '\n'])('an external name of blanks (%j) is none', (external_ark_url) => {
    const asked = { old: null, body: { external_ark_url }, stem };
    expect(needsNewArk(asked, settings)).toBe(true);
    expect(arkAfterSave(asked, settings, 7)).toEqual({ previous: [], current: own(7), current_is_external: false });
  });

  it('external names are ignored where they are not allowed', () => {
    expect(
      arkAfterSave(
        { old: null, body: { external_ark_url: 'ark:/9/x' }, stem },
        { ...settings, allowsExternal: false },
        5,
      )?.current,
    ).toBe(own(5));
  });

  it('nothing changes where ARKs are off', () => {
    const old = { previous: [], current: 'x', current_is_external: true };
    expect(
      arkAfterSave({ old, body: { external_ark_url: 'ark:/9/x' }, stem }, { ...settings, isOn: false }, null),
    ).toBe(old);
  });
});

describe('a set that replaces the names', () => {
  it('loses a current name that is neither ours, nor flagged external, where external ones are not allowed', () => {
    const strict = { ...settings, allowsExternal: false };
    expect(arkReplacement({ current: 'ark:/9/x' }, strict, null)).toBeNull();
    expect(arkReplacement({ current: 'anything at all', current_is_external: true }, strict, null)).toEqual({
      previous: [],
      current: 'anything at all',
      current_is_external: true,
    });
    expect(
      arkReplacement({ current: 'ark:/12345/1', previous: ['ark:/12345/1', 'ark:/12345/2', 'ark:/9/3'] }, strict, null),
    ).toEqual({ previous: [own(2)], current: own(1), current_is_external: false });
  });
});

describe('uniqueness', () => {
  it('compares from ark: on, and tells external names from own ones', () => {
    expect(arkKey('https://x.example/ark:/1/2')).toBe('ark:/1/2');
    const body = { ark_name: { current: 'https://x.example/ark:/1/2', current_is_external: true, previous: [own(1)] } };
    expect(arkUniqueness.map((rule) => [rule.property, rule.key(body)])).toEqual([
      ['external_ark_url', ['ark:/1/2']],
      ['ark', ['ark:/12345/1']],
    ]);
  });

  it('names that the record was given under an earlier naming stay its own', () => {
    const old = { previous: ['ark:/77/2'], current: 'ark:/77/1', current_is_external: false };
    const shown = (number: number): string => `https://a.example/ark:/77/${number}`;
    expect(arkReplacement({ ...old, previous: ['ark:/77/2', 'ark:/77/3'] }, settings, old)).toEqual({
      previous: [shown(2)],
      current: shown(1),
      current_is_external: false,
    });
    expect(arkReplacement({ current: own(1), previous: ['ark:/77/1', 'ark:/77/2'] }, settings, old)).toEqual({
      previous: [shown(1), shown(2)],
      current: own(1),
      current_is_external: false,
    });
    expect(arkReplacement({ current: 'ark:/77/1' }, settings, null)).toMatchObject({ current_is_external: true });
    // An external one is not theirs by having been stored.
    const external = { previous: [], current: 'ark:/9/x', current_is_external: true };
    expect(arkReplacement({ current: own(1), previous: ['ark:/9/x'] }, settings, external)?.previous).toEqual([]);
  });
});
