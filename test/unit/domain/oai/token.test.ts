import { expect, it } from 'vitest';
import { formatToken, parseToken } from '#domain/oai/token.ts';

const token = { prefix: 'oai_dc', set: 'series', after: 25, upTo: 4_000_000_000, cursor: 25, isBounded: true };

it('reads what it wrote', () => {
  expect(parseToken(formatToken(token))).toEqual(token);
  expect(formatToken(token)).toMatch(/^[\w.-]+$/);
});

it('refuses what was changed or made up', () => {
  const text = formatToken(token);
  for (const wrong of [
    '',
    '.',
    'x',
    text.slice(1),
    text.slice(0, -1),
    `${text}.`,
    text.replace('.', ''),
    'x'.repeat(3000),
  ])
    expect(parseToken(wrong)).toBeNull();
});
