// The repositories that there are, asked for once, and the one somebody works in.
import { signal } from '@preact/signals';
import type { Json } from '../../libs/domain/json.ts';
import { objectsIn, textOf } from '../../libs/domain/json.ts';
import { query } from './address.ts';
import { may, service, user } from './session.ts';

/** A repository by its uri, with its code and name. */
export type Repository = { readonly uri: string; readonly code: string; readonly name: string };

/** The repositories that the user may see; undefined until they are known. */
export const repositories = signal<readonly Repository[] | undefined>(undefined);

const place = 'muniment.repository';
// Whose repositories they are: another user may log in without the page being loaded anew.
let reader: string | undefined;
// What is on its way: another user, or a new repository, makes it void.
let reading: { readonly who: string | undefined; readonly list: Promise<Json> } | undefined;

/** Asks for the repositories of the user, once. */
export async function readRepositories(): Promise<void> {
  const who = user.value?.username;
  if (reader !== who) repositories.value = undefined;
  if (repositories.value !== undefined) return;
  const mine = reading !== undefined && reading.who === who ? reading : { who, list: service.ask('/repositories') };
  reading = mine;
  try {
    const list = await mine.list;
    if (reading === mine) take(list, who);
  } finally {
    if (reading === mine) reading = undefined;
  }
}

function take(list: Json, who: string | undefined): void {
  repositories.value = objectsIn(list)
    .map((record) => ({
      uri: textOf(record, 'uri') ?? '',
      code: textOf(record, 'repo_code') ?? '',
      name: textOf(record, 'name') ?? '',
    }))
    .filter(({ uri }) => may('view_repository', uri));
  reader = who;
}

/** Has them asked for anew: one was made. */
export function forgetRepositories(): void {
  repositories.value = undefined;
  reading = undefined;
}

/** The repository that the address names, or the one that was last worked in, or the first; null: all, for who may search everywhere. */
export function chosenRepository(needsOne: boolean): string | null {
  const known = repositories.value ?? [];
  const isKnown = (uri: string | null): uri is string => known.some((each) => each.uri === uri);
  const named = query.value.get('repo');
  if (isKnown(named)) return named;
  if (!needsOne && may('view_all_records', null)) return null;
  const last = localStorage.getItem(place);
  return isKnown(last) ? last : (known[0]?.uri ?? null);
}

/** Remembers the repository for views that need one. */
export function rememberRepository(uri: string): void {
  if (uri !== '') localStorage.setItem(place, uri);
}

/** What a repository is called; its uri where that is not known. */
export const repositoryName = (uri: string): string =>
  repositories.value?.find((each) => each.uri === uri)?.name ?? uri;
