// Light stemming for languages that PostgreSQL brings no stemmer for: the endings of case, number and gender that nouns and adjectives take, as data, and the words
// that have the same stem by them. For Czech after L. Dolamic and J. Savoy, "Indexing and stemming approaches for the Czech language" (2009); Polish and Croatian by
// the same scheme with the endings of their declensions; Hebrew with the particles written before a word, and plurals. Words are folded as in the index
// (text/fold.ts): without accents, ł as l.

/** Languages with endings here, by their ISO 639-1 codes. */
export type LightLanguage = 'cs' | 'he' | 'hr' | 'pl';

/**
 * The endings of a language. `shortest`: letters that stay of a word at least. `fleeting`: a vowel that stands before the last consonant in some forms and not in
 * others (zámek, zámku). `particles`: what is written together with the word that follows.
 */
type Endings = {
  readonly endings: readonly string[];
  readonly shortest: number;
  readonly fleeting?: string;
  readonly particles?: readonly string[];
};

const listed = (text: string): readonly string[] => text.split(' ').sort((a, b) => b.length - a.length);

const endingsOf: Readonly<Record<LightLanguage, Endings>> = {
  cs: {
    endings: listed(
      'atech etem atum ech ich eho emi emu ete eti iho imi imu ach ata aty ych ama ami ove ovi ymi ovym em es im um at am os us ym mi ou ov uv in a e i o u y',
    ),
    shortest: 3,
    fleeting: 'e',
  },
  hr: {
    endings: listed(
      'ovima evima ijama ijima ovi evi ove eve ova eva ima ama oga ega omu emu ome eme iji ije iju ija om em og eg oj im ih ju a e i o u',
    ),
    shortest: 3,
    fleeting: 'a',
  },
  pl: {
    endings: listed(
      'iami iach iego iemu owie ami ach owi iom iow ych ich ymi imi ego emu iej iem ej om ow um em ie ia ii iu io im ym a e i o u y',
    ),
    shortest: 3,
    fleeting: 'e',
  },
  he: {
    endings: listed('ים ות יות ה ת י'),
    shortest: 3,
    particles: listed('ה ו ב כ ל מ ש וה וב ול ומ וש שה בה לה מה'),
  },
};

/** Whether a language has its endings here. */
export const isLight = (language: string): language is LightLanguage => Object.hasOwn(endingsOf, language);

/** The languages with endings here. */
export const lightLanguages = Object.keys(endingsOf).filter(isLight);

/** All words, written or not, that may be other forms of a folded word in a language: some two hundred at most, itself left out. */
export function formsOf(word: string, language: LightLanguage): readonly string[] {
  const rules = endingsOf[language];
  const stems = new Set(
    [word, ...withoutParticle(word, rules)].flatMap((one) =>
      rules.particles === undefined ? [stemOf(one, rules)] : [one, ...stemsOf(one, rules)],
    ),
  );
  const found = new Set<string>();
  for (const stem of stems) {
    for (const written of [stem, ...withFleeting(stem, rules)]) {
      for (const ending of ['', ...rules.endings]) {
        const form = ending === '' ? asLast(written) : asInner(written) + asLast(ending);
        if (rules.particles !== undefined || stemOf(form, rules) === stem)
          for (const particle of ['', ...(rules.particles ?? [])]) found.add(particle + form);
      }
    }
  }
  found.delete(word);
  return [...found];
}

function stemOf(word: string, { endings, shortest, fleeting }: Endings): string {
  const ending = endings.find((one) => word.endsWith(one) && word.length >= one.length + shortest) ?? '';
  const stem = word.slice(0, word.length - ending.length);
  return fleeting !== undefined && stem.length > shortest && hasFleeting(stem, fleeting)
    ? stem.slice(0, -2) + stem.slice(-1)
    : stem;
}

// All that a word may be a form of where one ending ends with another, of which either may be meant.
const stemsOf = (word: string, { endings, shortest }: Endings): readonly string[] =>
  endings
    .filter((one) => word.endsWith(one) && word.length >= one.length + shortest)
    .map((one) => word.slice(0, word.length - one.length));

const vowels = /[aeiouy]/;

const hasFleeting = (stem: string, fleeting: string): boolean =>
  stem.at(-2) === fleeting && !vowels.test(stem.at(-1) ?? '') && !vowels.test(stem.at(-3) ?? '');

function withFleeting(stem: string, { fleeting }: Endings): readonly string[] {
  const longer = stem.slice(0, -1) + (fleeting ?? '') + stem.slice(-1);
  return fleeting !== undefined && hasFleeting(longer, fleeting) ? [longer] : [];
}

const withoutParticle = (word: string, { particles = [], shortest }: Endings): readonly string[] =>
  particles
    .filter((one) => word.startsWith(one) && word.length >= one.length + shortest)
    .map((one) => word.slice(one.length));

// Five letters of Hebrew are written otherwise at the end of a word.
const [inner, last] = ['כמנפצ', 'ךםןףץ'];
const asLast = (text: string): string => text.replace(/[כמנפצ]$/u, (letter) => last[inner.indexOf(letter)] ?? letter);
const asInner = (text: string): string => text.replace(/[ךםןףץ]$/u, (letter) => inner[last.indexOf(letter)] ?? letter);
