// The controlled lists of the service, asked for when a field first needs them, and the few kinds of records that are chosen from a whole list.
import type { Signal } from '@preact/signals';
import { signal } from '@preact/signals';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsIn, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { service } from '../session.ts';

/** A value to choose, and what it is called; null where the labels of the console say that. `type`: of which type it is, where there are several in a list. */
export type Choice = { readonly value: string; readonly label: string | null; readonly type?: string };

const known = new Map<string, Signal<readonly Choice[]>>();
// Those that need not be asked for again.
const fresh = new Set<string>();

/** Has each list asked for anew when it is next needed; until the answer is there, it holds what it held. */
export const renewLists = (): void => fresh.clear();

function askedOnce(path: string, read: (answer: unknown) => readonly Choice[]): Signal<readonly Choice[]> {
  const choices = known.get(path) ?? signal<readonly Choice[]>([]);
  if (fresh.has(path)) return choices;
  known.set(path, choices);
  fresh.add(path);
  service.ask(path).then(
    (answer) => {
      choices.value = read(answer);
    },
    // The field then has the value that is there; it is asked again with the next form.
    () => fresh.delete(path),
  );
  return choices;
}

/** The values of a controlled list that may be chosen, in its order; none until they are there. */
export const valuesOf = (list: string): Signal<readonly Choice[]> =>
  askedOnce(`/config/enumerations/names/${encodeURIComponent(list)}`, (answer) =>
    (isObject(answer) ? objectsOf(answer, 'enumeration_values') : [])
      .filter((each) => each['suppressed'] !== true)
      .toSorted((a, b) => Number(a['position'] ?? 0) - Number(b['position'] ?? 0))
      .map((each) => ({ value: textOf(each, 'value') ?? '', label: null })),
  );

/** All records of a kind that there are few of, by its address. */
export const recordsAt = (path: string): Signal<readonly Choice[]> =>
  askedOnce(path, (answer) =>
    objectsIn(answer).map((record) => ({
      value: textOf(record, 'uri') ?? '',
      label: nameOf(record),
    })),
  );

/** What a record is called. */
export const nameOf = (record: JsonObject): string =>
  ['display_string', 'title', 'name'].map((name) => textOf(record, name)).find(Boolean) ?? textOf(record, 'uri') ?? '';

/** Where all records of a kind are listed at once; undefined for kinds that are searched. */
export const listedAt = (to: readonly string[]): string | undefined =>
  to.length === 1 ? listed[to[0] ?? ''] : undefined;

const listed: { readonly [kind: string]: string } = { vocabulary: '/vocabularies', repository: '/repositories' };

// The lists of an assessment whose entries name a definition of the repository, with the type of these.
const definitionTypes: { readonly [list: string]: string } = {
  ratings: 'rating',
  formats: 'format',
  conservation_issues: 'conservation_issue',
};

/** Of which type the definition is that a field names; undefined for other fields. */
export const definitionAt = (path: string): string | undefined => {
  const [, list = ''] = /^(\w+)\/\d+\/definition_id$/.exec(path) ?? [];
  return definitionTypes[list];
};

/** What assessments of a repository may name, by id; all types in one list, asked for once. */
export const definitionsOf = (repository: string): Signal<readonly Choice[]> =>
  askedOnce(`${repository}/assessment_attribute_definitions`, (answer) =>
    (isObject(answer) ? objectsOf(answer, 'definitions') : []).map((each) => ({
      value: String(each['id']),
      label: textOf(each, 'label') ?? null,
      type: textOf(each, 'type') ?? '',
    })),
  );
