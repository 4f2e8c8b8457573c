// What is marked internal, and what stands inside it.
import { expect, it } from 'vitest';
import { asInternal, inAudienceOf, isPublic } from '#domain/formats/xml/audience.ts';
import type { XmlNode } from '#domain/formats/xml/tree.ts';

const node = (audience?: string): XmlNode => ({
  name: 'p',
  line: 1,
  attributes: audience === undefined ? [] : [{ name: 'audience', local: 'audience', value: audience }],
  children: [],
});

it('takes what says nothing for public, and a part of something internal for internal whatever it says', () => {
  expect([node(), node('external'), node('internal')].map(isPublic)).toEqual([true, true, false]);
  expect(isPublic(asInternal(node('external')))).toBe(false);
  expect(isPublic(inAudienceOf(node('internal'), node('external')))).toBe(false);
  expect(isPublic(inAudienceOf(node(), node()))).toBe(true);
});
