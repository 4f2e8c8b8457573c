// Languages of finding aids as tags.
import { expect, test } from 'vitest';
import { languageOf, runsRightToLeft } from '#domain/formats/printed-finding-aid/language.ts';

test('codes become the shortest tags; what is no language is English', () => {
  const tags = ['eng', 'ger', 'deu', 'cze', 'heb', 'yid', 'grc', 'und', 'zxx'].map((code) =>
    languageOf({ finding_aid_language: code }),
  );
  expect(tags).toEqual(['en', 'de', 'de', 'cs', 'he', 'yi', 'grc', 'en', 'en']);
  expect(languageOf({})).toBe('en');
  expect(['he', 'fa', 'de'].map(runsRightToLeft)).toEqual([true, true, false]);
});
