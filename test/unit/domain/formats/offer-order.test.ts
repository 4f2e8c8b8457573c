// What the contract has keeps its order; additions follow by name.
import { expect, test } from 'vitest';
import { compareOffers } from '#domain/formats/offer-order.ts';

test('places come first, and names where there is none', () => {
  const offers = [{ name: 'b' }, { name: 'y', place: 2 }, { name: 'a' }, { name: 'z', place: 1 }];
  expect(offers.toSorted(compareOffers).map(({ name }) => name)).toEqual(['z', 'y', 'a', 'b']);
});
