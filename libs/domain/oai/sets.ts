// Sets of the OAI provider: records of chosen repositories, of sponsors, and of each level (contract OAI 3, ListSets).
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import { listOf } from '../settings/oai-config.ts';

/** A set. `codes` are of repositories, `sponsors` texts of finding aids; one of the three members is given. */
export type OaiSet = { readonly spec: string; readonly name: string; readonly description?: string } & (
  | { readonly codes: readonly string[] }
  | { readonly sponsors: readonly string[] }
  | { readonly level: string }
);

/** The sets that are offered: those of the settings that select something, then one for each level. */
export function setsOf(config: JsonObject, levels: readonly string[]): readonly OaiSet[] {
  const codes = listOf(textOf(config, 'repo_set_codes'));
  const sponsors = listOf(textOf(config, 'sponsor_set_names'));
  const repositoryName = textOf(config, 'repo_set_name') ?? 'repository_set';
  const sponsorName = textOf(config, 'sponsor_set_name') ?? 'sponsor_set';
  return [
    ...(codes.length > 0 && !levels.includes(repositoryName)
      ? [{ ...named(repositoryName), description: textOf(config, 'repo_set_description') ?? '', codes }]
      : []),
    ...(sponsors.length > 0 && !levels.includes(sponsorName)
      ? [{ ...named(sponsorName), description: textOf(config, 'sponsor_set_description') ?? '', sponsors }]
      : []),
    ...levels.map((level) => ({ ...named(level), level })),
  ];
}

/** The set of a spec, or by its name, which may have characters that no spec has. */
export const setNamed = (sets: readonly OaiSet[], wanted: string): OaiSet | undefined =>
  sets.find(({ spec, name }) => spec === wanted || name === wanted);

// The protocol's characters of a setSpec; names are what an administrator likes.
const named = (name: string): { readonly spec: string; readonly name: string } => ({
  spec: name.replace(/[^A-Za-z0-9\-_.!~*'()]/g, '_') || '_',
  name,
});
