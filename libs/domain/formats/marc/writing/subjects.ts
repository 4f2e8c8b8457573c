// Subjects as MARC 6xx fields, with the thesaurus in the second indicator (contract behaviour-exports 4, subjects).
import type { JsonObject } from '../../../json.ts';
import { textOf } from '../../../json.ts';
import { subjectsOf, termsOf } from '../../writing/context.ts';
import type { Field, Subfield } from './fields.ts';
import { field } from './fields.ts';

const tags: { readonly [type: string]: string } = {
  uniform_title: '630',
  temporal: '648',
  topical: '650',
  geographic: '651',
  cultural_context: '651',
  genre_form: '655',
  style_period: '655',
  occupation: '656',
  function: '656',
};
// What has no subdivision of its own (function, occupation, technique) is a general one; the reference writes an empty code.
const subdivisions: { readonly [type: string]: string } = {
  uniform_title: 't',
  genre_form: 'v',
  style_period: 'v',
  topical: 'x',
  cultural_context: 'x',
  temporal: 'y',
  geographic: 'z',
};
const indicators: { readonly [source: string]: string } = {
  naf: '0',
  lcsh: '0',
  lcnaf: '0',
  lcshac: '1',
  mesh: '2',
  nal: '3',
  cash: '5',
  rvm: '6',
};

/** The subfield code of a term that follows another. */
export const subdivision = (type: string | undefined): string => subdivisions[type ?? ''] ?? 'x';

/** The second indicator for a source, and the text of $2, which stands only beside 7. */
export function sourceIndicator(source: string | undefined): readonly [indicator: string, code: string | undefined] {
  if (source === undefined) return ['4', undefined];
  const known = indicators[source];
  return known === undefined ? ['7', source] : [known, undefined];
}

/** A field for each subject of the record. */
export function subjectFields(record: JsonObject): readonly Field[] {
  return subjectsOf(record).flatMap((subject) => {
    const [first, ...rest] = termsOf(subject);
    if (first === undefined) return [];
    const tag = tags[textOf(first, 'term_type') ?? ''] ?? '650';
    const [ind2, source] = sourceIndicator(textOf(subject, 'source'));
    const later = rest.map((term): Subfield => [subdivision(textOf(term, 'term_type')), textOf(term, 'term')]);
    return [
      field(
        tag,
        `${tag === '630' ? '0' : ' '}${ind2}`,
        ['a', textOf(first, 'term')],
        ...later,
        ['2', source],
        ['0', textOf(subject, 'authority_id')],
      ),
    ];
  });
}
