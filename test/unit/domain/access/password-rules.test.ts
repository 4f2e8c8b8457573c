// What a new password must be where people choose it.
import { describe, expect, it } from 'vitest';
import { foldPassword, passwordFault } from '#domain/access/password-rules.ts';

const rules = { least: 12, common: new Set(['correcthorsebattery']) };

describe('passwordFault', () => {
  it('asks for a length in characters, whatever they are made of', () => {
    expect(passwordFault('elevenchars', 'ann', rules)).toBe('Must be at least 12 characters');
    expect(passwordFault('twelve chars', 'ann', rules)).toBeNull();
    expect(passwordFault('🗝'.repeat(11), 'ann', rules)).toBe('Must be at least 12 characters');
    expect(passwordFault('🗝'.repeat(12), 'ann', rules)).toBeNull();
    expect(passwordFault('x'.repeat(128), 'ann', rules)).toBeNull();
    expect(passwordFault('x'.repeat(129), 'ann', rules)).toBe('Must be at most 128 characters');
  });

  it('refuses common ones in any case, and the user name', () => {
    expect(passwordFault('CorrectHorseBattery', 'ann', rules)).toBe('Is one of the most common passwords');
    expect(passwordFault('Annabelle.Archivist', 'annabelle.archivist', rules)).toBe('Must not be the user name');
  });
});

describe('foldPassword', () => {
  it('is the same for the two ways to write an accent', () => {
    expect(foldPassword('Ame\u0301lie')).toBe(foldPassword('am\u00e9lie'));
  });
});
