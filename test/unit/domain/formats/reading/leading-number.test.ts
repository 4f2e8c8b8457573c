// Numbers at the beginning of texts.
import { expect, test } from 'vitest';
import { leadingNumber } from '#domain/formats/reading/leading-number.ts';

test.each([
  ['3 volumes', '3', ' volumes'],
  ['5m', '5', 'm'],
  ['7', '7', ''],
  ['7. reels', '7', ' reels'],
  ['007 reels', '007', ' reels'],
  ['.5 m', '.5', ' m'],
  ['10.25 m', '10.25', ' m'],
  ['2,5 m', '2.5', ' m'],
  ['2,50 m', '2.50', ' m'],
  ['1,200 plates', '1200', ' plates'],
  ['1,200.5 plates', '1200.5', ' plates'],
  ['1 000 photographs', '1000', ' photographs'],
  ['12\u00a0500 photographs', '12500', ' photographs'],
  ['1\u202f234\u202f567,25\u202fm', '1234567.25', '\u202fm'],
  ["1'000.5 m", '1000.5', ' m'],
  ['1’000 m', '1000', ' m'],
  ['1 000 1/2 m', '1000.5', ' m'],
  ['1 1/2 m', '1.5', ' m'],
  ['1/3 m', '0.333', ' m'],
  ['3½ m', '3.5', ' m'],
  ['3 ½ m', '3.5', ' m'],
  ['¼ m', '0.25', ' m'],
  ['1000 000 m', '1000', ' 000 m'],
  ['1 0000 m', '1', ' 0000 m'],
  ['1 00 m', '1', ' 00 m'],
  ['1 000 12 m', '1', ' 000 12 m'],
  ["1 000'000 m", '1000', "'000 m"],
  ['5 x 7 cm', '5', ' x 7 cm'],
])('reads %j', (text, number, rest) => {
  expect(leadingNumber(text)).toEqual({ number, rest });
});

test.each(['', 'some', 'ca. 5 m', '1,2345 m', '1,200,50 m', '1.2.3', '12/34/56', '1/0 m', '-5'])(
  'finds none in %j',
  (text) => {
    expect(leadingNumber(text)).toBeUndefined();
  },
);
