// The texts of forms, loaded with them; what properties and parts are called in them.
import { propertyName, typeName, words } from '../labels.ts';
import { language, speaker } from '../words.ts';
import { editingEnglish, englishNames } from './english.ts';
import { editingGerman, germanNames } from './german.ts';

/** A text of the forms. */
export const e = speaker({ en: editingEnglish, de: editingGerman });

const german = (name: string): string | undefined => (language.value === 'de' ? germanNames[name] : undefined);

/** What a property is called in a form. */
export const fieldName = (name: string): string => german(name) ?? englishNames[name] ?? propertyName(name);

/** What a part is called by the name of its schema; names of persons and of families are names. */
export function partName(name: string): string {
  const short = name.replace(/^(parallel_)?name_\w+$/, '$1name').replace(/^(?:note|agent)_/, '');
  const type = typeName(name);
  return german(`part ${name}`) ?? german(short) ?? (type === words(name) ? words(short) : type);
}

const known: readonly (readonly [says: RegExp, word: keyof typeof editingEnglish])[] = [
  [/^(?:Property is required but was missing|Property was missing|missing required property)$/, 'says_missing'],
  [/^must not be an empty string$/i, 'says_missing'],
];

/** What the service says of a value, in the language of the console where it is one of the frequent ones. */
export function saidBy(service: string): string {
  const word = known.find(([says]) => says.test(service))?.[1];
  return word === undefined ? (/[.!?]$/.test(service) ? service : `${service}.`) : e(word);
}
