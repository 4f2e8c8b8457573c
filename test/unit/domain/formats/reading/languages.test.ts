// Codes of languages as documents write them, by the codes of the list.
import { describe, expect, test } from 'vitest';
import { bibliographicCode } from '#domain/formats/reading/languages.ts';

describe('bibliographicCode', () => {
  test('knows two letters, terminological and withdrawn codes, in any case', () => {
    expect(['de', 'DE', 'deu', 'nld', 'scr', 'eng', 'ENG', 'zu'].map(bibliographicCode)).toEqual([
      'ger',
      'ger',
      'ger',
      'dut',
      'hrv',
      'eng',
      'eng',
      'zul',
    ]);
  });

  test('passes over a region', () => {
    expect(['en-GB', 'fr_CA', 'deu-AT'].map(bibliographicCode)).toEqual(['eng', 'fre', 'ger']);
  });

  test('leaves other texts as they are', () => {
    expect(['Dutch', '', 'xx'].map(bibliographicCode)).toEqual(['Dutch', '', 'xx']);
  });
});
