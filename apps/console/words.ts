// The language of the console: that of the browser unless somebody chose one, and how dates and numbers are written in it.
import { signal } from '@preact/signals';
import { english } from './words/english.ts';
import { german } from './words/german.ts';

/** The name of a text of the console. */
export type Word = keyof typeof english;

const languages = { en: english, de: german };
type Language = keyof typeof languages;
const place = 'muniment.language';

/** Languages on offer, with their own names. */
export const languageNames: readonly (readonly [code: Language, name: string])[] = [
  ['en', 'English'],
  ['de', 'Deutsch'],
];

const isLanguage = (code: string | undefined): code is Language => code !== undefined && code in languages;

function firstLanguage(): Language {
  const wanted = [localStorage.getItem(place) ?? '', ...navigator.languages].map((each) => each.split('-')[0]);
  return wanted.find(isLanguage) ?? 'en';
}

/** The language of the console. */
export const language = signal<Language>(firstLanguage());

/** Changes the language, here and at the next visit. */
export function speak(code: string): void {
  if (!isLanguage(code)) return;
  localStorage.setItem(place, code);
  language.value = code;
}

type Values = { readonly [name: string]: string | number };

/** A text in the language of the console; `{name}` in it stands for a value. */
export const t = (word: Word, values: Values = {}): string => filled(languages[language.value][word], values);

/** The same of texts that a view brings with it, so that others need not load them. */
export const speaker =
  <Name extends string>(texts: { readonly [code in Language]: { readonly [name in Name]: string } }) =>
  (name: Name, values: Values = {}): string =>
    filled(texts[language.value][name], values);

const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? number(value) : value;
  });

/** Whether there is a text of this name, for names that are made of what the service says. */
export const isWord = (word: string): word is Word => word in english;

/** The language with the region of the browser where it is the same language: how dates are written hangs on both. */
const locale = (): string =>
  navigator.languages.find((each) => each.split('-')[0] === language.value) ?? language.value;

// Making one takes a slow browser longer than all that it writes.
const formats = new Map<string, { readonly number: Intl.NumberFormat; readonly time: Intl.DateTimeFormat }>();

function formatsHere(): { readonly number: Intl.NumberFormat; readonly time: Intl.DateTimeFormat } {
  const here = locale();
  const known = formats.get(here);
  if (known !== undefined) return known;
  const made = {
    number: new Intl.NumberFormat(here),
    time: new Intl.DateTimeFormat(here, { dateStyle: 'medium', timeStyle: 'short' }),
  };
  formats.set(here, made);
  return made;
}

/** A number as it is written in the language. */
export const number = (value: number): string => formatsHere().number.format(value);

/** The moment that a time of the service tells (ISO, or `2026-01-31 12:00:00 UTC`); an invalid one where it tells none. */
export const momentOf = (text: string): Date => new Date(text.replace(/ UTC$/, 'Z').replace(' ', 'T'));

/** A time of the service as it is written in the language; what is no time, as it is. */
export function time(text: string | undefined): string {
  if (text === undefined) return '';
  const at = momentOf(text);
  return Number.isNaN(at.getTime()) ? text : formatsHere().time.format(at);
}
