// Numbers that records hold as text, and the words for those that are none (contract 1.6).

/** Up to nine digits and five decimal places, with a sign: processing sums and `real_N` fields. */
export const decimalNumber = /^-?\d{0,9}(?:\.\d{1,5})?$/;

/** The message for what is no decimalNumber. */
export const saysDecimal = 'must be a number with no more than nine digits and five decimal places';

/** A whole number with a sign: `integer_N` fields. */
export const wholeNumber = /^-?\d+$/;
