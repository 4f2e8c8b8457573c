// Declarations of what a route reads from its path, query and form: plain data, from which coercion (coercion.ts),
// the types of call.params and the OpenAPI document follow. A parameter that the route's path names is a path
// parameter; every other one is read from the query string or a form body (contract 1.1).
import { largestInt4 } from '#domain/int4.ts';
import type { JsonObject } from '#domain/json.ts';
import type { CheckedRecord } from '../services.ts';

/** How the text of a parameter is read. */
export type ParameterType =
  | { readonly name: 'integer'; readonly minimum: number; readonly maximum: number; readonly cut?: true }
  | { readonly name: 'id' | 'boolean' | 'text' | 'any' | 'id_set' | 'username' | 'repository' | 'json' }
  | { readonly name: 'record'; readonly schema: string }
  | { readonly name: 'list'; readonly of: ParameterType };

/** A declared parameter whose value reaches the handler as T; an absent optional one is null. */
export type Parameter<T> = {
  readonly type: ParameterType;
  readonly optional: boolean;
  readonly default?: unknown;
  readonly doc?: string;
  readonly example?: T;
  /** Parameters of one group: where none of them is given, each is reported missing (pagination). */
  readonly group?: string;
  /** An empty text counts as not given. */
  readonly blank?: 'absent';
  /** An optional parameter that is required all the same where another is not given (`page` without `cursor`). */
  readonly unless?: string;
  /** The rule that a value breaks, for "Failed validation -- <rule>", or null. */
  check?(value: T): string | null;
};

/** The parameters of a route by wire name; list parameters without their brackets. */
export type Parameters = { readonly [name: string]: Parameter<unknown> };

/** The values that a handler gets for declared parameters. */
export type Values<P extends Parameters> = { readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };

type Options<T> = {
  readonly doc?: string;
  readonly example?: T;
  readonly group?: string;
  readonly blank?: 'absent';
  readonly check?: (value: T) => string | null;
};

/** Makes the declaration of a required parameter, of one with a default, or of an optional one (`T | null`). */
export type Maker<T> = {
  (options: Options<T> & { readonly default: T }): Parameter<T>;
  (options: Options<T> & { readonly optional: true }): Parameter<T | null>;
  (options?: Options<T>): Parameter<T>;
};

function maker<T>(type: ParameterType): Maker<T> {
  return (options: Options<T> & { readonly default?: T; readonly optional?: true } = {}) => ({
    ...options,
    type,
    optional: options.optional === true || options.default !== undefined,
  });
}

/** An integer that the database can hold; sign, `0x` and `_` pass as in the contract. */
export const integer: Maker<number> = maker({ name: 'integer', minimum: -largestInt4 - 1, maximum: largestInt4 });

/** An integer from 0 on, up to 2^53. */
export const nonNegative: Maker<number> = maker({ name: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** An integer that is cut to `maximum` where it is larger (page_size; modified_since, which is in seconds, past 2038 too). */
export const cutInteger = (minimum: number, maximum: number): Maker<number> =>
  maker({ name: 'integer', minimum, maximum, cut: true });

/** An integer within bounds of its own. */
export const integerBetween = (minimum: number, maximum: number): Maker<number> =>
  maker({ name: 'integer', minimum, maximum });

/**
 * The id of a record. One that no record can have (negative, or above the database's largestInt4) reaches the handler as 0,
 * which is nobody's id, so that the handler answers its own "… not found".
 */
export const id: Maker<number> = maker({ name: 'id' });

/** `true` or `false` in any case. */
export const boolean: Maker<boolean> = maker({ name: 'boolean' });

/** Any text; the empty text counts as given. */
export const text: Maker<string> = maker({ name: 'text' });

/** Anything at all, as text; that it was given is what counts (`all_ids`). */
export const anything: Maker<string> = maker({ name: 'any' });

/** A user name: trimmed, lower-cased, checked ("Invalid username" where it is none). */
export const username: Maker<string> = maker({ name: 'username' });

/** Record ids as `1,2,3` or `name[]=1&name[]=2`, each once, in the order given; at most 250. */
export const idSet: Maker<readonly number[]> = maker({ name: 'id_set' });

/** JSON text of an object, as in `aq`. */
export const jsonParameter: Maker<JsonObject> = maker({ name: 'json' });

/** JSON text of a record of a schema, checked as a body would be (`job` of jobs_with_files). */
export const recordParameter = (schema: string): Maker<CheckedRecord> => maker({ name: 'record', schema });

/** A bracketed list `name[]=a&name[]=b`; `name[0]=a` passes too. Absent optional lists are null. */
export function listOf<T>(item: Parameter<T>): Maker<readonly T[]> {
  return maker({ name: 'list', of: item.type });
}

/** The id of an existing repository. Permissions of the route are checked in it, and call.repoId holds it. */
export function repositoryId(doc = 'Id of an existing repository.'): Parameter<number> {
  return { type: { name: 'repository' }, optional: false, doc };
}

/** The same where the parameter may be absent; permissions are checked globally then. */
export function optionalRepositoryId(doc = 'Id of an existing repository.'): Parameter<number | null> {
  return { type: { name: 'repository' }, optional: true, doc };
}

/** `resolve[]`: the ref properties whose records the reply embeds under `_resolved`; empty where absent. */
export const resolve: Parameter<readonly string[]> = listOf(text())({
  default: [],
  doc: 'Ref properties to embed as _resolved, such as subjects or ancestors::linked_agents.',
});
