// Folding of letters, and the keys made of it.
import { expect, it } from 'vitest';
import { fold, isAscii, squeeze } from '#domain/text/fold.ts';

it.each([
  ['ÀÉÎÕÜ', 'aeiou'],
  ['Straße', 'strasse'],
  ['Ørsted', 'orsted'],
  ['İstanbul ı', 'istanbul i'],
  ['ﬁle', 'file'],
  ['Ångström', 'angstrom'],
  ['ΆΣΟΣ', 'ασοσ'],
  ['й и ё', 'й и е'],
  ['أحمد إلى مدرسة', 'احمد الي مدرسه'],
  ['مـحـمد', 'محمد'],
  ['が', 'が'],
  ['ｱ', 'ア'],
])('folds %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

it('makes one key of an identifier however it is punctuated', () => {
  expect(['MS.2011-04/7', 'ms 2011 04 7', 'MS2011.047'].map(squeeze)).toEqual(['ms2011047', 'ms2011047', 'ms2011047']);
  expect(squeeze('—')).toBe('');
});

it('knows ASCII', () => {
  expect([isAscii('a-z ~'), isAscii('é'), isAscii('')]).toEqual([true, false, true]);
});
