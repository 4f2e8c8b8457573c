// What the configuration of accounts and of retention takes, where the service's own defaults are strict.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accountVariables } from '#domain/configuration/accounts.ts';
import { retentionVariables } from '#domain/configuration/retention.ts';
import { flag, integer } from '#domain/configuration/values.ts';

describe('the variables of accounts', () => {
  it('are strict where nothing is configured, and end every session some day', () => {
    expect(z.object(accountVariables).parse({})).toMatchObject({
      MUNIMENT_PASSWORD_RULES: 'people',
      MUNIMENT_PASSWORD_MIN_LENGTH: 12,
      MUNIMENT_PASSWORD_ASK_CURRENT: true,
      MUNIMENT_LOGIN_USER_LIMIT: 100,
      MUNIMENT_SESSION_LIFETIME_SECONDS: 30 * 86_400,
      MUNIMENT_SESSION_LONG_LIFETIME_SECONDS: 365 * 86_400,
    });
  });

  it.each(['ADMIN', 'PUBLIC_USER', 'STAFF_USER', 'SEARCH_USER'])(
    'take no password of %s that no login takes',
    (whose) => {
      const takes = (length: number) =>
        z.object(accountVariables).safeParse({ [`MUNIMENT_${whose}_PASSWORD`]: 'x'.repeat(length) }).success;
      expect([takes(4096), takes(4097)]).toEqual([true, false]);
    },
  );

  it.each([
    ['MUNIMENT_PASSWORD_RULES', 'strict'],
    ['MUNIMENT_PASSWORD_MIN_LENGTH', '0'],
    ['MUNIMENT_SESSION_HEADERS', 'X Session'],
    ['MUNIMENT_TRUST_PROXY', 'proxy.example.org'],
  ])('refuse %s=%s', (name, value) => {
    expect(z.object(accountVariables).safeParse({ [name]: value }).success).toBe(false);
  });
});

it('keeps the audit log for two years unless told otherwise, and for ever with 0', () => {
  const read = (given: object) => z.object(retentionVariables).parse(given).MUNIMENT_AUDIT_DAYS;
  expect([read({}), read({ MUNIMENT_AUDIT_DAYS: '0' })]).toEqual([730, 0]);
});

describe('values', () => {
  it('say in words what a number must be', () => {
    expect(z.prettifyError(integer(5, 1, 9).safeParse('10').error ?? new z.ZodError([]))).toContain(
      'must be a whole number from 1 to 9',
    );
    expect(integer(5, 1, 9).parse(undefined)).toBe(5);
  });

  it('are true or false in small letters', () => {
    expect([flag('true').parse(undefined), flag('true').parse('false')]).toEqual([true, false]);
    expect(flag('true').safeParse('yes').success).toBe(false);
  });
});
