// A body of a kind as it would be stored or refused, without a database: prepared, generated, labelled, keyed.
import { uriOf } from '#domain/addresses.ts';
import { Failure } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { allKinds } from '#domain/kinds/index.ts';
import type { PrepareContext } from '#domain/checking/prepare.ts';
import { prepare } from '#domain/checking/prepare.ts';
import { keysOf, splitBody } from '#domain/checking/split.ts';
import { testContext } from './prepare-context.ts';

/** The example of a kind with `changes` laid over it; '@kind' refs become uris that are well formed. A change to undefined takes the property out. */
export function exampleOf(kind: Kind, changes: JsonObject = {}): JsonObject {
  const example: JsonObject = JSON.parse(
    JSON.stringify(kind.example).replace(/"@(\w+)"/g, (_, name: string) =>
      JSON.stringify(sampleUris[name] ?? `/${name}/1`),
    ),
  );
  return { ...example, ...changes };
}

// The first record of each kind, in repository 2.
const sampleUris: { readonly [kind: string]: string } = Object.fromEntries(
  allKinds.map((kind) => [kind.name, uriOf(kind, 1, 2)]),
);

/** What a prepared body becomes: `body` with generated values, its label. `old` makes it an update. */
export function stored(
  kind: Kind,
  body: JsonObject,
  old: JsonObject | null = null,
): { readonly body: JsonObject; readonly label: string; readonly publish: boolean | null } {
  const context: PrepareContext = testContext({ operation: old === null ? 'create' : 'update' });
  const { body: kept, label, publish } = splitBody(kind, prepare(kind, body, context), context.generatedValues, old);
  return { body: kept, label, publish };
}

/** The `error` of the 400 that refuses a body; throws where it is accepted. */
export function refusal(kind: Kind, body: JsonObject): Json {
  try {
    stored(kind, body);
  } catch (error) {
    if (error instanceof Failure) return error.error;
    throw error;
  }
  throw new Error(`the ${kind.name} was accepted`);
}

/** The unique keys of a body in repository 2: rule to values. */
export function keys(kind: Kind, body: JsonObject): { readonly [rule: string]: readonly string[] } {
  const rows = keysOf(kind, stored(kind, body).body, 2, {
    root: sampleUris[kind.tree?.root ?? ''] ?? null,
    parent: null,
  });
  return Object.fromEntries(
    Map.groupBy(rows, (row) => row.rule)
      .entries()
      .map(([rule, group]) => [rule, group.map((row) => `${row.scope} ${row.value}`)]),
  );
}
