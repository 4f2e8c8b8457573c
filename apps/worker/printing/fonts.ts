// The fonts of printed documents: Noto Sans, a package for each group of scripts. Those of package.json are there; others are used where the
// operator has installed them, and a script without a font is told to whoever prints. Each is read when a text first needs it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Blob, Face, Font } from 'harfbuzzjs';
import type { MissingScript } from './missing.ts';

/** A weight in which texts are printed. */
export type Weight = 'regular' | 'bold';

/** A font in one weight. `key` names it in a document; `scale` takes its units to thousandths of an em. */
export type PrintFont = {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly shaper: Font;
  readonly scale: number;
  readonly characters: ReadonlySet<number>;
};

/** The scripts that a family of fonts is asked for, by their Unicode names, its package, and how its files are called. */
type Family = { readonly scripts: readonly string[]; readonly package: string; readonly file: string };

const family = (scripts: string, name: string, file: string): Family => ({
  scripts: scripts.split(' '),
  package: name,
  file: `NotoSans${file}`,
});

// Those of no script have signs, in one weight. Han stands in four of them: the first that is installed has it, those of the document's language before others.
const families: readonly Family[] = [
  family('Latin Greek Cyrillic Devanagari', '@expo-google-fonts/noto-sans', ''),
  family('Hebrew', '@expo-google-fonts/noto-sans-hebrew', 'Hebrew'),
  family('Arabic', '@expo-google-fonts/noto-sans-arabic', 'Arabic'),
  family('Bengali', '@expo-google-fonts/noto-sans-bengali', 'Bengali'),
  family('Gujarati', '@expo-google-fonts/noto-sans-gujarati', 'Gujarati'),
  family('Gurmukhi', '@expo-google-fonts/noto-sans-gurmukhi', 'Gurmukhi'),
  family('Kannada', '@expo-google-fonts/noto-sans-kannada', 'Kannada'),
  family('Malayalam', '@expo-google-fonts/noto-sans-malayalam', 'Malayalam'),
  family('Oriya', '@expo-google-fonts/noto-sans-oriya', 'Oriya'),
  family('Tamil', '@expo-google-fonts/noto-sans-tamil', 'Tamil'),
  family('Telugu', '@expo-google-fonts/noto-sans-telugu', 'Telugu'),
  family('Sinhala', '@expo-google-fonts/noto-sans-sinhala', 'Sinhala'),
  family('Armenian', '@expo-google-fonts/noto-sans-armenian', 'Armenian'),
  family('Georgian', '@expo-google-fonts/noto-sans-georgian', 'Georgian'),
  family('Ethiopic', '@expo-google-fonts/noto-sans-ethiopic', 'Ethiopic'),
  family('Thai', '@expo-google-fonts/noto-sans-thai', 'Thai'),
  family('Lao', '@expo-google-fonts/noto-sans-lao', 'Lao'),
  family('Khmer', '@expo-google-fonts/noto-sans-khmer', 'Khmer'),
  family('Myanmar', '@expo-google-fonts/noto-sans-myanmar', 'Myanmar'),
  family('', '@expo-google-fonts/noto-sans-math', 'Math'),
  family('', '@expo-google-fonts/noto-sans-symbols-2', 'Symbols2'),
  family('Han Hiragana Katakana', '@expo-google-fonts/noto-sans-jp', 'JP'),
  family('Han Bopomofo', '@expo-google-fonts/noto-sans-sc', 'SC'),
  family('Han Bopomofo', '@expo-google-fonts/noto-sans-tc', 'TC'),
  family('Hangul Han', '@expo-google-fonts/noto-sans-kr', 'KR'),
];
const base = families[0] as Family;
const files: { readonly [weight in Weight]: string } = { regular: '400Regular', bold: '700Bold' };

const require = createRequire(import.meta.url);
const loaded = new Map<string, PrintFont | null>();

/** A font, read when it is first asked for and kept for the life of the thread; null where its package is not installed. */
function fontOf(of: Family, weight: Weight): PrintFont | null {
  const style = of.scripts.includes('') ? files.regular : files[weight];
  const path = `${of.package}/${style}/${of.file}_${style}.ttf`;
  const known = loaded.get(path);
  if (known !== undefined) return known;
  let font: PrintFont | null = null;
  try {
    const bytes = readFileSync(require.resolve(path));
    const face = new Face(new Blob(bytes));
    font = {
      key: `${of.file}_${style}`,
      bytes,
      shaper: new Font(face),
      scale: 1000 / face.upem,
      characters: new Set(face.collectUnicodes()),
    };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
  }
  loaded.set(path, font);
  return font;
}

const scriptNames = [...new Set(families.flatMap(({ scripts }) => scripts).filter((name) => name !== ''))];
const otherNames =
  'Syriac Thaana Nko Tibetan Mongolian Cherokee Canadian_Aboriginal Coptic Glagolitic Gothic Ogham Runic Yi Tifinagh Javanese Balinese Samaritan';
const scripts = [...scriptNames, ...otherNames.split(' ')].map(
  (name) => [name, new RegExp(`^\\p{Script=${name}}`, 'u')] as const,
);
const shared = /^[\p{Script=Common}\p{Script=Inherited}]/u;
const scriptOfCharacter = new Map<number, string | null>();

/** The script of a character by its Unicode name, `Unknown` where it is a rare one; null for what many scripts share. */
export function scriptOf(character: number): string | null {
  const known = scriptOfCharacter.get(character);
  if (known !== undefined) return known;
  const text = String.fromCodePoint(character);
  const found = shared.test(text) ? null : (scripts.find(([, of]) => of.test(text))?.[0] ?? 'Unknown');
  scriptOfCharacter.set(character, found);
  return found;
}

/** Which font shows which character. `missing` counts what no font has. */
export type FontChoice = {
  /** The font for a character after one that is shown in `current`; null where none has it. */
  choose(character: number, weight: Weight, current: PrintFont | null): PrintFont | null;
  missing(character: number): void;
  lacking(): readonly MissingScript[];
};

const preferredPackages: ReadonlyMap<string, string> = new Map([
  ['zh', '@expo-google-fonts/noto-sans-sc'],
  ['ko', '@expo-google-fonts/noto-sans-kr'],
]);

/** Fonts for a document in a language (BCP 47): it decides whose forms of Chinese characters are taken. */
export function createFontChoice(language: string): FontChoice {
  const preferred = preferredPackages.get(language);
  const ordered = families.toSorted((a, b) => Number(b.package === preferred) - Number(a.package === preferred));
  const counts = new Map<string, number>();
  return {
    choose(character, weight, current) {
      const script = scriptOf(character);
      // Fonts of other scripts have Latin letters, too.
      if (script === null && current?.characters.has(character) === true) return current;
      const asked = script === null ? [base] : ordered.filter(({ scripts: has }) => has.includes(script));
      const found = asked.map((each) => fontOf(each, weight)).find((font) => font?.characters.has(character));
      if (found !== undefined && found !== null) return found;
      // A sign that Noto Sans lacks may be in the font of a script, such as its punctuation.
      if (script !== null) return null;
      return families.map((each) => fontOf(each, weight)).find((font) => font?.characters.has(character)) ?? null;
    },
    missing(character) {
      const script = scriptOf(character) ?? 'Common';
      counts.set(script, (counts.get(script) ?? 0) + 1);
    },
    lacking: () =>
      [...counts].map(([script, characters]) => {
        const of = ordered.find(({ scripts: has }) => has.includes(script));
        return { script, characters, ...(of === undefined || of === base ? {} : { package: of.package }) };
      }),
  };
}
