// What may be a user name.
import { describe, expect, it } from 'vitest';
import { toUsername } from '#domain/text/username.ts';

describe('toUsername', () => {
  it('trims and lower-cases', () => {
    expect(toUsername('  Ann.B-c_d@example.org ')).toBe('ann.b-c_d@example.org');
    expect(toUsername('two words')).toBe('two words');
  });

  it('refuses what is no name', () => {
    expect(['', ' ', 'a  b', 'a/b', 'é', 'a\nb', 'a;b'].map(toUsername)).toEqual(Array.from({ length: 7 }, () => null));
  });
});
