// The committed list of common passwords.
import { expect, it } from 'vitest';
import { foldPassword } from '#domain/access/password-rules.ts';
import { commonPasswords } from '#store/access/common-passwords.ts';

it('has over 3,000 passwords that are long enough, and the usual short ones, as they are compared', () => {
  const list = [...commonPasswords()];
  expect(list.filter((each) => [...each].length >= 12).length).toBeGreaterThan(3000);
  expect(list).toEqual(expect.arrayContaining(['password', '123456', 'qwerty123456', 'administrator']));
  expect(list.filter((each) => each === '' || each !== foldPassword(each))).toEqual([]);
});
