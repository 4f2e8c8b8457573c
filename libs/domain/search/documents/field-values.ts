// What becomes of the fields of a document in an index: lexemes of their values, values that facets count, keys that are sorted by.
import { toSortKey } from '../../text/sort-key.ts';
import type { DocumentFields } from '../declaration.ts';
import { findField, findSortField, isFacet, oncePerName } from '../fields.ts';
import type { Field } from '../fields.ts';
import { toExactLexeme, toPresenceLexeme, toYearLexemes } from '../lexeme.ts';
import { textsIn } from './words.ts';

/** A field, and whether documents have it for facets and for sorting. */
type FieldUse = { readonly field: Field; readonly isFacet: boolean; readonly isSort: boolean };

/** A field that documents have, and the texts of its values. */
export type KnownField = FieldUse & { readonly texts: readonly string[] };

/** The finished lexemes that say which fields a document has, and of their exact values. */
export function toMarks(known: readonly KnownField[]): readonly string[] {
  const marks: string[] = [];
  for (const { field, texts } of known) {
    if (texts.length === 0) continue;
    marks.push(toPresenceLexeme(field));
    if (field.name === 'years') marks.push(...new Set(texts.flatMap((text) => toYearLexemes(Number(text)))));
    // URIs of the document itself have an index of their own, and words are in the vector already.
    else if (field.type !== 'text' && field.column === undefined)
      for (const text of texts) marks.push(toExactLexeme(field, text));
  }
  return marks;
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
