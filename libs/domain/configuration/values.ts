// How the values of variables are read that several parts of the configuration have.
import { z } from 'zod';

/** What stands between commas. */
export const listOf = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

/** Whether a text is the address of a PostgreSQL database; `@/` stands before one whose server is reached by a socket (`?host=`). */
export const isDatabaseUrl = (text: string): boolean =>
  /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text.replace('@/', '@localhost/'));

/** A name of a folder, host or key: blanks around it are nobody's, nor is the line end of a file of variables from Windows. A folder of another name would be begun anew. */
export const plainName = () => z.string().trim().min(1, 'must not be blank');

/** `true` or `false`. */
export const flag = (value: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(value)
    .transform((text) => text === 'true');

// Number takes blanks for 0, and reads hexadecimal and exponents, which an operator has hardly meant.
const inDigits = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/.test(value) ? Number(value) : value;

/** A number, written in decimal digits, with a least and a largest value. */
export const decimalNumber = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.preprocess(inDigits, z.number({ error }).min(min, { error }).max(max, { error }));
};

/** A whole number with a least and a largest value. */
export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(inDigits, z.number({ error }).int({ error }).min(min, { error }).max(max, { error }));
};

/** The same with a default; as text, which is what docs/configuration.md is generated from. */
export const integer = (value: number, min: number, max: number) => wholeNumber(min, max).prefault(String(value));

/** Whether a text is the address of a server by http or https: `http:///x` names none, though URL finds one in it. */
export const isWebServer = (text: string): boolean => /^https?:\/\/[^/\\]/i.test(text) && URL.canParse(text);
