// Vectors of search documents as PostgreSQL shows them, to be looked at.
import type { Vector } from '#domain/search/documents/vector.ts';
import { isHeadPlace } from '#domain/search/documents/vector.ts';

const weights = ['', 'C', 'B', 'A'];

/** The text of a vector, as a literal; lexemes stand in the order in which they were found. */
export function tsvectorText({ lexemes }: Vector): string {
  return lexemes
    .map(
      ({ lexeme, places }) =>
        `'${lexeme.replace(/['\\]/g, '$&$&')}'${places.length === 0 ? '' : `:${places.map((place) => `${place & 0x3fff}${weights[place >> 14]}`).join(',')}`}`,
    )
    .join(' ');
}

/** The text of its head. */
export function headText(vector: Vector): string {
  const lexemes = vector.lexemes.map(({ lexeme, places }) => ({ lexeme, places: places.filter(isHeadPlace) }));
  return tsvectorText({ ...vector, lexemes: lexemes.filter(({ places }) => places.length > 0) });
}
