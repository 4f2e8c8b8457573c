// Examples of bodies: those that routes declare, and for records those of their kinds, with a record in the place of each '@kind'.
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { kindNamed } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import type { Body } from '../request/body.ts';

/** The example of a body, or undefined where it has none (files). An update says the version of a record that was just made. */
export function bodyExample(body: Body<unknown>): Json | undefined {
  if (body.example !== undefined) return body.example;
  const kind = body.schema === undefined ? undefined : kinds.get(body.schema);
  if (kind === undefined) return undefined;
  const example = withAddresses(kind.example);
  return body.operation === 'update' && isObject(example) ? { ...example, lock_version: 0 } : example;
}

/** The example of a record of a kind. */
export const exampleBody = (kind: string): Json => withAddresses(kindNamed(kind).example);

/** The address that the first record of a kind has, below the first repository, which is 2. */
export const firstUri = (kind: string): string =>
  kindNamed(kind)
    .uri.replace(':repo_id', '2')
    .replace(':id', String(kindNamed(kind).firstId ?? 1));

const nameless = (path: string): string => path.replace(/:[a-z_]+/g, ':');

/** The id that stands in an address for the record that it is about: that of the first record of its kind. */
export function firstIdIn(path: string): number {
  const address = nameless(path.slice(0, path.indexOf(':id') + ':id'.length));
  return [...kinds.values()].find(({ uri }) => nameless(uri) === address)?.firstId ?? 1;
}

/** A value with the uri of a first record in the place of each '@kind'. */
function withAddresses(value: Json): Json {
  if (typeof value === 'string') return value.startsWith('@') ? firstUri(value.slice(1)) : value;
  if (Array.isArray(value)) return value.map(withAddresses);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, each === undefined ? null : withAddresses(each)]),
  );
}

/** The patch that is shown for a record: a text of its example, and the version of a record that was just made. */
export function patchExample(example: JsonObject): JsonObject {
  const [text] = Object.entries(example).filter(([, value]) => typeof value === 'string' && !value.startsWith('@'));
  return { ...(text === undefined ? {} : { [text[0]]: text[1] }), lock_version: 0 };
}
