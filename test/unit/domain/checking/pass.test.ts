// Where a pass stands and what it keeps.
import { describe, expect, it } from 'vitest';
import {
  TooManyProblems,
  mostProblems,
  newPass,
  pathHere,
  reportError,
  reportLateError,
  reportWarning,
} from '#domain/checking/pass.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

describe('a pass', () => {
  it('writes paths with slashes, from the record root', () => {
    const pass = newPass(testContext());
    expect([pathHere(pass), pathHere(pass, 'title')]).toEqual(['', 'title']);
    pass.path.push('names', 0);
    expect([pathHere(pass), pathHere(pass, 'title')]).toEqual(['names/0', 'names/0/title']);
  });

  it('keeps one message per path, and every code of coded_errors', () => {
    const pass = newPass(testContext());
    pass.path.push('dates', 1);
    reportError(pass, 'end', 'first');
    reportError(pass, 'end', 'second');
    reportError(pass, 'coded_errors', 'one');
    reportError(pass, 'coded_errors', 'two');
    expect(Object.fromEntries(pass.errors)).toEqual({ 'dates/1/end': ['second'], coded_errors: ['one', 'two'] });
  });

  it('notes no more than a thousand problems of a body, and ends at one more that is plain', () => {
    const pass = newPass(testContext());
    for (let at = 0; at < 2 * mostProblems; at += 1) reportLateError(pass, `p${at}`, 'm');
    expect(pass.lateErrors.size).toBe(mostProblems);
    for (let at = 0; at < mostProblems; at += 1) reportError(pass, `p${at}`, 'm');
    expect(() => reportError(pass, 'p', 'm')).toThrow(TooManyProblems);
    expect(pass.errors.size).toBe(mostProblems);
  });

  it('keeps warnings and late errors apart', () => {
    const pass = newPass(testContext());
    reportWarning(pass, 'a', 'w');
    reportLateError(pass, 'b', 'l');
    expect([pass.errors.size, [...pass.warnings.keys()], [...pass.lateErrors.keys()]]).toEqual([0, ['a'], ['b']]);
  });
});
