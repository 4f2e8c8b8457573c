import { propertyName, typeName, words } from '../labels.js';
import { language, speaker } from '../words.js';
import { editingEnglish, englishNames } from './english.js';
import { editingGerman, germanNames } from './german.js';
export const e = speaker({ en: editingEnglish, de: editingGerman });
const german = (name) => (language.value === 'de' ? germanNames[name] : undefined);
export const fieldName = (name) => german(name) ?? englishNames[name] ?? propertyName(name);
export function partName(name) {
    const short = name.replace(/^(parallel_)?name_\w+$/, '$1name').replace(/^(?:note|agent)_/, '');
    const type = typeName(name);
    return german(`part ${name}`) ?? german(short) ?? (type === words(name) ? words(short) : type);
}
const known = [
    [/^(?:Property is required but was missing|Property was missing|missing required property)$/, 'says_missing'],
    [/^must not be an empty string$/i, 'says_missing'],
];
export function saidBy(service) {
    const word = known.find(([says]) => says.test(service))?.[1];
    return word === undefined ? (/[.!?]$/.test(service) ? service : `${service}.`) : e(word);
}
