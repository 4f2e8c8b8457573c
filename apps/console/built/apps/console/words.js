import { signal } from '@preact/signals';
import { english } from './words/english.js';
import { german } from './words/german.js';
const languages = { en: english, de: german };
const place = 'muniment.language';
export const languageNames = [
    ['en', 'English'],
    ['de', 'Deutsch'],
];
const isLanguage = (code) => code !== undefined && code in languages;
function firstLanguage() {
    const wanted = [localStorage.getItem(place) ?? '', ...navigator.languages].map((each) => each.split('-')[0]);
    return wanted.find(isLanguage) ?? 'en';
}
export const language = signal(firstLanguage());
export function speak(code) {
    if (!isLanguage(code))
        return;
    localStorage.setItem(place, code);
    language.value = code;
}
export const t = (word, values = {}) => filled(languages[language.value][word], values);
export const speaker = (texts) => (name, values = {}) => filled(texts[language.value][name], values);
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? number(value) : value;
});
export const isWord = (word) => word in english;
const locale = () => navigator.languages.find((each) => each.split('-')[0] === language.value) ?? language.value;
const formats = new Map();
function formatsHere() {
    const here = locale();
    const known = formats.get(here);
    if (known !== undefined)
        return known;
    const made = {
        number: new Intl.NumberFormat(here),
        time: new Intl.DateTimeFormat(here, { dateStyle: 'medium', timeStyle: 'short' }),
    };
    formats.set(here, made);
    return made;
}
export const number = (value) => formatsHere().number.format(value);
export const momentOf = (text) => new Date(text.replace(/ UTC$/, 'Z').replace(' ', 'T'));
export function time(text) {
    if (text === undefined)
        return '';
    const at = momentOf(text);
    return Number.isNaN(at.getTime()) ? text : formatsHere().time.format(at);
}
