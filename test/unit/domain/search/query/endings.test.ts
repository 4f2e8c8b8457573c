// Forms of words in languages that go by their endings, and German words as others write them.
import { describe, expect, it } from 'vitest';
import { formsOf, lightLanguages } from '#domain/search/query/endings.ts';
import type { LightLanguage } from '#domain/search/query/endings.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { stemChoices, stemLanguages, variantsOf } from '#domain/search/query/stemming.ts';

describe('the forms of a word by its endings', () => {
  it.each<[LightLanguage, string, readonly string[]]>([
    ['pl', 'listy', ['list', 'listow', 'listami', 'listach']],
    ['pl', 'fotografia', ['fotografie', 'fotografii', 'fotografiami']],
    ['pl', 'archiwum', ['archiwa', 'archiwow']],
    ['cs', 'dopis', ['dopisy', 'dopisu', 'dopisech']],
    ['cs', 'zamek', ['zamku', 'zamky']],
    ['hr', 'grad', ['gradovi', 'gradova', 'gradu']],
    ['hr', 'fotografija', ['fotografije', 'fotografijama']],
    ['he', 'מכתב', ['מכתבים', 'המכתבים', 'במכתב']],
    // One plural ends with another.
    ['he', 'ספריה', ['ספריות', 'הספריות']],
    ['he', 'חנות', ['חנויות']],
    // The last letter is written otherwise within a word.
    ['he', 'ארכיון', ['ארכיונים', 'הארכיון']],
  ])('in %s: %s', (language, word, forms) => {
    const found = formsOf(word, language);
    for (const form of forms) {
      expect(found).toContain(form);
      expect(formsOf(form, language)).toContain(word);
    }
    expect(found).not.toContain(word);
  });

  it.each<[LightLanguage, string, string]>([
    ['pl', 'list', 'lista polska'],
    ['pl', 'mapa', 'mak'],
    ['cs', 'rok', 'rod'],
    ['hr', 'rat', 'rad'],
    ['he', 'עיר', 'ים'],
  ])('leave other words alone in %s: %s, %s', (language, word, other) => {
    expect(formsOf(word, language)).not.toContain(other);
  });

  it('are few enough to be looked up by their keys', () => {
    for (const language of lightLanguages)
      for (const word of ['a', 'papier', 'dokumentacja', 'x'.repeat(200), 'שלום', 'והמכתבים'])
        expect(formsOf(word, language).length).toBeLessThan(1500);
  });

  it('are as they are kept, of words as short as a stem may be as well', async () => {
    const words: { readonly [language in LightLanguage]: readonly string[] } = {
      cs: ['rok', 'roku', 'kraj', 'zamek', 'zamku', 'pes'],
      hr: ['rad', 'rata', 'gradovi', 'papar', 'pas'],
      pl: ['rok', 'mapa', 'listow', 'domek', 'ziemia', 'sen'],
      he: ['ספר', 'ספרים', 'הספריה', 'דגם', 'ים'],
    };
    const forms = lightLanguages.map((language) => [
      language,
      Object.fromEntries(words[language].map((word) => [word, formsOf(word, language).toSorted().join(' ')])),
    ]);
    await expectKept(keptText(Object.fromEntries(forms), 2), 'queries/forms.json');
  });

  it('are asked for by codes that PostgreSQL has no stemmer for', () => {
    expect(lightLanguages.filter((code) => Object.hasOwn(stemLanguages, code))).toEqual([]);
    expect(stemChoices).toEqual(expect.arrayContaining(['none', 'cs', 'de', 'he', 'hr', 'pl']));
  });
});

it.each([
  ['mueller', ['muller']],
  ['muller', ['mueller']],
  ['strom', ['stroem']],
  ['wir', []],
])('%s is written %j, too, in German', (word, others) => {
  expect(variantsOf(word, 'de')).toEqual(others);
  expect(variantsOf(word, 'en')).toEqual([]);
});
