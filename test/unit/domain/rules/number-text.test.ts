// Numbers that are kept as text.
import { describe, expect, it } from 'vitest';
import { decimalNumber, saysDecimal, wholeNumber } from '#domain/rules/number-text.ts';

describe('numbers as text', () => {
  it('has up to nine digits and five decimals', () => {
    expect(['1', '-1.5', '.5', '123456789.12345'].every((text) => decimalNumber.test(text))).toBe(true);
    expect(['1.', 'x', '1234567890', '1.123456', '1,5'].some((text) => decimalNumber.test(text))).toBe(false);
    expect(saysDecimal).toBe('must be a number with no more than nine digits and five decimal places');
  });

  it('knows whole numbers', () => {
    expect(['0', '-12'].every((text) => wholeNumber.test(text))).toBe(true);
    expect(['', '1.0', '+1', 'x'].some((text) => wholeNumber.test(text))).toBe(false);
  });
});
