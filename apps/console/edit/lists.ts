// The controlled lists of the service, asked for when a field first needs them, and the few kinds of records that are chosen from a whole list.
import type { Signal } from '@preact/signals';
import { signal } from '@preact/signals';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsIn, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { service } from '../session.ts';

/** A value to choose, and what it is called; null where the labels of the console say that. */
export type Choice = { readonly value: string; readonly label: string | null };

const known = new Map<string, Signal<readonly Choice[]>>();

function askedOnce(path: string, read: (answer: unknown) => readonly Choice[]): Signal<readonly Choice[]> {
  const found = known.get(path);
  if (found !== undefined) return found;
  const choices = signal<readonly Choice[]>([]);
  known.set(path, choices);
  service.ask(path).then(
    (answer) => {
      choices.value = read(answer);
    },
    // The field then has the value that is there; it is asked again with the next form.
    () => known.delete(path),
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
