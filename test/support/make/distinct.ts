// Bodies of a kind that do not get in each other's way, from its declaration alone: which texts of the example its unique rules look at is
// found out by changing them. So a kind that is added needs no line here.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { exampleOf, keys, stored } from './kind.ts';

type Path = readonly (string | number)[];

/** The example of a kind with what its unique rules look at changed: no other number gives the same keys. Refs stay as '@kind'. */
export function distinctExample(kind: Kind, n: number): JsonObject {
  return keyPathsOf(kind).reduce<JsonObject>((body, path) => append(body, path, String(n)), kind.example);
}

const known = new Map<string, readonly Path[]>();

/** The texts of the example by which its keys are told apart: for each rule the first whose change gives the record another key. */
function keyPathsOf(kind: Kind): readonly Path[] {
  const found = known.get(kind.name);
  if (found !== undefined) return found;
  const chosen: Path[] = [];
  const usual = keysFor(kind, kind.example) ?? {};
  const differing = (path: Path): readonly string[] => {
    const changed = keysFor(kind, append(kind.example, path, '7'));
    return changed === null ? [] : Object.keys(usual).filter((rule) => String(changed[rule]) !== String(usual[rule]));
  };
  const settled = new Set<string>();
  for (const path of textPaths(kind.example)) {
    const rules = differing(path).filter((rule) => !settled.has(rule));
    if (rules.length === 0) continue;
    for (const rule of rules) settled.add(rule);
    chosen.push(path);
  }
  known.set(kind.name, chosen);
  return chosen;
}

/** The keys of a body by rule; null where it is refused, as a changed date or value of a list is. */
function keysFor(kind: Kind, body: JsonObject): ReturnType<typeof keys> | null {
  try {
    return keys(kind, exampleOf({ ...kind, example: body }));
  } catch {
    return null;
  }
}

/** Where the texts of a value are; uris and refs are none. */
function textPaths(value: Json | undefined, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return /^[@/]/.test(value) ? [] : [path];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => textPaths(item, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => textPaths(item, [...path, key])) : [];
}

/** An object with a text put behind that at a path of it, which is there. */
const append = (body: JsonObject, path: Path, text: string): JsonObject => {
  const changed = appendAt(body, path, text);
  return isObject(changed) ? changed : body;
};

function appendAt(value: Json | undefined, [step, ...rest]: Path, text: string): Json {
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === step ? appendAt(item, rest, text) : item));
  if (isObject(value) && step !== undefined) return { ...value, [step]: appendAt(value[step], rest, text) };
  return `${String(value)}${text}`;
}

/**
 * A change that every record of a kind can take; the number tells it from others. The title, else the first text that is free and not
 * unique, else the flag `publish`, else a text that is unique.
 */
export function changeOf(kind: Kind, n: number): JsonObject {
  const text = `Changed ${n}`;
  const texts = Object.entries(kind.properties).flatMap(([property, { type, readonly }]) =>
    type === 'string' && readonly !== true ? [{ [property]: text }] : [],
  );
  const usual = keysFor(kind, kind.example) ?? {};
  const taken = texts.filter((change) => {
    const changed = keysFor(kind, { ...kind.example, ...change });
    return changed !== null && stored(kind, exampleOf(kind, change)).body[Object.keys(change)[0] ?? ''] === text;
  });
  const free = taken.filter(
    (change) => JSON.stringify(keysFor(kind, { ...kind.example, ...change })) === JSON.stringify(usual),
  );
  const title = free.find((change) => 'title' in change);
  const flag = kind.publishable === true ? { publish: true } : undefined;
  return title ?? free[0] ?? flag ?? taken[0] ?? {};
}
