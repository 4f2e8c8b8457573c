// Who loads the service: each does one thing again and again to records of its own, keeps a journal of what it was told, and says at a check
// what of it does not hold.
import type { JsonObject } from '#domain/json.ts';
import type { Client } from './client.ts';
import type { Stored } from './stored.ts';

/** An actor. `act` is one go of its work; `verify` is called while nobody acts and no job runs. */
export type Actor = {
  readonly name: string;
  act(): Promise<void>;
  verify(stored: Stored): Promise<readonly string[]>;
  /** How many writes it was told are done. */
  acknowledged(): number;
};

/** What actors need. */
export type Stage = {
  readonly client: Client;
  readonly random: () => number;
  /** Repositories: where all happens, and where records are transferred to. */
  readonly repo: string;
  readonly otherRepo: string;
};

/** Picks one. */
export function pick<T>(random: () => number, items: readonly T[]): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** The last part of a uri. */
export const idOf = (uri: string): number => Number(uri.split('/').at(-1));

/** The refs of a property that holds links. */
export const refsOf = (record: JsonObject, property: string): readonly string[] =>
  (Array.isArray(record[property]) ? record[property] : []).map((link) => String(Object(link).ref));
