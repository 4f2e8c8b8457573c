import { expect, it } from 'vitest';
import { toJoinedName } from '#domain/text/joined-name.ts';

it.each([
  ['村上, 春樹, 1949-', '村上春樹'],
  ['김, 구 (1876-1949)', '김구'],
  ['司馬、遼太郎', '司馬遼太郎'],
  ['手塚,治虫', '手塚治虫'],
  ['毛澤東', undefined],
  ['Murakami, Haruki', undefined],
  ['村上, Haruki', undefined],
  ['', undefined],
])('%s is %s', (heading, joined) => {
  expect(toJoinedName(heading)).toBe(joined);
});
