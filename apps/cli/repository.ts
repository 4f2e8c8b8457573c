// Repositories as people name them on a command line: by id, by uri or by code.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { Client } from './client.ts';
import { CliFailure, usage } from './failure.ts';

/** A repository of the service. */
export type Repository = { readonly id: number; readonly uri: string; readonly code: string; readonly name: string };

/** All repositories that the user sees, in the service's order. */
export async function listRepositories(client: Client): Promise<readonly Repository[]> {
  const reply = await client.ask('/repositories');
  return Array.isArray(reply) ? reply.filter(isObject).flatMap(toRepository) : [];
}

function toRepository(record: JsonObject): readonly Repository[] {
  const uri = textOf(record, 'uri') ?? '';
  const id = idOf(uri);
  return id === undefined
    ? []
    : [{ id, uri, code: textOf(record, 'repo_code') ?? '', name: textOf(record, 'name') ?? '' }];
}

/** The repository that is named so. Fails as wrong use with the codes there are. */
export async function findRepository(client: Client, named: string): Promise<Repository> {
  const all = await listRepositories(client);
  const found = all.find((repository) => isNamed(repository, named));
  if (found !== undefined) return found;
  const there =
    all.length === 0
      ? 'there is none yet (import --create-repository makes one)'
      : `there are: ${all.map(({ id, code }) => `${code} (${id})`).join(', ')}`;
  throw usage(`There is no repository ${named}; ${there}.`);
}

/** The repository of this code; made where there is none. */
export async function findOrCreateRepository(
  client: Client,
  code: string,
): Promise<{ readonly repository: Repository; readonly isNew: boolean }> {
  const find = async (): Promise<Repository | undefined> =>
    (await listRepositories(client)).find((repository) => repository.code.toLowerCase() === code.toLowerCase());
  const present = await find();
  if (present !== undefined) return { repository: present, isNew: false };
  let reply: Json;
  try {
    reply = await client.ask('/repositories', {
      method: 'POST',
      json: { jsonmodel_type: 'repository', repo_code: code, name: code },
    });
  } catch (error) {
    // Another run may have made it meanwhile.
    const made = error instanceof CliFailure && error.status === 400 ? await find() : undefined;
    if (made === undefined) throw error;
    return { repository: made, isNew: false };
  }
  const uri = isObject(reply) ? (textOf(reply, 'uri') ?? '') : '';
  const id = idOf(uri);
  if (id === undefined) throw new CliFailure('The service made a repository but did not say where.');
  return { repository: { id, uri, code, name: code }, isNew: true };
}

// A code that looks like a number is a code only where no repository has that id.
function isNamed({ id, uri, code }: Repository, named: string): boolean {
  return String(id) === named || uri === named || code.toLowerCase() === named.toLowerCase();
}

function idOf(uri: string): number | undefined {
  const match = /^\/repositories\/(\d+)$/.exec(uri);
  return match === null ? undefined : Number(match[1]);
}
