// The repositories that there are, asked for once, and the one somebody works in.
import { signal } from '@preact/signals';
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

/** Asks for the repositories of the user, once. */
export async function readRepositories(): Promise<void> {
  const who = user.value?.username;
  if (reader !== who) forgetRepositories();
  if (repositories.value !== undefined) return;
  const list = await service.ask('/repositories');
  const records = objectsIn(list);
  repositories.value = records
    .map((record) => ({
      uri: textOf(record, 'uri') ?? '',
      code: textOf(record, 'repo_code') ?? '',
      name: textOf(record, 'name') ?? '',
    }))
    .filter(({ uri }) => may('view_repository', uri));
  reader = who;
}

/** Has them asked for anew: one was made, or somebody else is here. */
export function forgetRepositories(): void {
  repositories.value = undefined;
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
