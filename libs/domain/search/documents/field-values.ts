// What becomes of the fields of a document in an index: lexemes of their values, values that facets count, keys that are sorted by.
import { toSortKey } from '../../text/sort-key.ts';
import type { DocumentFields } from '../declaration.ts';
import { findField, findSortField, isFacet, oncePerName } from '../fields.ts';
import type { Field } from '../fields.ts';
import { toExactLexeme, toPresenceLexeme, toYearLexemes } from '../lexeme.ts';
import { textsIn } from './words.ts';

/** A field, whether documents have it for facets and for sorting, the lexeme that says it is there, and those of values that many documents share, by value. */
type FieldUse = {
  readonly field: Field;
  readonly isFacet: boolean;
  readonly isSort: boolean;
  readonly presence: string;
  readonly sharedValues: Map<string, string>;
};

/** A field that documents have, and the texts of its values. */
export type KnownField = FieldUse & { readonly texts: readonly string[] };

/** The finished lexemes that say which fields a document has, and of their exact values. */
export function toMarks(known: readonly KnownField[]): readonly string[] {
  const marks: string[] = [];
  for (const use of known) {
    const { field, texts } = use;
    if (texts.length === 0) continue;
    marks.push(use.presence);
    if (field.name === 'years') marks.push(...toYearLexemes(texts.map(Number)));
    // URIs of the document itself have an index of their own, and words are in the vector already.
    else if (field.type !== 'text' && field.column === undefined)
      for (const text of texts) marks.push(exactLexemeOf(use, text));
  }
  return marks;
}

const mostShared = 2000;
const longestShared = 200;

// Values that facets count are those of many documents; their lexemes are made once, as words are (lexicon.ts).
function exactLexemeOf({ field, isFacet, sharedValues }: FieldUse, text: string): string {
  if (!isFacet || text.length > longestShared) return toExactLexeme(field, text);
  const known = sharedValues.get(text);
  if (known !== undefined) return known;
  if (sharedValues.size >= mostShared) sharedValues.clear();
  const lexeme = toExactLexeme(field, text);
  sharedValues.set(text, lexeme);
  return lexeme;
}

/** The values that facets count. */
export function toValues(known: readonly KnownField[]): readonly (readonly [string, string])[] {
  const values: (readonly [string, string])[] = [];
  for (const { field, isFacet, texts } of known) if (isFacet) for (const text of texts) values.push([field.name, text]);
  return values;
}

/** What a document is sorted by, by field: numbers, and texts by their key. */
export function toSorts(known: readonly KnownField[]): { readonly [field: string]: string | number } {
  const sorts: { [field: string]: string | number } = {};
  for (const { field, isSort, texts } of known) {
    const [text] = texts;
    if (text === undefined || !isSort) continue;
    sorts[field.name] =
      field.type === 'int' ? Number(text) : field.type === 'date' || field.type === 'boolean' ? text : toSortKey(text);
  }
  return sorts;
}

// Fields that are searched but not answered.
const unanswered = /^(years|year_sort|title_sort|repo_sort)$|_u_(utext|sort)$|_int_sort$/;

// Names come from the declarations and from the contract's controlled properties, so there are few: each is looked at once.
const useNamed = oncePerName((name): FieldUse | undefined => {
  const field = findField(name);
  return field === undefined
    ? undefined
    : {
        field,
        isFacet: isFacet(field),
        isSort: field.column === undefined && findSortField(field.name)?.name === field.name,
        presence: toPresenceLexeme(field),
        sharedValues: new Map(),
      };
});
/** Whether replies have a field; some are searched and sorted by alone. */
export const isAnswered = oncePerName((name) => !unanswered.test(name));

/** The fields that an index knows of those of a document, in their order. */
export function eachField(fields: DocumentFields): readonly KnownField[] {
  const known: KnownField[] = [];
  for (const name in fields) {
    const use = useNamed(name);
    if (use !== undefined) known.push({ ...use, texts: textsIn(fields[name]) });
  }
  return known;
}
