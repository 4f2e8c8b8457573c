// The table of errors and its page.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorTable, fail, toWireBody } from '#domain/errors.ts';

describe('the table of errors', () => {
  it('has a heading with its status in docs/errors.md for every code, and no heading without a code', () => {
    const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    const sections = [...page.matchAll(/^## (\w+)\n(\d{3})/gm)].map((match) => [match[1], Number(match[2])]);
    expect(sections.sort()).toEqual(
      Object.entries(errorTable)
        .map(([code, entry]) => [code, entry.status])
        .sort(),
    );
  });

  it('gives the wire body with the extra keys of a failure', () => {
    expect(toWireBody(fail('session_gone', 'No session found for x', { code: 'SESSION_GONE' }))).toEqual({
      error: 'No session found for x',
      code: 'SESSION_GONE',
    });
  });

  it('keeps the cause out of the wire body', () => {
    const failure = fail('unavailable', 'The database is not reachable', {}, new Error('secret host'));
    expect(JSON.stringify(toWireBody(failure))).not.toContain('secret');
    expect(failure.cause).toBeInstanceOf(Error);
  });
});
